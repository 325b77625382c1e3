import type { WeakeningKind } from '../../contract/protection.ts';
import { groupBy } from '../../shared/group-by.ts';
import type { StoredWeakening } from './ports.ts';

/** The widest opening comes first: the App's end, then ways for everybody to merge, then ways for somebody. */
const SEVERITY: Record<WeakeningKind, number> = {
  appRemoved: 0,
  appSuspended: 0,
  repositoriesReduced: 1,
  permissionsReduced: 1,
  checkNotRequired: 2,
  checkFromAnySource: 2,
  pullRequestNotRequired: 2,
  ruleNotActive: 2,
  ruleCoversLess: 2,
  protectionRemoved: 2,
  administratorsFree: 3,
  bypassAdded: 3,
  bypassLoosened: 3,
  ownerAdded: 4,
  deployKeyAdded: 5,
};

type Ranked = Pick<StoredWeakening, 'entry' | 'change' | 'repoId' | 'undone'>;

/**
 * Lists weakenings worst first: of two as bad, the one that lasts, then the newer one. The keys of one repository are one
 * row, which has the first of them and how many more there are. If there are more than `most` rows, one of each kind and
 * repository comes before another of the same, so that somebody who makes many of one hides no other.
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
  SEVERITY[one.change.kind] - SEVERITY[other.change.kind] ||
  Number(one.undone !== null) - Number(other.undone !== null) ||
  other.entry - one.entry;
