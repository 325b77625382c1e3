/** Whether two are the same bytes. For what is public: it takes less time the earlier they differ. */
export const equalBytes = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, at) => byte === other[at]);
