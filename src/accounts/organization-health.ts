import pMap from 'p-map';
import { AppError } from '../app-error.ts';
import type { Places } from '../approvals/links.ts';
import type { Branches, GitHubRepository, Installations, Sweeps } from '../approvals/ports.ts';
import type { Clock } from '../clock.ts';
import type { CheckRequirement, OrganizationHealth, RepositoryHealth } from '../contract/organization.ts';
import { requireOwner } from './membership.ts';
import type { Installation, Members, Organization, Organizations, Session } from './ports.ts';

/** What the product cannot do without. */
const NEEDED = {
  checks: 'write',
  pull_requests: 'read',
  metadata: 'read',
  members: 'read',
  merge_queues: 'read',
};
const LEVELS = ['read', 'write', 'admin'];

const A_PAGE = 10;
const AT_ONCE = 5;
const HOLDS_MS = 5 * 60_000;

export type HealthDeps = {
  installations: Installations;
  organizations: Organizations;
  members: Members;
  branches: Branches;
  sweeps: Sweeps;
  /** When the last webhook of an installation was worked through. */
  lastWebhook(installation: number): Promise<Date | null>;
  /** What GitHub said of a branch a moment ago. */
  requirements: Requirements;
  places: Places;
  clock: Clock;
};

export type Requirements = Map<string, { answer: CheckRequirement; until: number }>;

/**
 * What keeps an organization from being protected, asked of GitHub.
 *
 * @throws AppError with each refusal of `requireOwner`.
 */
export async function organizationHealth(
  deps: HealthDeps,
  input: { session: Session; orgID: number; after?: string | undefined; again?: boolean | undefined },
): Promise<OrganizationHealth> {
  const org = await requireOwner(deps, input.session, input.orgID);
  const [installation, requested, repositories, last, latest] = await Promise.all([
    deps.installations.get(org.installationId),
    deps.installations.requested(),
    deps.installations.repositories(org.installationId),
    deps.lastWebhook(org.installationId),
    deps.sweeps.latest(),
  ]);
  if (!installation) throw new AppError('installationNotFound');
  const inOrder = repositories.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const following = inOrder.filter(({ name }) => name > (input.after ?? ''));
  const page = following.slice(0, A_PAGE);
  // What has no owner in its name was about all organizations.
  const isOrgs = ({ repository }: { repository: string }) =>
    !repository.includes('/') || repository.toLowerCase().startsWith(`${org.name.toLowerCase()}/`);
  return {
    permissions: permissionsOf(installation, requested),
    webhooks: {
      last: last?.toISOString() ?? null,
      missed: latest?.report.missed[String(org.installationId)] ?? 0,
    },
    sweep: latest && {
      at: latest.at.toISOString(),
      repaired: latest.report.repaired.filter(isOrgs).length,
      faults: [...new Set(latest.report.faults.filter(isOrgs).map(({ repository }) => repository))],
    },
    repositories: await pMap(page, (repository) => healthOf(deps, org, repository, input.again), {
      concurrency: AT_ONCE,
    }),
    next: following.length > A_PAGE ? (page.at(-1)?.name ?? null) : null,
  };
}

function permissionsOf(
  installation: Installation,
  requested: Record<string, string>,
): OrganizationHealth['permissions'] {
  const { permissions, settingsUrl, account } = installation;
  const has = (name: string, level: string) =>
    LEVELS.indexOf(permissions[name] ?? '') >= LEVELS.indexOf(level);
  // A personal account has no members and no merge queue.
  const concerns = ([name]: [string, string]) =>
    account.type === 'Organization' || !['members', 'merge_queues'].includes(name);
  const needed = Object.entries(NEEDED).filter(concerns);
  return {
    missing: needed.filter(([name, level]) => !has(name, level)).map(([name, level]) => `${name}: ${level}`),
    isPending: Object.entries(requested)
      .filter(concerns)
      .some(([name, level]) => !has(name, level)),
    settingsUrl,
  };
}

async function healthOf(
  deps: HealthDeps,
  org: Organization,
  { id, owner, name, defaultBranch }: GitHubRepository,
  again = false,
): Promise<RepositoryHealth> {
  const now = deps.clock.now().getTime();
  const key = `${id}:${defaultBranch}`;
  for (const [known, { until }] of deps.requirements) if (until <= now) deps.requirements.delete(known);
  const known = again ? undefined : deps.requirements.get(key);
  const repo = { installation: org.installationId, owner, name };
  const required = known?.answer ?? (await deps.branches.requirement(repo, defaultBranch));
  if (!known) deps.requirements.set(key, { answer: required, until: now + HOLDS_MS });
  const rulesUrl = `${deps.places.githubUrl}/${owner}/${name}/settings/rules`;
  return { name, defaultBranch, required, rulesUrl };
}
