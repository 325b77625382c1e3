import pMap from 'p-map';
import type { KnownRepository } from '../../organizations/ports.ts';
import { elapsed } from '../../shared/clock.ts';
import { fairShare } from '../../shared/fair-share.ts';
import { groupBy } from '../../shared/group-by.ts';
import { attempt } from '../../shared/work.ts';
import type { HeadRef, ListedPull, OpenPull } from '../ports.ts';
import { targetOf } from '../sync-target.ts';
import type { ReconcileDeps } from './deps.ts';
import { trySyncCheckRun } from './sync-open-pulls.ts';

export type WatchGreenDeps = ReconcileDeps & {
  /** Uses up a name: true for the first caller in all processes. */
  takeOnce(name: string, until: Date): Promise<boolean>;
  /** Called when webhooks of an installation no longer arrive; once a day while that lasts. */
  onSilence(silence: { installation: number; since: Date }): void;
};

export const WATCH_EVERY_MS = 30_000;
/** 300 requests a minute, of which each installation has its share. */
const MOST_AT_ONCE = 150;
const CONCURRENCY = 4;
/** Installations at the same time, so that a slow answer to one keeps no other from its turn. */
const INSTALLATIONS_AT_ONCE = 8;
const DAY_MS = 24 * 60 * 60_000;

/** How often each repository of an installation is looked at, in milliseconds. */
export function watchIntervalMs(
  installation: number,
  repositories: KnownRepository[],
  everyMs = WATCH_EVERY_MS,
): number {
  const tenants = tenantsOf(repositories);
  return everyMs * partsOf(tenants.get(installation)?.length ?? 0, shareOf(tenants));
}

const tenantsOf = (repositories: KnownRepository[]) => groupBy(repositories, (repo) => repo.installation);

/** The number of each installation's repositories that have their turn in one slot. */
const shareOf = (tenants: ReturnType<typeof tenantsOf>) =>
  fairShare(
    [...tenants.values()].map(({ length }) => length),
    MOST_AT_ONCE,
  );

const partsOf = (repositories: number, share: number) => Math.max(1, Math.ceil(repositories / share));

/**
 * Looks at the repositories with green heads, in case a webhook is lost: a new
 * pull request with a green head, or another base, could merge on the old green.
 * Time is divided into slots. If an installation has more repositories than its share of a slot's requests, its
 * repositories take turns.
 */
export async function watchGreenHeads(deps: WatchGreenDeps, everyMs = WATCH_EVERY_MS): Promise<void> {
  const now = deps.clock.now();
  const slot = Math.floor(now.getTime() / everyMs);
  const tenants = tenantsOf(await deps.openPulls.greenRepositories());
  const share = shareOf(tenants);
  const beganAt = elapsed(deps.clock);
  const isLate = () => elapsed(deps.clock) - beganAt > everyMs;
  const look = (repositories: KnownRepository[]) => {
    const parts = partsOf(repositories.length, share);
    const turn = repositories.filter((_repository, index) => index % parts === slot % parts);
    // An installation whose time has ended has the rest of its repositories looked at by the next reconciliation.
    return pMap(turn, (repo) => (isLate() ? [] : findHeads(deps, repo)), { concurrency: CONCURRENCY });
  };
  const changed = (await pMap(tenants.values(), look, { concurrency: INSTALLATIONS_AT_ONCE })).flat(2);
  const sync = async ({ headRef, pulls, isGreen }: ChangedHead) => {
    // The next look at green heads waits for this one, and finds the others again.
    if (deps.isStopping?.() || (!isGreen && isLate())) return;
    await trySyncCheckRun(deps, headRef, { pulls });
  };
  // Taking a success away comes before everything that only waits, in all repositories.
  for (const isGreen of [true, false])
    await pMap(
      changed.filter((one) => one.isGreen === isGreen),
      sync,
      { concurrency: CONCURRENCY },
    );
  await alertOfSilence(deps, now);
}

type ChangedHead = { headRef: HeadRef; pulls: ListedPull[]; isGreen: boolean };

/** The heads of the pull requests that changed since their last sync. */
async function findHeads(deps: WatchGreenDeps, repo: KnownRepository): Promise<ChangedHead[]> {
  if (deps.isStopping?.()) return [];
  const heads = await attempt(deps, targetOf({ repo }), async () => {
    const began = deps.clock.now();
    const pulls = await deps.pulls.listRecentlyUpdated(repo);
    if (!pulls) return [];
    const { changed, green } = await findChanges(deps, repo, { listed: pulls, began });
    return [...new Set(changed.map(({ head }) => head))].map((head) => ({
      headRef: { repo, repoId: repo.id, head },
      pulls,
      isGreen: green.has(head),
    }));
  });
  return heads ?? [];
}

async function alertOfSilence(deps: WatchGreenDeps, now: Date): Promise<void> {
  const today = Math.floor(now.getTime() / DAY_MS);
  for (const { installation, at } of await silentInstallations(deps)) {
    const name = `silent:${installation}:${at.getTime()}:${today}`;
    if (await deps.takeOnce(name, new Date(now.getTime() + DAY_MS)))
      deps.onSilence({ installation, since: at });
  }
}

/** Webhooks of changes before this may have come while no process was running. */
const SETTLING_MS = 60_000;
/** GitHub sends webhooks within seconds. */
const LATE_AFTER_MS = 2 * 60_000;

/**
 * The pull requests that are new, or have another head or base than at their last sync, and the heads that were green
 * then. Notes for the installation that it has to get a webhook now, if the change is one that this process should hear
 * of.
 *
 * @param began A time before `listed` was read. A webhook that is processed after it may be about the change.
 */
export async function findChanges(
  deps: ReconcileDeps,
  repo: { id: number; installation: number },
  { listed, began }: { listed: ListedPull[]; began: Date },
): Promise<{ changed: ListedPull[]; green: Set<string> }> {
  const saved = new Map((await deps.openPulls.ofRepository(repo.id)).map((pull) => [pull.pr, pull]));
  const changed = listed.filter((pull) => isChanged(pull, saved.get(pull.number)));
  const from = deps.listeningSince && deps.listeningSince.getTime() + SETTLING_MS;
  const isUnheard = (pull: ListedPull) =>
    changedAt(pull, saved.get(pull.number)) > (from ?? Number.POSITIVE_INFINITY);
  const ageMs = deps.clock.now().getTime() - began.getTime();
  if (changed.some(isUnheard)) await deps.unheardChanges.note(repo.installation, ageMs);
  const green = new Set([...saved.values()].filter(({ approved }) => approved).map(({ head }) => head));
  return { changed, green };
}

type Saved = Pick<OpenPull, 'head' | 'base'> | undefined;

const isChanged = ({ head, base }: ListedPull, saved: Saved) => head !== saved?.head || base !== saved.base;

/** The earliest time of the change, in milliseconds since 1970. */
const changedAt = ({ createdAt, updatedAt }: ListedPull, saved: Saved): number =>
  (saved ? updatedAt : createdAt).getTime();

/** The installations whose webhooks don't arrive, and since when: GitHub changed, and no webhook came for two minutes. */
export const silentInstallations = ({
  unheardChanges,
}: Pick<ReconcileDeps, 'unheardChanges'>): Promise<{ installation: number; at: Date }[]> =>
  unheardChanges.list(LATE_AFTER_MS);
