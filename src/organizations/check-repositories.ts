import pMap from 'p-map';
import type {
  OrganizationRepositoriesAnswer,
  OrganizationRepositoriesRequest,
} from '../contract/organization-health.ts';
import type { Session } from '../people/ports.ts';
import { AppError } from '../shared/app-error.ts';
import type { Origins } from '../shared/links.ts';
import type { OrganizationDeps } from './deps.ts';
import type { Installations, Organization, Organizations } from './ports.ts';
import type { Noted, RepositoryChecks, WatchedRepository } from './protection/ports.ts';
import { type WatchDeps, watchRepository } from './protection/watch.ts';
import { requireOwner } from './require-role.ts';

export const CHECK_REPOSITORIES_EVERY_MS = 60_000;
const LIST_EVERY_MS = 10 * 60_000;
const RETRY_AFTER_MS = 5 * 60_000;
/** Four requests each, of which GitHub doesn't count those that it answers with "not modified"; of the 5,000 or more that GitHub allows an organization in an hour, at most half are used. */
const MOST_AT_ONCE = 30;
/** GitHub answers ten of our reads for an organization at the same time. The others are for approvals. */
const CONCURRENCY = 2;
const MOST_ORGANIZATIONS_LEFT_OUT = 50;

export type CheckRepositoriesDeps = WatchDeps & {
  installations: Pick<Installations, 'list' | 'repositories'>;
  organizations: Pick<Organizations, 'byInstallation'>;
  /** Until when the rest of an installation's budget isn't for work in the background; null if there is enough. */
  backgroundBudget: { lowUntil(installation: number): Date | null };
  /** Uses up a name: true for the first caller in all processes. */
  takeOnce(name: string, until: Date): Promise<boolean>;
  onSyncFailed(error: unknown, at: { repository: string }): void;
  isStopping?(): boolean;
};

/**
 * Asks GitHub what the default branches of some repositories require, those that
 * are due for longest. Only one process does so in each minute, and leaves an
 * organization out while less than half of its budget is left.
 */
export async function checkRepositories(
  deps: CheckRepositoriesDeps,
  everyMs = CHECK_REPOSITORIES_EVERY_MS,
): Promise<void> {
  const now = deps.clock.now();
  const isFirst = (name: string, ms: number) =>
    deps.takeOnce(`${name}:${ms}:${Math.floor(now.getTime() / ms)}`, now);
  if (!(await isFirst('check-repositories', everyMs))) return;
  if (await isFirst('list-repositories', LIST_EVERY_MS)) await listRepositories(deps);
  const due = await findDue(deps, now);
  await pMap(due, (repo) => checkRepository(deps, repo), { concurrency: CONCURRENCY });
}

/** Makes the stored repositories of an organization those that the App has access to now. */
export async function syncRepositories(
  deps: { installations: Pick<Installations, 'repositories'>; repositoryChecks: RepositoryChecks },
  org: Organization,
): Promise<void> {
  const repositories = await deps.installations.repositories(org.installationId);
  if (repositories) await deps.repositoryChecks.sync(org.id, repositories);
}

async function listRepositories(deps: CheckRepositoriesDeps): Promise<void> {
  for (const { id, account, suspended } of await deps.installations.list()) {
    const org = suspended ? null : await deps.organizations.byInstallation(id);
    if (!org || deps.isStopping?.()) continue;
    await syncRepositories(deps, org).catch((error: unknown) =>
      deps.onSyncFailed(error, { repository: `${account.login}/*` }),
    );
  }
}

async function findDue(deps: CheckRepositoriesDeps, now: Date): Promise<WatchedRepository[]> {
  const except = new Set<string>();
  while (except.size < MOST_ORGANIZATIONS_LEFT_OUT) {
    const due = await deps.repositoryChecks.due(now, { most: MOST_AT_ONCE, except: [...except] });
    const low = due.filter(({ installation }) => deps.backgroundBudget.lowUntil(installation));
    if (low.length === 0) return due;
    for (const { orgRecordId } of low) except.add(orgRecordId);
  }
  return [];
}

async function checkRepository(deps: CheckRepositoriesDeps, repo: WatchedRepository): Promise<void> {
  if (deps.isStopping?.() || deps.backgroundBudget.lowUntil(repo.installation)) return;
  try {
    await watchRepository(deps, repo);
  } catch (error) {
    if (error instanceof AppError && error.code === 'githubBudgetLow') return;
    deps.onSyncFailed(error, { repository: `${repo.owner}/${repo.name}` });
    // Otherwise a repository that always fails would keep the others from their turn.
    const due = new Date(deps.clock.now().getTime() + RETRY_AFTER_MS);
    await deps.repositoryChecks.postpone(repo.id, due);
  }
}

/** Reads a repository again at once, after a webhook about it. If that fails, the next round does. */
export async function recheckRepository(deps: WatchDeps, repoId: number, noted: Noted | null): Promise<void> {
  // A round may be faster, and then says who did it.
  await deps.repositoryChecks.markDue({ repoId, noted: noted ?? undefined });
  const repo = await deps.repositoryChecks.get(repoId);
  if (repo) await watchRepository(deps, repo, noted);
}

/**
 * Reads the repositories of an organization again that were checked before that time, as many at once as a round does; the
 * next rounds read the others.
 */
export async function recheckOrganization(
  deps: WatchDeps,
  org: Organization,
  noted: Noted | null,
  { checkedBefore = deps.clock.now(), most = MOST_AT_ONCE, concurrency = CONCURRENCY } = {},
): Promise<void> {
  const { repositoryChecks, clock } = deps;
  await repositoryChecks.markDue({
    orgRecordId: org.id,
    checkedBefore,
    // A reading of the next rounds is too late to say that nobody saw what the webhook tells.
    noted: noted ? { ...noted, weakened: undefined } : undefined,
  });
  const due = await repositoryChecks.due(clock.now(), { most, only: org.id });
  await pMap(due, (repo) => watchRepository(deps, repo, noted ?? repo.noted), { concurrency });
}

const REPOSITORIES_A_PAGE = 50;
/** We don't request a younger answer again, unless an owner checks again. */
export const FRESH_MS = 5 * 60_000;

/**
 * Lists what we last found in each of the organization's repositories for its
 * owners, one page at a time, and counts all of them. Asks GitHub for the list
 * only if it isn't known yet.
 *
 * @throws AppError with each refusal of `requireOwner`.
 */
export async function organizationRepositories(
  deps: OrganizationDeps,
  input: OrganizationRepositoriesRequest & { session: Session },
): Promise<OrganizationRepositoriesAnswer> {
  const { session, orgID, state, search = '', after = '', again = false } = input;
  const org = await requireOwner(deps, session, orgID);
  const checkedBefore = new Date(deps.clock.now().getTime() - FRESH_MS);
  if (again) await deps.repositoryChecks.markDue({ orgRecordId: org.id, checkedBefore });
  let counts = await deps.repositoryChecks.counts(org.id);
  if (counts.total === 0) {
    await syncRepositories(deps, org);
    counts = await deps.repositoryChecks.counts(org.id);
  }
  if (again || counts.unchecked > 0) deps.checkRepositoriesSoon();
  const page = { state, search, after, most: REPOSITORIES_A_PAGE + 1 };
  const { matches, repositories } = await deps.repositoryChecks.list(org.id, page);
  const shown = repositories.slice(0, REPOSITORIES_A_PAGE);
  return {
    counts,
    matches,
    repositories: shown.map(({ name, defaultBranch, required, bypass, checked }) => ({
      name,
      defaultBranch,
      required,
      bypass,
      checked: checked?.toISOString() ?? null,
      rulesUrl: rulesUrl(deps.origins, { owner: org.name, name }),
    })),
    next: repositories.length > shown.length ? (shown.at(-1)?.name ?? null) : null,
  };
}

/** The page on GitHub on which an owner changes what a repository's branches require. */
const rulesUrl = ({ githubUrl }: Origins, { owner, name }: { owner: string; name: string }): string =>
  `${githubUrl}/${owner}/${name}/settings/rules`;
