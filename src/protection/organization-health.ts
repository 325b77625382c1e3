import type { OrganizationHealth, OrganizationHealthRequest } from '../contract/organization-health.ts';
import type { Installation, LastReconciliation, Organization, Registration } from '../organizations/ports.ts';
import { requireOwner, storedMembership } from '../organizations/require-role.ts';
import type { Session } from '../people/ports.ts';
import { AppError } from '../shared/app-error.ts';
import { FRESH_MS, recheckOrganization } from './check-repositories.ts';
import type { ProtectionDeps } from './deps.ts';
import { repositoryFindings, type SetupFacts, setupFindings } from './findings.ts';
import { makeRulesets, type RequiredCheck } from './make-rulesets.ts';
import { canGate, GATE, missingIn, permissionHealth } from './permissions.ts';

/** At most this many repositories are read before the answer; the rounds read the others, and the page follows them. */
const READ_AT_ONCE = { most: 10, concurrency: 5 };

export type HealthDeps = ProtectionDeps & {
  requiredCheck: RequiredCheck;
  reconcileReports: LastReconciliation;
  /** The time at which we last processed a webhook of the installation; null if we never did. */
  lastWebhook(installation: number): Promise<Date | null>;
  /** Since when webhooks of the installation don't arrive; null if they do. */
  silentSince(installation: number): Promise<Date | null>;
  /** How often the installation's repositories with green checks are looked at. */
  watchSeconds(installation: number): Promise<number>;
  /** Counts the organization's approvals by lost authenticators that still count. */
  countLeft(orgId: number): Promise<number>;
  /** True if people come through a proxy that isn't configured. */
  isProxyUnknown: boolean;
  /** The time of the last good daily backup, and whether a newer one is overdue; null if none are made. */
  dailyBackup(): Promise<{ last: Date | null; isLate: boolean } | null>;
};

/**
 * Reads from GitHub what keeps an organization from being protected, for its
 * owners. Counts the repositories of a small one as GitHub has them now.
 *
 * @throws AppError with each refusal of `requireOwner`; `githubUnavailable` or `permissionMissing` with GitHub's own sentence if it refuses us.
 */
export async function organizationHealth(deps: HealthDeps, input: HealthInput): Promise<OrganizationHealth> {
  try {
    return await readHealth(deps, input);
  } catch (error) {
    const { reason } = error as AppError;
    // GitHub then doesn't say who is an owner, so the stored role decides who reads the sentence.
    const stored = await storedMembership(deps, input.session, input.orgID);
    if (!reason || stored?.role !== 'admin') throw error;
    const sentence = `GitHub refuses OTP Guard's requests for this organization. It says: ${reason}`;
    throw new AppError((error as AppError).code, { cause: error, sentence, reason });
  }
}

type HealthInput = OrganizationHealthRequest & { session: Session };

async function readHealth(deps: HealthDeps, input: HealthInput): Promise<OrganizationHealth> {
  const org = await requireOwner(deps, input.session, input.orgID);
  const [installation, registration, repositories, reconciliation, webhooks, watchSeconds, lostLeft] =
    await Promise.all([
      deps.installations.get(org.installationId),
      deps.installations.registration(),
      deps.installations.repositories(org.installationId),
      deps.reconcileReports.latest(),
      webhooksOf(deps, org),
      deps.watchSeconds(org.installationId),
      deps.countLeft(org.orgId),
    ]);
  if (!installation || !repositories) throw new AppError('installationNotFound');
  const { githubUrl } = deps.origins;
  const { enterpriseServer, permissions } = registration;
  await deps.repositoryChecks.sync(org.id, repositories);
  const isSmall = repositories.length <= READ_AT_ONCE.most;
  const now = deps.clock.now();
  const checkedBefore = input.again ? now : new Date(now.getTime() - FRESH_MS);
  if (isSmall || input.again) await recheckOrganization(deps, org, null, { checkedBefore, ...READ_AT_ONCE });
  const backup = await deps.dailyBackup();
  const missed = reconciliation?.report.missed[String(org.installationId)] ?? 0;
  const facts: SetupFacts = {
    permissions: permissionHealth(installation, registration),
    webhooks: { ...webhooks, missed, watchSeconds },
    enterpriseServer: enterpriseServer && {
      ...enterpriseServer,
      hasMergeGroups: 'merge_queues' in permissions,
    },
    lostAuthenticators: lostLeft > 0 ? { approvals: lostLeft } : null,
    proxy: deps.isProxyUnknown ? {} : null,
    backup: backup && { ...backup, last: backup.last?.toISOString() ?? null },
    gate: await gateOf(deps, org, { installation, registration }),
    fullCheck: reconciliation && fullCheckIn(org, reconciliation, deps.clock.now()),
  };
  return {
    findings: setupFindings(facts),
    repositories: repositoryFindings(await deps.repositoryChecks.counts(org.id)),
    settingsUrl: installation.settingsUrl,
    rulesets: makeRulesets(deps.requiredCheck, { org, installation, repositories, githubUrl }),
  };
}

async function webhooksOf(deps: HealthDeps, { installationId }: Organization) {
  const [last, silentSince] = await Promise.all([
    deps.lastWebhook(installationId),
    deps.silentSince(installationId),
  ]);
  return { last: last?.toISOString() ?? null, silentSince: silentSince?.toISOString() ?? null };
}

async function gateOf(
  { repositoryChecks, origins }: HealthDeps,
  org: Organization,
  { installation, registration }: { installation: Installation; registration: Registration },
): Promise<SetupFacts['gate']> {
  const firstProtected = { state: 'protected', search: '', after: '', most: 1 } as const;
  const [{ repositories }, gates] = await Promise.all([
    repositoryChecks.list(org.id, firstProtected),
    repositoryChecks.gates(org.id),
  ]);
  const [first] = repositories;
  if (!first && gates.gated === 0) return null;
  return {
    ...gates,
    missing: missingIn(installation.permissions, GATE),
    isRequested: canGate(registration.permissions),
    environmentsUrl: first ? `${origins.githubUrl}/${org.name}/${first.name}/settings/environments` : null,
  };
}

type Reconciliation = NonNullable<Awaited<ReturnType<LastReconciliation['latest']>>>;

/** A reconciliation runs every few minutes; after an hour without one, something is wrong. */
const OVERDUE_MS = 60 * 60_000;

function fullCheckIn(org: Organization, { at, report }: Reconciliation, now: Date): SetupFacts['fullCheck'] {
  const prefix = `${org.name.toLowerCase()}/`;
  // A fault without an owner in its name concerns all organizations.
  const concernsOrg = ({ repository }: { repository: string }) =>
    !repository.includes('/') || repository.toLowerCase().startsWith(prefix);
  const faults = report.faults.filter(concernsOrg).map(({ repository }) => repository.replace(/^.*\//, ''));
  return {
    at: at.toISOString(),
    isOverdue: now.getTime() - at.getTime() > OVERDUE_MS,
    repaired: report.repaired.filter(concernsOrg).length,
    faults: [...new Set(faults)],
    isForAll: faults.includes('*'),
  };
}
