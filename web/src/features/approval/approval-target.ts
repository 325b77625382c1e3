import type { PageContext } from '../../lib/page-context.ts';
import type { OwnAuthenticators } from '../../lib/user.ts';

/** The commit of a pull request to approve, as the address names it; the server checks every member. */
export type ApprovalTarget = Named & {
  /** The repository's id. A link may leave it out. */
  repoID?: string;
};

type Named = Pick<PageContext, 'installation' | 'owner' | 'ownerID' | 'repo' | 'pr' | 'head'>;

const REFUSALS: [keyof Named, string][] = [
  ['installation', 'missing installation'],
  ['owner', 'missing org'],
  ['ownerID', 'missing organization id'],
  ['repo', 'missing repo'],
  ['pr', 'missing pr'],
  ['head', 'missing head'],
];

/** Reads the target from the address, or says which parameter is missing first. */
export function readApprovalTarget(context: PageContext): { target: ApprovalTarget } | { missing: string } {
  const refusal = REFUSALS.find(([name]) => context[name] === '');
  if (refusal) return { missing: refusal[1] };
  const { installation, owner, ownerID, repo, repoID, pr, head } = context;
  return { target: { installation, owner, ownerID, repo, pr, head, ...(repoID && { repoID }) } };
}

/** How a person can approve with their authenticators in this browser; null if they have none for it. */
export function methodFor({ totp, webauthn }: OwnAuthenticators): 'webauthn' | 'totp' | null {
  if (webauthn.length > 0 && 'PublicKeyCredential' in window) return 'webauthn';
  return totp ? 'totp' : null;
}
