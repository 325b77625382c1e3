/** A pull request of the organization. */
export type PullName = { repo: string; pr: number };

/** Reads `hello#7`, `octo-org/hello#7`, or the address of a pull request on GitHub; null if it's none of them. */
export function parsePull(text: string): PullName | null {
  const [, repo, number] =
    /(?:^|\/)([A-Za-z0-9._-]{1,100})(?:\s*#\s*|\/pull\/)([1-9][0-9]{0,9})(?:[/?#].*)?$/.exec(text.trim()) ??
    [];
  return repo && number ? { repo, pr: Number(number) } : null;
}
