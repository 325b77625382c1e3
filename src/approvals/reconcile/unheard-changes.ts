import type { Clock } from '../../shared/clock.ts';
import type { ListedPull, OpenPull, OpenPulls, UnheardChanges } from '../ports.ts';

export type UnheardDeps = {
  openPulls: OpenPulls;
  unheardChanges: UnheardChanges;
  clock: Clock;
  /** Since when this process receives webhooks; undefined if it doesn't. */
  listeningSince?: Date | undefined;
};

/** Webhooks of changes before this may have come while no process was running. */
const SETTLING_MS = 60_000;
/** GitHub sends webhooks within seconds. */
const LATE_AFTER_MS = 2 * 60_000;

/**
 * The pull requests that are new, or have another head or base than at their last sync; those with a green head come
 * first, because each could merge until its head is synced. Notes for the installation
 * that it has to get a webhook now, if the change is one that this process should hear of.
 *
 * @param began A time before `listed` was read. A webhook that is processed after it may be about the change.
 */
export async function findChanges(
  deps: UnheardDeps,
  repo: { id: number; installation: number },
  { listed, began }: { listed: ListedPull[]; began: Date },
): Promise<ListedPull[]> {
  const saved = new Map((await deps.openPulls.ofRepository(repo.id)).map((pull) => [pull.pr, pull]));
  const changed = listed.filter((pull) => isChanged(pull, saved.get(pull.number)));
  const from = deps.listeningSince && deps.listeningSince.getTime() + SETTLING_MS;
  const isUnheard = (pull: ListedPull) =>
    changedAt(pull, saved.get(pull.number)) > (from ?? Number.POSITIVE_INFINITY);
  const ageMs = deps.clock.now().getTime() - began.getTime();
  if (changed.some(isUnheard)) await deps.unheardChanges.note(repo.installation, ageMs);
  const green = new Set([...saved.values()].filter(({ approved }) => approved).map(({ head }) => head));
  return changed.sort((one, other) => Number(green.has(other.head)) - Number(green.has(one.head)));
}

type Saved = Pick<OpenPull, 'head' | 'base'> | undefined;

const isChanged = ({ head, base }: ListedPull, saved: Saved) => head !== saved?.head || base !== saved.base;

/** At the earliest, in milliseconds since 1970. */
const changedAt = ({ createdAt, updatedAt }: ListedPull, saved: Saved): number =>
  (saved ? updatedAt : createdAt).getTime();

/** The installations whose webhooks don't arrive, and since when: GitHub changed, and no webhook came for two minutes. */
export const silentInstallations = ({
  unheardChanges,
}: Pick<UnheardDeps, 'unheardChanges'>): Promise<{ installation: number; at: Date }[]> =>
  unheardChanges.list(LATE_AFTER_MS);
