import type { Installation, Organizations } from '../accounts/ports.ts';
import type { Installations, RepositoryRef } from './ports.ts';
import { type ReportDeps, reportHead } from './report.ts';

export type TrackDeps = ReportDeps & {
  installations: Installations;
  organizations: Organizations;
  /** Told of each repository or head that could not be seen to; the rest goes on. */
  onFault(error: unknown, at: { repository: string; head?: string }): void;
};

/** Gives every open pull request of a repository its run. */
export async function trackRepository(deps: TrackDeps, repo: RepositoryRef): Promise<void> {
  const repository = `${repo.owner}/${repo.name}`;
  const pulls = await deps.pulls.listOpen(repo).catch((error: unknown) => {
    deps.onFault(error, { repository });
    return null;
  });
  if (!pulls) return;
  const heads = new Map(pulls.map((pull) => [pull.head, pull.repo.id]));
  for (const [head, repoId] of heads) {
    await reportHead(deps, { repo, repoId, head }, { pulls }).catch((error: unknown) =>
      deps.onFault(error, { repository, head }),
    );
  }
}

/** Records an installation's organization and gives every open pull request of its repositories a run. */
export async function trackInstallation(deps: TrackDeps, installation: Installation): Promise<void> {
  await deps.organizations.save(installation);
  if (installation.suspended) return;
  for (const { owner, name } of await deps.installations.repositories(installation.id)) {
    await trackRepository(deps, { installation: installation.id, owner, name });
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
