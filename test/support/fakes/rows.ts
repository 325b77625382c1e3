/** A copy of the first row that matches, as a store would return it; null if there is none. */
export function copyOf<T extends object>(rows: readonly T[], matches: (row: T) => boolean): T | null {
  const found = rows.find(matches);
  return found ? { ...found } : null;
}

/** Takes the row with this id out; false if there is none. */
export function takeOut(rows: { id: string }[], id: string): boolean {
  const at = rows.findIndex((one) => one.id === id);
  if (at >= 0) rows.splice(at, 1);
  return at >= 0;
}

/** Adds the row unless one matches it; false then. */
export function addOnce<T>(rows: T[], row: T, matches: (row: T) => boolean): boolean {
  return !rows.some(matches) && rows.push(row) > 0;
}

/** Uses up a name: true for its first caller. */
export const takeName = (used: Set<string>, name: string): boolean =>
  !used.has(name) && Boolean(used.add(name));

/** Whether the record store takes a JSON value: not above a megabyte. */
export const fitsJson = (value: unknown): boolean => Buffer.byteLength(JSON.stringify(value)) <= 1_000_000;
