import type { PageContext } from '../../lib/page-context.ts';

/** Which commit of which pull request the address asks to approve; the server checks every member. */
export type Target = Pick<PageContext, 'installation' | 'owner' | 'ownerID' | 'repo' | 'pr' | 'head'>;

const MISSING: [keyof Target, string][] = [
  ['installation', 'missing installation'],
  ['owner', 'missing org'],
  ['ownerID', 'missing organization id'],
  ['repo', 'missing repo'],
  ['pr', 'missing pr'],
  ['head', 'missing head'],
];

/** Takes the target out of the address; refuses with the first member that is not there. */
export function readTarget(context: PageContext): { target: Target } | { missing: string } {
  const missing = MISSING.find(([name]) => context[name] === '');
  if (missing) return { missing: missing[1] };
  const { installation, owner, ownerID, repo, pr, head } = context;
  return { target: { installation, owner, ownerID, repo, pr, head } };
}
