import type { PullAuthor, PullRequest } from '../../approvals/ports.ts';
import type { Contributor } from '../../policies/details.ts';

export type GitHubAccount = { id: number; login: string; type?: string };

/** The fields we read of GitHub's pull request object; the same in webhooks and in API answers. */
export type GitHubPullRequest = {
  number: number;
  title: string;
  state: string;
  user: { id: number; login: string; avatar_url: string; type?: string } | null;
  merged?: boolean;
  merged_at?: string | null;
  merged_by?: { id: number; login: string } | null;
  merge_commit_sha?: string | null;
  created_at: string;
  requested_reviewers?: { id: number }[] | null;
  requested_teams?: { slug: string }[] | null;
  assignees?: GitHubAccount[] | null;
  changed_files?: number;
  additions?: number;
  deletions?: number;
  head: { sha: string; ref: string; label?: string | null; repo?: { id: number } | null };
  base: {
    ref: string;
    sha: string;
    repo: { id: number; name: string; owner: { id: number; login: string } | null };
  };
};

export function toPullRequest(raw: GitHubPullRequest): PullRequest {
  const { repo } = raw.base;
  return {
    number: raw.number,
    title: raw.title,
    author: toAuthor(raw.user),
    open: raw.state === 'open',
    merged: raw.merged ?? Boolean(raw.merged_at),
    mergedAt: raw.merged_at ? new Date(raw.merged_at) : null,
    mergeCommit: raw.merged_by ? (raw.merge_commit_sha ?? null) : null,
    mergedBy: raw.merged_by ? { id: raw.merged_by.id, login: raw.merged_by.login } : null,
    head: raw.head.sha,
    headBranch: toHeadBranch(raw),
    base: raw.base.ref,
    baseSha: raw.base.sha,
    repo: { id: repo.id, owner: repo.owner?.login ?? '', name: repo.name, ownerId: repo.owner?.id ?? 0 },
    createdAt: new Date(raw.created_at),
    reviewers: toReviewers(raw),
    size: toSize(raw),
  };
}

/** GitHub's `label` is `owner:branch`. A deleted fork's repository is null. */
const toHeadBranch = ({ head: { ref, label, repo }, base }: GitHubPullRequest): string =>
  repo?.id === base.repo.id ? ref : (label ?? ref);

function toReviewers(raw: GitHubPullRequest): PullRequest['reviewers'] {
  const { requested_reviewers: people, requested_teams: teams } = raw;
  if (!people || !teams) return null;
  return { people: people.map(({ id }) => id), teams: teams.map(({ slug }) => slug) };
}

function toSize({ changed_files: files, additions, deletions }: GitHubPullRequest): PullRequest['size'] {
  if (files === undefined || additions === undefined || deletions === undefined) return null;
  return { files, additions, deletions };
}

/** The accounts that a webhook shows as assigned, or as no longer assigned. */
export const toAssignees = (payload: {
  assignee?: GitHubAccount | null;
  pull_request: Pick<GitHubPullRequest, 'assignees'>;
}): Contributor[] =>
  [...(payload.assignee ? [payload.assignee] : []), ...(payload.pull_request.assignees ?? [])].map(
    ({ id, login, type }) => ({ id, login, isMachine: type === 'Bot' }),
  );

/** GitHub shows its account `ghost` instead of an account that no longer exists. */
const GHOST = 'ghost';

const toAuthor = (user: GitHubPullRequest['user']): PullAuthor | null =>
  user && user.login !== GHOST
    ? { id: user.id, login: user.login, avatarUrl: user.avatar_url, isMachine: user.type === 'Bot' }
    : null;
