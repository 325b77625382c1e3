import type { InboxPull } from '../../../../src/contract/inbox.ts';

/** `gone`: it waited when the page opened or later, and no longer does. */
export type Row = { pull: InboxPull; gone: boolean };

/** A pull request keeps it when its head or its repository's name changes. */
export const keyOf = ({ repoID, pr }: Pick<InboxPull, 'repoID' | 'pr'>) => `${repoID} ${pr}`;

/** The rows after a new answer. Nothing moves: a row that is gone keeps its place, and new rows come last. */
export function mergeRows(rows: Row[], pulls: InboxPull[]): Row[] {
  const latest = new Map(pulls.map((pull) => [keyOf(pull), pull]));
  const kept = rows.map(({ pull }): Row => {
    const now = latest.get(keyOf(pull));
    latest.delete(keyOf(pull));
    return now ? { pull: now, gone: false } : { pull, gone: true };
  });
  return [...kept, ...[...latest.values()].map((pull) => ({ pull, gone: false }))];
}
