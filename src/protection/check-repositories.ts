import pMap from 'p-map';
import type {
  OrganizationRepositoriesAnswer,
  OrganizationRepositoriesRequest,
} from '../contract/organization-health.ts';
import type { Bypass } from '../contract/protection.ts';
import type { Installation, Installations, Organization, Organizations } from '../organizations/ports.ts';
import { requireOwner } from '../organizations/require-role.ts';
import type { Session } from '../people/ports.ts';
import { AppError } from '../shared/app-error.ts';
import { elapsed } from '../shared/clock.ts';
import { fairShare } from '../shared/fair-share.ts';
import { groupBy } from '../shared/group-by.ts';
import type { Origins } from '../shared/links.ts';
import { attempt, type SyncFailures } from '../shared/work.ts';
import { withOwners } from './bypass.ts';
import type { ProtectionDeps, WatchDeps } from './deps.ts';
import { repositoryFindings } from './findings.ts';
import type { DueRepository, Noted, RepositoryChecks } from './ports.ts';
import { watchRepository } from './watch.ts';

export const CHECK_REPOSITORIES_EVERY_MS = 60_000;
const LIST_EVERY_MS = 10 * 60_000;
const RETRY_AFTER_MS = 5 * 60_000;
/** A round reads so many repositories of one organization. Each takes four requests or more, if anything changed. */
const MOST_AT_ONCE = 30;
/** Of all organizations, each of which has its share. */
const MOST_IN_A_ROUND = 300;
/** GitHub answers ten of our reads for an organization at the same time. The others are for approvals. */
const CONCURRENCY = 2;
/** An organization that GitHub answers slowly keeps no other from its turn. */
const ORGANIZATIONS_AT_ONCE = 8;
const MOST_ORGANIZATIONS_LEFT_OUT = 50;

export type CheckRepositoriesDeps = WatchDeps &
  SyncFailures & {
    installations: Pick<Installations, 'list' | 'repositories'>;
    organizations: Pick<Organizations, 'byInstallation'>;
    /** What work in the background may use of an installation's budget until GitHub renews it; null if that isn't known. */
    backgroundBudget: { spare(installation: number): { requests: number; until: Date } | null };
    /** Uses up a name: true for the first caller in all processes. */
    takeOnce(name: string, until: Date): Promise<boolean>;
    isStopping?(): boolean;
  };

/**
 * Asks GitHub what the default branches of some repositories require, those that
 * are due for longest. Only one process does so in each minute. Each organization has a share of the repositories, and
 * of the budget that GitHub leaves it: a round uses its part of what is spare until GitHub renews it.
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
  const due = [...(await findDue(deps, now)).values()];
  const counts = due.map(({ length }) => length);
  const share = Math.min(MOST_AT_ONCE, fairShare(counts, MOST_IN_A_ROUND));
  const beganAt = elapsed(deps.clock);
  // The next round begins in time: what one organization doesn't get done stays due.
  const isLate = () => elapsed(deps.clock) - beganAt > everyMs;
  const check = (own: [DueRepository, ...DueRepository[]]) => {
    const hasBudget = createPace(deps, own[0].installation, { now, everyMs });
    const checkInTime = async (repo: DueRepository) => {
      if (!deps.isStopping?.() && !isLate() && hasBudget()) await checkRepository(deps, repo);
    };
    return pMap(own.slice(0, share), checkInTime, { concurrency: CONCURRENCY });
  };
  await pMap(due, check, { concurrency: ORGANIZATIONS_AT_ONCE });
}

/**
 * Returns a function that tells whether a round may use more of an installation's budget. A read that GitHub answers
 * with "not modified" uses none.
 */
function createPace(
  { backgroundBudget }: CheckRepositoriesDeps,
  installation: number,
  { now, everyMs }: { now: Date; everyMs: number },
): () => boolean {
  const first = backgroundBudget.spare(installation);
  const rounds = first ? Math.max(1, (first.until.getTime() - now.getTime()) / everyMs) : 1;
  const kept = first ? Math.max(0, first.requests * (1 - 1 / rounds)) : 0;
  return () => (backgroundBudget.spare(installation)?.requests ?? Number.POSITIVE_INFINITY) > kept;
}

/** Makes the stored repositories of an organization the list that the App has access to now. */
export async function syncRepositories(
  deps: { installations: Pick<Installations, 'repositories'>; repositoryChecks: RepositoryChecks },
  org: Organization,
): Promise<void> {
  const repositories = await deps.installations.repositories(org.installationId);
  if (repositories) await deps.repositoryChecks.sync(org.id, repositories);
}

async function listRepositories(deps: CheckRepositoriesDeps): Promise<void> {
  const list = async ({ id, account, suspended }: Installation) => {
    if (suspended || deps.isStopping?.()) return;
    await attempt(deps, { repository: `${account.login}/*` }, async () => {
      const org = await deps.organizations.byInstallation(id);
      if (org) await syncRepositories(deps, org);
    });
  };
  await pMap(await deps.installations.list(), list, { concurrency: ORGANIZATIONS_AT_ONCE });
}

/** The repositories that are due, by organization: at least the number that a round reads of each, or all. */
async function findDue(deps: CheckRepositoriesDeps, now: Date) {
  const hasBudget = ({ installation }: DueRepository) =>
    (deps.backgroundBudget.spare(installation)?.requests ?? 1) > 0;
  const found = new Map<number, DueRepository>();
  const except = new Set<string>();
  for (let left = -1; left < except.size && except.size < MOST_ORGANIZATIONS_LEFT_OUT; ) {
    left = except.size;
    const page = await deps.repositoryChecks.due(now, { most: MOST_IN_A_ROUND, except: [...except] });
    for (const repo of page.filter(hasBudget)) found.set(repo.id, repo);
    if (page.length < MOST_IN_A_ROUND) break;
    for (const [org, own] of groupBy(page, ({ orgRecordId }) => orgRecordId))
      if (own.length >= MOST_AT_ONCE || !hasBudget(own[0])) except.add(org);
  }
  return groupBy([...found.values()], ({ orgRecordId }) => orgRecordId);
}

async function checkRepository(deps: CheckRepositoriesDeps, repo: DueRepository): Promise<void> {
  try {
    await watchAgain(deps, repo, null);
  } catch (error) {
    if (error instanceof AppError && error.code === 'githubBudgetLow') return;
    deps.onSyncFailed(error, { repository: `${repo.owner}/${repo.name}` });
    // Otherwise a repository that always fails would keep the others from their turn.
    const due = new Date(deps.clock.now().getTime() + RETRY_AFTER_MS);
    await deps.repositoryChecks.postpone(repo.id, due);
  }
}

/** Reads a repository again immediately, after a webhook about it. If that fails, the next round does. */
export async function recheckRepository(deps: WatchDeps, repoId: number, noted: Noted | null): Promise<void> {
  // A round may be faster, and then says who did it.
  await deps.repositoryChecks.markDue({ repoId, noted: noted ?? undefined });
  await watchAgain(deps, { id: repoId }, noted);
}

async function watchAgain(deps: WatchDeps, { id }: { id: number }, noted: Noted | null): Promise<void> {
  const repo = await deps.repositoryChecks.get(id);
  if (repo) await watchRepository(deps, repo, noted ?? repo.noted);
}

/**
 * Reads the repositories of an organization again that were checked before that time, with the concurrency of a round;
 * the next rounds read the others.
 *
 * @throws The first error, once all of them had their turn.
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
  const failed: unknown[] = [];
  await pMap(due, (repo) => watchAgain(deps, repo, noted).catch((error) => failed.push(error)), {
    concurrency,
  });
  if (failed.length > 0) throw failed[0];
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
  deps: ProtectionDeps,
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
  const owners = (await deps.knownAccounts.get(org.id))?.owners ?? null;
  const saidOf = (bypass: Bypass | null) => {
    const { said } = bypass ?? {};
    return said ? { login: owners?.find(({ id }) => id === said.by)?.login ?? null, at: said.at } : null;
  };
  return {
    findings: repositoryFindings(counts),
    counts,
    matches,
    repositories: shown.map(({ name, defaultBranch, required, bypass, environments, checked }) => ({
      name,
      defaultBranch,
      required,
      environments,
      bypass: withOwners(bypass, owners),
      said: saidOf(bypass),
      checked: checked?.toISOString() ?? null,
      rulesUrl: rulesUrl(deps.origins, { owner: org.name, name }),
    })),
    next: repositories.length > shown.length ? (shown.at(-1)?.name ?? null) : null,
  };
}

/** The page on GitHub on which an owner changes what a repository's branches require. */
const rulesUrl = ({ githubUrl }: Origins, { owner, name }: { owner: string; name: string }): string =>
  `${githubUrl}/${owner}/${name}/settings/rules`;
