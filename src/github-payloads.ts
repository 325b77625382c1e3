import type { Installation } from './accounts/ports.ts';
import type { PullRequest } from './approvals/ports.ts';

/** The members of GitHub's installation object that we read; the same in webhooks and in answers. */
export type GitHubInstallation = {
  id: number;
  account: { id: number; login?: string; type?: string; html_url?: string } | null;
  target_type?: string;
  suspended_at?: string | null;
};

/** Null for an installation on anything but an organization or a person (an enterprise). */
export function toInstallation(raw: GitHubInstallation, serverUrl: string): Installation | null {
  const { account } = raw;
  const type = raw.target_type ?? account?.type;
  if (!account?.login || (type !== 'Organization' && type !== 'User')) return null;
  return {
    id: raw.id,
    account: { id: account.id, login: account.login, type, htmlUrl: account.html_url ?? `${serverUrl}/${account.login}` },
    suspended: Boolean(raw.suspended_at),
  };
}

/** The members of GitHub's pull request object that we read; the same in webhooks and in answers. */
export type GitHubPullRequest = {
  number: number;
  title: string;
  state: string;
  user: { login: string; avatar_url: string } | null;
  head: { sha: string };
  base: { ref: string; repo: { id: number; name: string; owner: { id: number; login: string } | null } };
};

export function toPullRequest(raw: GitHubPullRequest): PullRequest {
  const { repo } = raw.base;
  return {
    number: raw.number,
    title: raw.title,
    author: raw.user && { login: raw.user.login, avatarUrl: raw.user.avatar_url },
    open: raw.state === 'open',
    head: raw.head.sha,
    base: raw.base.ref,
    repo: { id: repo.id, owner: repo.owner?.login ?? '', name: repo.name, ownerId: repo.owner?.id ?? 0 },
  };
}
