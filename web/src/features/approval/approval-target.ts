import { missingOf, type PageContext } from '../../lib/address/page-context.ts';

/** The title of the pages that approve a pull request. */
export const TITLE = 'Approve pull request';

/** The commit of a pull request to approve, as the address names it; the server checks every member. */
export type ApprovalTarget = Named & {
  /** The repository's id. A link may leave it out. */
  repoID?: string;
};

/** The parameters that an approval page needs. */
export const NAMES = ['installation', 'owner', 'ownerID', 'repo', 'pr', 'head'] as const;
type Named = Pick<PageContext, (typeof NAMES)[number]>;

/** Reads the target from the address; null if a parameter is missing. */
export function readApprovalTarget(context: PageContext): ApprovalTarget | null {
  if (missingOf(context, NAMES) !== null) return null;
  const { installation, owner, ownerID, repo, repoID, pr, head } = context;
  return { installation, owner, ownerID, repo, pr, head, ...(repoID && { repoID }) };
}

/**
 * The target of a page that is shown for one.
 *
 * @throws Error with the words for the first parameter that is missing.
 */
export function requireApprovalTarget(context: PageContext): ApprovalTarget {
  const target = readApprovalTarget(context);
  if (!target) throw new Error(`${missingOf(context, NAMES)}`);
  return target;
}
