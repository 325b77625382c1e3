/**
 * The number of items that each of several tenants may have done, so that at most `most` are done and no tenant's
 * number delays another's: a tenant with fewer has all of its items done, and the others share the rest equally. At
 * least 1.
 *
 * @param counts The number of items of each tenant.
 */
export function fairShare(counts: readonly number[], most: number): number {
  let left = most;
  for (const [done, count] of counts.toSorted((a, b) => a - b).entries()) {
    const share = Math.floor(left / (counts.length - done));
    if (count > share) return Math.max(1, share);
    left -= count;
  }
  return Math.max(1, most);
}
