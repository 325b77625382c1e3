/** The path and value of every leaf value of a JSON value. */
export function leavesOf(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [path];
  const keys = Array.isArray(value) ? value.keys() : Object.keys(value);
  return [...keys].flatMap((key) =>
    leavesOf((value as Record<string | number, unknown>)[key], [...path, key]),
  );
}

/** A copy in which the value at a path is another one of the same type; in a text, one character is. */
export function flip<T>(value: T, path: (string | number)[], at = 0.5): T {
  const copy = structuredClone(value);
  const parent = path.slice(0, -1).reduce((part: never, key) => part[key], copy as never) as Record<
    string,
    unknown
  >;
  const key = String(path.at(-1));
  parent[key] = other(parent[key], at);
  return copy;
}

function other(value: unknown, at: number): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value !== 'string' || value === '') return 'x';
  const index = Math.min(Math.floor(value.length * at), value.length - 1);
  const sign = value[index] === 'A' ? 'B' : 'A';
  return value.slice(0, index) + sign + value.slice(index + 1);
}
