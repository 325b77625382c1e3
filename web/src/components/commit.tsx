/** The first eight characters of a commit's hash. */
export function Commit({ sha }: { sha: string }) {
  return <code>{sha.slice(0, 8)}</code>;
}
