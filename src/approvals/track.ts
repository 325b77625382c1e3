import type { Installation, Organizations } from '../accounts/ports.ts';
import type { Installations, RepositoryRef } from './ports.ts';
import { type ReportDeps, reportHead } from './report.ts';

export type TrackDeps = ReportDeps & {
  installations: Installations;
  organizations: Organizations;
  /** Told of each repository or head that could not be seen to; the rest goes on. */
  onFault(error: unknown, at: { repository: string; head?: string }): void;
};

/** A repository by its names, to ask for, and by its id. */
export type KnownRepository = RepositoryRef & { id: number };

/** Gives every open pull request of a repository its run. */
export async function trackRepository(deps: TrackDeps, repo: KnownRepository): Promise<void> {
  const repository = `${repo.owner}/${repo.name}`;
  const pulls = await deps.pulls.listOpen(repo).catch((error: unknown) => {
    deps.onFault(error, { repository });
    return null;
  });
  if (!pulls) return;
  const numbers = pulls.map(({ number }) => number);
  await deps.openPulls
    .keepOnly(repo.id, numbers)
    .catch((error: unknown) => deps.onFault(error, { repository }));
  for (const head of new Set(pulls.map((pull) => pull.head))) {
    await reportHead(deps, { repo, repoId: repo.id, head }, { pulls }).catch((error: unknown) =>
      deps.onFault(error, { repository, head }),
    );
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
  for (const repository of repositories) {
    await trackRepository(deps, { installation: installation.id, ...repository });
  }
}

/** Does both for every installation of the App, so that what happened while we were away is seen to. */
export async function trackAll(deps: TrackDeps): Promise<void> {
  for (const installation of await deps.installations.list()) {
    await trackInstallation(deps, installation).catch((error: unknown) =>
      deps.onFault(error, { repository: `${installation.account.login}/*` }),
    );
  }
}

/** Reports the approvals that GitHub has not heard of: after a crash or an outage. */
export async function reportUnreported(deps: TrackDeps): Promise<void> {
  for (const { repo, repoId, head } of await deps.approvals.unreported()) {
    await reportHead(deps, { repo, repoId, head }).catch((error: unknown) =>
      deps.onFault(error, { repository: `${repo.owner}/${repo.name}`, head }),
    );
  }
}
