/** A commit by its first eight characters. */
export function Commit({ sha }: { sha: string }) {
  return <code>{sha.slice(0, 8)}</code>;
}
