/** A JSON value as it is after a round trip through the record store. */
export function asStored<T>(value: T): T {
  return JSON.parse(
    JSON.stringify(value, (_name, part: unknown) => (typeof part === 'string' ? wellFormed(part) : part)),
  );
}

/** The store replaces half a surrogate pair with U+FFFD. */
export const wellFormed = (value: string) => value.replace(/\p{Surrogate}/gu, '\uFFFD');
