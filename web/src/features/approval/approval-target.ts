import type { PageContext } from '../../lib/page-context.ts';

/** The commit of a pull request to approve, as the address names it; the server checks every member. */
export type ApprovalTarget = Pick<PageContext, 'installation' | 'owner' | 'ownerID' | 'repo' | 'pr' | 'head'>;

const REFUSALS: [keyof ApprovalTarget, string][] = [
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
  const { installation, owner, ownerID, repo, pr, head } = context;
  return { target: { installation, owner, ownerID, repo, pr, head } };
}
