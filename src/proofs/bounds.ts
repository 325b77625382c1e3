/** No receipt or export is deeper; a policy in a log entry is the deepest. */
const DEEPEST = 40;

/**
 * Tells whether a JSON value is small and flat enough to be verified: recursive steps can't overflow on it.
 *
 * @param most The number of values that it may have.
 */
export function isBounded(value: unknown, most: number): boolean {
  const open: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  let count = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    count += 1;
    if (count > most || next.depth > DEEPEST) return false;
    if (typeof next.value !== 'object' || next.value === null) continue;
    for (const child of Object.values(next.value)) open.push({ value: child, depth: next.depth + 1 });
  }
  return true;
}
