import type { OpenPull } from '../../../approvals/ports.ts';

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

/** In the order of `since,id`: what follows a place, and what goes up to it. The first comparison is for the index. */
export const FOLLOWS = ' && since >= {:since} && (since > {:since} || id > {:id})';
export const UP_TO = ' && since <= {:since} && (since < {:since} || id <= {:id})';

/** Where a record is in that order. */
export const placeOf = ({ since, id }: PullRecord): string => `${since}/${id}`;

/** The values of `FOLLOWS` and `UP_TO`. */
export function readPlace(place: string): { since: string; id: string } {
  const [since = '', id = ''] = place.split('/');
  return { since, id };
}

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
    opened: new Date(opened),
    reviewers,
    lacks: lacks ?? [],
  };
}
