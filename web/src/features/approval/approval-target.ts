import { missingOf, type PageContext } from '../../lib/address/page-context.ts';
import type { OwnAuthenticators } from '../../lib/session/user.ts';

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

/** The method by which a person can approve in this browser; null if they have no authenticator for it. */
export function methodFor({ totp, webauthn }: OwnAuthenticators): 'webauthn' | 'totp' | null {
  if (webauthn.length > 0 && 'PublicKeyCredential' in window) return 'webauthn';
  return totp ? 'totp' : null;
}
