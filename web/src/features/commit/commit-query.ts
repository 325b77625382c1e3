import type { PageContext } from '../../lib/page-context.ts';

/** The commit and pull request that the page is about; `ownerID` may be empty. */
export type CommitQuery = { head: string; pr: number; repo: string; owner: string; ownerID: string };

/** Reads the query from the address, or names the first part that is missing. */
export function readCommitQuery(context: PageContext): CommitQuery | { missing: string } {
  const { head, pr, repo, owner, ownerID } = context;
  if (!head) return { missing: 'missing head' };
  if (!/^[1-9][0-9]{0,9}$/.test(pr)) return { missing: 'missing pr' };
  if (!repo) return { missing: 'missing repo' };
  if (!owner) return { missing: 'missing org' };
  return { head, pr: Number(pr), repo, owner, ownerID: /^[1-9][0-9]{0,15}$/.test(ownerID) ? ownerID : '' };
}
