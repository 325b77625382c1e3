/** GitHub answered, or something in its place, but not with what it documents. */
export class UnusableAnswer extends Error {
  readonly status = 502;
}
