import type { WaitingPull } from '../contract/organization.ts';
import { approvalPath, type Origins, pullUrl } from '../shared/links.ts';
import type { Organization, UnapprovedPull } from './ports.ts';

/** An open pull request without an approval, as owners see it: with its links, and what it lacks. */
export function toWaitingPull(origins: Origins, org: Organization, unapproved: UnapprovedPull): WaitingPull {
  const { repoId, repoName, pr, title, author, head, since, lacks } = unapproved;
  const repo = { id: repoId, owner: org.name, name: repoName, ownerId: org.orgId };
  const pull = { number: pr, title, head, repo };
  return {
    repo: repoName,
    pr,
    title,
    author,
    head,
    since: since.toISOString(),
    url: pullUrl(origins, pull),
    approval: approvalPath(origins, { installation: org.installationId }, pull),
    missing: lacks.map(({ missing }) => missing),
  };
}
