import type { PageContext } from '../../lib/page-context.ts';

/** The commit and pull request that the page is about; `ownerID` may be empty. */
export type CommitQuery = { head: string; pr: number; repo: string; owner: string; ownerID: string };

/** Reads the query from the address; null if a part is missing. */
export function readCommitQuery({ head, pr, repo, owner, ownerID }: PageContext): CommitQuery | null {
  if (!head || !repo || !owner || !/^[1-9][0-9]{0,9}$/.test(pr)) return null;
  return { head, pr: Number(pr), repo, owner, ownerID: /^[1-9][0-9]{0,15}$/.test(ownerID) ? ownerID : '' };
}
