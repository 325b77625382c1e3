import type { OpenPull } from '../../approvals/ports.ts';

/** A record of `open_pulls`. */
export type PullRecord = {
  id: string;
  org: string;
  repo_id: number;
  repo_name: string;
  pr: number;
  title: string;
  author: string;
  head: string;
  base: string;
  approved: boolean;
  since: string;
  opened: string;
  reviewers: OpenPull['reviewers'];
  lacks: OpenPull['lacks'] | null;
  changed: string;
};

/** The filter for the open pull requests of the organization `org` that wait for an approval. */
export const WAITING = 'org = {:org} && approved = false';

/** The saved pull request, and since when its head waits. */
export function toPull(record: PullRecord): OpenPull & { since: Date } {
  const { repo_id: repoId, repo_name: repoName, pr, title, author, head, base, approved, since } = record;
  const { opened, reviewers, lacks } = record;
  return {
    repoId,
    repoName,
    pr,
    title,
    author,
    head,
    base,
    approved,
    since: new Date(since),
    opened: opened ? new Date(opened) : null,
    reviewers,
    lacks: lacks ?? [],
  };
}
