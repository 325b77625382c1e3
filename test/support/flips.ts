/** The path and value of every leaf value of a JSON value. */
export function leavesOf(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [path];
  const keys = Array.isArray(value) ? value.keys() : Object.keys(value);
  return [...keys].flatMap((key) =>
    leavesOf((value as Record<string | number, unknown>)[key], [...path, key]),
  );
}

type Path = (string | number)[];

/** Replaces the value at a path by another. */
export function setAt(value: unknown, path: Path, next: unknown): void {
  const parent = path.slice(0, -1).reduce<never>((part, key) => part[key], value as never);
  (parent as Record<string, unknown>)[String(path.at(-1))] = next;
}

/** A copy in which the value at a path is another one of the same type; in a text, one character is. */
export function flip<T>(value: T, path: Path, at = 0.5): T {
  const copy = structuredClone(value);
  const found = path.reduce<never>((part, key) => part[key], value as never);
  setAt(copy, path, other(found, at));
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
