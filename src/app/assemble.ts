import type { GitHubApp } from '../adapters/github/app.ts';
import { createSentWebhooks } from '../adapters/github/app-registration.ts';
import { createBranches } from '../adapters/github/branches.ts';
import { CHECK_NAME, createCheckRuns } from '../adapters/github/check-runs.ts';
import { createInstallations } from '../adapters/github/installations.ts';
import { createMembers, createTeams } from '../adapters/github/members.ts';
import type { WriteLimits } from '../adapters/github/octokit.ts';
import { createOpenHeads } from '../adapters/github/open-heads.ts';
import { createPullChanges } from '../adapters/github/pull-changes.ts';
import {
  createCommitPulls,
  createHeadCommits,
  createPullRequests,
} from '../adapters/github/pull-requests.ts';
import { BACKGROUND_RESERVE } from '../adapters/github/rate-limits.ts';
import { createRepositoryAccess } from '../adapters/github/repository-access.ts';
import { createUserTokens } from '../adapters/github/user-tokens.ts';
import { createHttpsSender } from '../adapters/https/https-sender.ts';
import { createSmtpMailer } from '../adapters/mail/smtp.ts';
import { createApprovalStores } from '../adapters/pocketbase/approvals/stores.ts';
import type { ActivityLog } from '../adapters/pocketbase/audit/activity-log.ts';
import { createLoggedFindings } from '../adapters/pocketbase/audit/effects.ts';
import { createAuditStores } from '../adapters/pocketbase/audit/stores.ts';
import { createAuthenticatorStores } from '../adapters/pocketbase/authenticators/stores.ts';
import type { StoreClient } from '../adapters/pocketbase/client.ts';
import { createNoticeStores } from '../adapters/pocketbase/notices/stores.ts';
import { createOrganizationStores } from '../adapters/pocketbase/organizations/stores.ts';
import { createOutgoingWebhooks } from '../adapters/pocketbase/outgoing-webhooks/hooks.ts';
import { createPeopleStores } from '../adapters/pocketbase/people/stores.ts';
import { createPolicies } from '../adapters/pocketbase/policies/policies.ts';
import { createLeases } from '../adapters/pocketbase/records/leases.ts';
import { consumeKey, createQuota } from '../adapters/pocketbase/records/one-time-keys.ts';
import { createRecordSeals } from '../adapters/pocketbase/records/record-seals.ts';
import { isWelcomeSomewhere } from '../approvals/approve/outside-collaborators.ts';
import type { RunTimes } from '../approvals/check-run/run.ts';
import { createOnlyVerified, createVerifiedApprovals } from '../approvals/judge/verify-stored-approval.ts';
import { createReadWaiting } from '../approvals/policy/match-patterns.ts';
import type { SweepTurns, SyncTarget } from '../approvals/ports.ts';
import { type CompareDeps, createJudgeAgain } from '../approvals/reconcile/compare-heads.ts';
import { createRecheckRun } from '../approvals/reconcile/repair-drift.ts';
import { silentInstallations, watchIntervalMs } from '../approvals/reconcile/watch-green-heads.ts';
import { countLost, withdrawLost } from '../approvals/withdraw/withdraw-lost.ts';
import { createLogChecks } from '../audit/check-log.ts';
import type { LostAuthenticator } from '../authenticators/ports.ts';
import { createSealer } from '../authenticators/seal.ts';
import { createTrustedAuthenticators } from '../authenticators/trusted-authenticators.ts';
import type { FailedSyncs } from '../bot/ports.ts';
import type { HookOutcome } from '../contract/outgoing-webhooks.ts';
import { createQueueAtOnce, createQueueDigests } from '../inbox/queue-notices.ts';
import { createReadPools, createTeamAnswers } from '../inbox/read-where.ts';
import { createVisibleRepositories } from '../inbox/visible-repositories.ts';
import { createWaitingLists } from '../inbox/waiting-lists.ts';
import type { Requirements } from '../organizations/organization-health.ts';
import type { Organization } from '../organizations/ports.ts';
import { createMembershipsAtSignIn } from '../organizations/refresh-memberships.ts';
import { createReportForgedRecord } from '../organizations/report-forged-record.ts';
import type { DeliveryFacts } from '../outgoing-webhooks/deliver.ts';
import type { Session } from '../people/ports.ts';
import { createSignEmailCode, type SignEmailCode } from '../people/send-email-code.ts';
import { createTokenChecks } from '../people/session.ts';
import { createVerifiedProofs } from '../receipts/issue-receipts.ts';
import { createPublishedList } from '../receipts/published-list.ts';
import { type Config, type GitHubConfig, isProxyUnknown } from '../settings/config.ts';
import { AppError } from '../shared/app-error.ts';
import { type Clock, systemRandom } from '../shared/clock.ts';
import { createRecordMac, type SecretKeys } from '../shared/crypto.ts';
import { createExpiringMap } from '../shared/expiring-map.ts';
import type { Log } from '../shared/log-events.ts';
import { createQueues } from '../shared/queues.ts';
import { createSecretKeys } from '../shared/secret-key.ts';
import { VERSION } from '../shared/version.ts';
import { createUnfinishedWork, isTooLate } from '../shared/work.ts';
import type { Metrics } from './metrics.ts';
import type { Periods } from './scheduler.ts';

/** How long the product waits. Each value has its default at the place that uses it; tests pass shorter ones. */
export type Waits = Partial<
  RunTimes &
    Periods & {
      /** For one answer from GitHub. */
      answerMs: number;
      /** Before a request that GitHub didn't answer is sent again. */
      retryMs: number;
      /** For which a process holds a lease without renewing it. */
      leaseMs: number;
      /** For one try to deliver to an outgoing webhook. */
      deliveryMs: number;
      /** For one e-mail to be accepted by the mail server. */
      mailMs: number;
      /** For what a process that stops has begun. */
      drainMs: number;
      /** How fast writes are sent to GitHub. */
      writes: Partial<WriteLimits>;
    }
>;

type World = {
  app: GitHubApp;
  client: StoreClient;
  log: Log;
  clock: Clock;
  waits?: Waits;
  metrics?: Pick<Metrics, 'forgedCheck' | 'forgedRecord' | 'overdueRound'> | undefined;
};

const SILENT = "webhooks don't arrive: GitHub shows changes that no webhook was about";
const NO_CHECKPOINT = "completed a check run without the log's checkpoint: the log can't be read";
const FORGED = "GitHub showed a green check that OTP Guard didn't give; replace the App's private key";
const OVERDUE = 'periodic work did not end in time; the next round begins without it';
/** Of an installation: an approval behind a burst of webhooks shares this process and the record store with them. */
const NEW_HEADS_AT_ONCE = 5;
/** For how long `readyz` shows that. */
const OVERDUE_SHOWN_MS = 30 * 60_000;
const LOG_CHANGED =
  "the end of an organization's log was not written by OTP Guard; nothing can be logged or approved there until a backup is restored";

/** The dependencies of every use case: the domain's ports, implemented over one GitHub App and one record store. */
export type Assembly = ReturnType<typeof assemble>;

export function assemble(config: Config & { github: GitHubConfig }, world: World) {
  const { publicUrl } = config;
  const { log, clock, waits = {}, metrics } = world;
  const keys = createSecretKeys(config);
  const github = connectGitHub(config.github, world);
  const store = connectStore(keys, world, publicUrl);
  const relyingParty = {
    id: new URL(publicUrl).hostname,
    name: 'OTP Guard' as const,
    origin: publicUrl,
    hasAttestationRoots: config.attestationRoots.length > 0,
  };
  let overdueAt = Number.NEGATIVE_INFINITY;
  const onOverdue = (round: string, target?: SyncTarget) => {
    overdueAt = performance.now();
    log.error({ event: 'round_overdue', round, ...target }, OVERDUE);
    metrics?.overdueRound();
  };
  const syncDeps = {
    ...waits,
    ...github,
    ...store,
    relyingParty,
    origins: { publicUrl, githubUrl: config.github.serverUrl },
    clock,
    onSyncFailed(error: unknown, target: SyncTarget) {
      if (isTooLate(error)) onOverdue('reconciliation', target);
      else log.warn({ event: 'sync_failed', ...target, err: error }, 'sync failed; it will be tried again');
    },
    onRepaired: (target: SyncTarget) =>
      log.info({ event: 'check_run_repaired', ...target }, 'repaired a check run'),
    onNoCheckpoint(error: unknown, target: SyncTarget) {
      const isChanged = error instanceof AppError && error.code === 'logChanged';
      log[isChanged ? 'error' : 'warn'](
        { event: 'checkpoint_missing', ...target, err: error },
        NO_CHECKPOINT,
      );
    },
    onForgedCheck(target: SyncTarget) {
      log.error({ event: 'forged_check', ...target }, FORGED);
      metrics?.forgedCheck();
    },
  } satisfies CompareDeps;
  const checkToken = createTokenChecks(github.tokens, clock);
  const waiting = {
    waitingLists: createWaitingLists(syncDeps),
    teamsOf: createTeamAnswers(syncDeps),
    readPools: createReadPools(syncDeps),
  };
  const queueAtOnce = createQueueAtOnce({ ...syncDeps, ...waiting });
  const queueDigests = createQueueDigests({ ...syncDeps, ...waiting });
  const onDelay = (error: unknown) =>
    log.warn({ event: 'github_update_delayed', err: error }, 'stored; GitHub will be updated later');
  const failedSyncs: FailedSyncs = new Map();
  const unfinished = createUnfinishedWork();
  const requirements: Requirements = createExpiringMap(clock);
  return {
    ...syncDeps,
    readWaiting: createReadWaiting(syncDeps),
    readPublishedList: createPublishedList({ ...syncDeps, version: VERSION, appId: config.github.appId }),
    recheckRun: createRecheckRun(syncDeps),
    judgeAgain: createJudgeAgain(syncDeps),
    failedSyncs,
    onOverdue,
    wasOverdue: () => performance.now() - overdueAt < OVERDUE_SHOWN_MS,
    newHeads: createQueues<number>(NEW_HEADS_AT_ONCE),
    requirements,
    lastWebhook: store.deliveries.lastProcessedAt,
    async silentSince(installation: number) {
      const silent = await silentInstallations(syncDeps);
      return silent.find((one) => one.installation === installation)?.at ?? null;
    },
    async watchSeconds() {
      const { length } = await store.openPulls.greenRepositories();
      return watchIntervalMs(length, waits.watchEveryMs) / 1000;
    },
    onSilence: (silence: { installation: number; since: Date }) =>
      log.error({ event: 'webhooks_silent', ...silence }, SILENT),
    isWelcomeFromOutside: (org: Organization, person: Session) => isWelcomeSomewhere(syncDeps, person, org),
    membershipsAtSignIn: createMembershipsAtSignIn({ ...github, ...store }),
    signEmail: (parts: Parameters<SignEmailCode>[0]) => createSignEmailCode(keys()[0])(parts),
    checkToken,
    ...waiting,
    visible: createVisibleRepositories({ ...github, checkToken, clock }),
    async queuePullNotices() {
      await queueAtOnce();
      await queueDigests();
    },
    mailer:
      config.mail && createSmtpMailer({ ...config.mail, origin: publicUrl, log, deadlineMs: waits.mailMs }),
    sender: createHttpsSender({ deadlineMs: waits.deliveryMs }),
    onDeliveryFailed(failed: DeliveryFacts & { outcome: HookOutcome; tries: number }, isStopped: boolean) {
      if (isStopped)
        log.warn(
          { event: 'hook_stopped', ...failed },
          'an outgoing webhook failed for a week; it was stopped',
        );
      else
        log.info({ event: 'hook_failed', ...failed }, 'an outgoing webhook failed; it will be tried again');
    },
    onDeliveryError: (error: unknown, facts: DeliveryFacts) =>
      log.warn({ event: 'hook_work_failed', ...facts, err: error }, 'could not work on an outgoing webhook'),
    githubUrl: config.github.serverUrl,
    isProxyUnknown: isProxyUnknown(config),
    random: systemRandom,
    onDelay,
    unfinished,
    onUnfinished: unfinished.track,
    onNotStored: (error: unknown) =>
      log.error({ event: 'approval_not_stored', err: error }, 'an approval of a batch could not be stored'),
    countLost: (lost: LostAuthenticator) => countLost(syncDeps, lost),
    withdrawLost: (lost: LostAuthenticator) => withdrawLost(syncDeps, lost).catch(onDelay),
    onUnsent: (error: unknown, { kind, tries }: { kind: string; tries: number }) =>
      log.warn({ event: 'notice_unsent', err: error, kind, tries }, 'could not send a notice'),
  };
}

/** The ports that GitHub's API implements. */
function connectGitHub({ appId, serverUrl }: GitHubConfig, { app, clock }: World) {
  const access = createRepositoryAccess(app, clock);
  const branches = createBranches(app, appId);
  return {
    installations: createInstallations(app, serverUrl),
    pulls: createPullRequests(app),
    commitPulls: createCommitPulls(app),
    pullChanges: createPullChanges(app),
    headCommits: createHeadCommits(app),
    teams: createTeams(app, clock),
    checkRuns: createCheckRuns(app, appId),
    branches,
    requiredChecks: branches,
    requiredCheck: { name: CHECK_NAME, appId },
    backgroundBudget: {
      lowUntil: (installation: number) => app.budget.lowUntil(installation, BACKGROUND_RESERVE),
    },
    sentWebhooks: createSentWebhooks(app),
    openHeads: createOpenHeads(app, appId),
    access,
    members: createMembers(app, access, clock),
    tokens: createUserTokens(app, serverUrl),
  };
}

/** The ports that the record store implements. */
export function connectStore(
  keys: SecretKeys,
  { client, clock, log: appLog, metrics, waits }: Omit<World, 'app'>,
  publicUrl: string,
) {
  // The log stores which records are forged, and its own keys are such records: this closes the circle.
  const log: ActivityLog = {
    send: (effects, logged) => activityLog.send(effects, logged),
  };
  const organizationStores = createOrganizationStores(client, log);
  const { organizations } = organizationStores;
  const findings = createLoggedFindings(log);
  const report = createReportForgedRecord({
    ...organizationStores,
    ...findings,
    onForgedRecord(forged) {
      appLog.error(
        { event: 'forged_record', ...forged },
        'a record in the record store was not written by OTP Guard; it is ignored',
      );
      metrics?.forgedRecord();
    },
    onUnreported: (error, forged) =>
      appLog.warn(
        { event: 'forged_record_unlogged', ...forged, err: error },
        'could not log a forged record',
      ),
  });
  const seals = createRecordSeals(createRecordMac(keys), report);
  const sealer = createSealer(keys);
  const { activityLog, logReader, recordedLog, loggedOrganizations, signingKeys } = createAuditStores(
    client,
    {
      sealer,
      seals,
      publicUrl,
      onChanged(org) {
        appLog.error({ event: 'log_changed', org }, LOG_CHANGED);
        metrics?.forgedRecord();
      },
    },
  );
  const deps = { client, log, sealer, seals };
  const onlyVerified = createOnlyVerified(report);
  const policies = createPolicies(client, log, seals);
  const approvalStores = createApprovalStores(deps);
  const authenticatorStores = createAuthenticatorStores(deps);
  const trusted = createTrustedAuthenticators({ ...authenticatorStores, organizations, policies, clock });
  const leases = createLeases(client, waits?.leaseMs);
  const logChecks = createLogChecks({
    recordedLog,
    signingKeys,
    onChangedEntry: ({ id, orgRecordId: recordId }) =>
      report({ collection: 'gh_activities', id, org: { recordId }, reason: 'log' }),
    clock,
  });
  return {
    ...approvalStores,
    approvals: createVerifiedApprovals(approvalStores.approvals, onlyVerified),
    provedApprovals: createVerifiedProofs(approvalStores.provedApprovals, onlyVerified),
    ...authenticatorStores,
    credentials: { ...authenticatorStores.credentials, list: trusted.list },
    totpApps: { ...authenticatorStores.totpApps, find: trusted.find },
    ...createNoticeStores(client),
    ...organizationStores,
    ...createPeopleStores(client, log),
    ...findings,
    policies,
    outgoingWebhooks: createOutgoingWebhooks(client, log, { sealer, seals }),
    checkpoints: logReader,
    log: logReader,
    loggedOrganizations,
    logChecks,
    signingKeys,
    codeAttempts: createQueues<string>(1),
    leases,
    quota: createQuota(client),
    sweepTurns: { during: (work) => leases.during('sweep', work) } satisfies SweepTurns,
    takeOnce: (name: string, until: Date) => consumeKey(client, name, until),
  };
}
