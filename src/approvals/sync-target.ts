import type { RepositoryRef } from '../organizations/ports.ts';

/** The repository, and maybe the head, that a sync was about. */
export type SyncTarget = { repository: string; head?: string };

/** Names a repository, or a head of it, for a log line. */
export const targetOf = ({ repo, head }: { repo: RepositoryRef; head?: string }): SyncTarget => ({
  repository: `${repo.owner}/${repo.name}`,
  ...(head && { head }),
});
