import { groupBy } from '../shared/group-by.ts';
import { severityOf } from './kinds.ts';
import type { StoredWeakening } from './ports.ts';

type Ranked = Pick<StoredWeakening, 'entry' | 'change' | 'repoId' | 'undone'>;

/**
 * Lists weakenings worst first: of two as bad, the one that lasts, then the newer one. The keys of one repository are one
 * row, which has the first of them and how many more there are. If there are more than `most` rows, one of each kind and
 * repository comes before another of the same, so that a person who makes many of one hides no other.
 */
export function worstFirst<W extends Ranked>(all: W[], most: number): { first: W; more: number }[] {
  const rowOf = ({ entry, change, repoId }: W) =>
    change.kind === 'deployKeyAdded' ? `keys of ${repoId}` : entry;
  const placeOf = ({ change, repoId }: W) => `${change.kind} ${repoId}`;
  const rows = [...groupBy(all, rowOf).values()].map(([first, ...others]) => ({
    first,
    more: others.length,
  }));
  const rounds = [...groupBy(rows, ({ first }) => placeOf(first)).values()];
  const ranked = rounds.flatMap((same) => same.toSorted(bySeverity).map((row, round) => ({ row, round })));
  return ranked
    .toSorted((one, other) => one.round - other.round || bySeverity(one.row, other.row))
    .slice(0, most)
    .map(({ row }) => row)
    .toSorted(bySeverity);
}

const bySeverity = ({ first: one }: { first: Ranked }, { first: other }: { first: Ranked }) =>
  severityOf(one.change.kind) - severityOf(other.change.kind) ||
  Number(one.undone !== null) - Number(other.undone !== null) ||
  other.entry - one.entry;
