import type { WaitingPull } from '../inbox/ports.ts';
import { approvalUrl, type Origins, pullUrl } from '../shared/links.ts';
import type { Hook } from './ports.ts';

type About = { hook: Hook; origins: Origins };

/** The pull request's page on GitHub, and the page that approves it. */
export function linksOf({ repoId, repoName, pr, title, head }: WaitingPull, { hook, origins }: About) {
  const { orgId: ownerId, name: owner, installationId: installation } = hook.org;
  const linked = { number: pr, title, head, repo: { id: repoId, name: repoName, owner, ownerId } };
  return { url: pullUrl(origins, linked), approval: approvalUrl(origins, { installation }, linked) };
}

/** The organization's log page. */
export const logUrl = (about: About): string => pageUrl('/org/log', about);

/** The page on which owners set hooks. */
export const hooksUrl = (about: About): string => pageUrl('/org/hooks', about);

function pageUrl(path: string, { hook, origins }: About): string {
  const { orgId, name, installationId } = hook.org;
  const query = new URLSearchParams({
    owner: name,
    ownerID: String(orgId),
    installation: String(installationId),
  });
  return `${origins.publicUrl}${path}?${query}`;
}
