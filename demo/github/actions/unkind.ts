/** What GitHub does to those who aren't careful, as a test can set it. */
export type Unkind = {
  /** How many reviews fail for a reason that GitHub doesn't tell. */
  reviews: number;
  /** How many reviews GitHub takes and then answers as if it hadn't. */
  lostReviews: number;
  /** How long, in milliseconds, a review takes. If another of the same run comes in that time, the other one fails. */
  reviewMs: number;
  /** How old, in milliseconds, what an App reads is: runs, what waits in one, and its reviews. */
  lagMs: { runs: number; pending: number; approvals: number };
  /** While true, no webhook about a job that waits is sent; then all are, in another order and twice. */
  holdsRequests: boolean;
};

export const createUnkind = (): Unkind => ({
  reviews: 0,
  lostReviews: 0,
  reviewMs: 5,
  lagMs: { runs: 0, pending: 0, approvals: 0 },
  holdsRequests: false,
});
