import pMap from 'p-map';
import type { Installation, Organizations } from '../accounts/ports.ts';
import type { HeadRef } from './ensure-run.ts';
import type { Alarms, Installations, PullRequest, RepositoryRef, Spot } from './ports.ts';
import { type ReportDeps, type ReportMode, reportHead, type Seen } from './report.ts';
import { alarmIfUnapproved } from './unapproved-merge.ts';

export type TrackDeps = ReportDeps & {
  installations: Installations;
  organizations: Organizations;
  alarms: Alarms;
  /** Told of each repository or head that could not be seen to; the rest goes on. */
  onFault(error: unknown, at: Spot): void;
  /** True where we are about to end: nothing new is begun then. */
  isEnding?(): boolean;
  /** Told of each head whose run was missing or wrong and is right now. */
  onRepair(at: Spot): void;
};

/** A repository by its names, to ask for, and by its id. */
export type KnownRepository = RepositoryRef & { id: number };

/** GitHub is asked for so many repositories at the same time. */
const AT_ONCE = 4;

const nameOf = ({ owner, name }: RepositoryRef) => `${owner}/${name}`;

/** Reports a head; a failure is told, and the caller goes on. */
export async function reportOrTell(
  deps: TrackDeps,
  at: HeadRef,
  seen?: Seen,
  mode?: ReportMode,
): Promise<void> {
  const spot = { repository: nameOf(at.repo), head: at.head };
  try {
    const { written } = await reportHead(deps, at, seen, mode);
    if (written) deps.onRepair(spot);
  } catch (error) {
    deps.onFault(error, spot);
  }
}

/** Forgets what is open no more, and looks at how it ended: its webhook may be lost. */
export async function forgetClosed(
  deps: Pick<TrackDeps, 'openPulls' | 'pulls' | 'approvals' | 'alarms'>,
  repo: KnownRepository,
  open: PullRequest[],
): Promise<void> {
  const gone = await deps.openPulls.notAmong(
    repo.id,
    open.map(({ number }) => number),
  );
  for (const number of gone) {
    const pull = await deps.pulls.get(repo, number);
    // A list can lag behind: what is open is kept.
    if (pull?.open) continue;
    if (pull) await alarmIfUnapproved(deps, pull);
    await deps.openPulls.forget(repo.id, number);
  }
}

/** Gives every open pull request of a repository its run, and looks at those that are open no more. */
export async function trackRepository(deps: TrackDeps, repo: KnownRepository): Promise<void> {
  if (deps.isEnding?.()) return;
  try {
    const pulls = await deps.pulls.listOpen(repo);
    if (!pulls) return;
    for (const head of new Set(pulls.map((pull) => pull.head))) {
      await reportOrTell(deps, { repo, repoId: repo.id, head }, { pulls }, { lookFirst: true });
    }
    await forgetClosed(deps, repo, pulls);
  } catch (error) {
    deps.onFault(error, { repository: nameOf(repo) });
  }
}

/** Records an installation's organization and gives every open pull request of its repositories a run. */
export async function trackInstallation(deps: TrackDeps, installation: Installation): Promise<void> {
  await deps.organizations.save(installation);
  if (installation.suspended) return;
  const repositories = await deps.installations.repositories(installation.id);
  await deps.openPulls.keepRepositories(
    installation.account.id,
    repositories.map(({ id }) => id),
  );
  await pMap(
    repositories,
    (repository) => trackRepository(deps, { installation: installation.id, ...repository }),
    { concurrency: AT_ONCE },
  );
}

/** Does both for every installation of the App, so that what happened while we were away is seen to. */
export async function trackAll(deps: TrackDeps): Promise<void> {
  for (const installation of await deps.installations.list()) {
    await trackInstallation(deps, installation).catch((error: unknown) =>
      deps.onFault(error, { repository: `${installation.account.login}/*` }),
    );
  }
}
