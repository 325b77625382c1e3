type Counted = {
  /** How many match the search and the filter. */
  matches: number;
  /** How many there are without them; null if that isn't known. */
  all: number | null;
  isFiltered: boolean;
};

/** How many rows a list has, such as `37 of 302 members`. */
export function countText([one, many]: [string, string], { matches, all, isFiltered }: Counted): string {
  if (isFiltered && matches === 0) return `No ${many} match.`;
  if (isFiltered && all !== null) return `${matches} of ${all} ${all === 1 ? one : many}`;
  return `${matches} ${matches === 1 ? one : many}`;
}

/** A number behind a filter's choice, such as ` (37)`; empty if it isn't known. */
export const inBrackets = (count: number | undefined) => (count === undefined ? '' : ` (${count})`);
