import type { GitHubApp } from '../adapters/github/app.ts';
import type { WriteLimits } from '../adapters/github/octokit.ts';
import { createHttpsSender } from '../adapters/https/https-sender.ts';
import { createSmtpMailer } from '../adapters/mail/smtp.ts';
import type { StoreClient } from '../adapters/pocketbase/client.ts';
import type { ApprovalCallDeps } from '../approvals/approve/deps.ts';
import { isWelcomeSomewhere } from '../approvals/approve/outside-collaborators.ts';
import type { RunTimes } from '../approvals/deps.ts';
import type { PolicyDeps } from '../approvals/policy/deps.ts';
import { createReadWaiting } from '../approvals/policy/match-patterns.ts';
import { createJudgeAgain } from '../approvals/reconcile/compare-heads.ts';
import { createRecheckRun } from '../approvals/reconcile/repair-drift.ts';
import { silentInstallations, watchIntervalMs } from '../approvals/reconcile/watch-green-heads.ts';
import { countLeft, countLost, withdrawLost } from '../approvals/withdraw/withdraw-lost.ts';
import type { AuthenticatorCallDeps } from '../authenticators/call-deps.ts';
import { isHandled, isIrreplaceable } from '../bot/handlers.ts';
import type { FailedSyncs } from '../bot/ports.ts';
import { lookAtWaiting } from '../deployments/review/reconcile-deployments.ts';
import type { InboxDeps } from '../inbox/deps.ts';
import { createQueueAtOnce, createQueueDigests } from '../inbox/queue-notices.ts';
import { createReadPools, createTeamAnswers, createWaitingLists } from '../inbox/read-where.ts';
import { createVisibleRepositories } from '../inbox/visible-repositories.ts';
import { createUnsubscribeLinks } from '../notices/unsubscribe-links.ts';
import type { OrganizationDeps } from '../organizations/deps.ts';
import { createMembershipsAtSignIn, createRefreshMemberships } from '../organizations/refresh-memberships.ts';
import type { PeopleCallDeps } from '../people/deps.ts';
import { createSignEmailCode } from '../people/email-code.ts';
import type { SignEmailCode } from '../people/ports.ts';
import { createTokenChecks } from '../people/session.ts';
import type { HealthDeps } from '../protection/organization-health.ts';
import { watchAccount } from '../protection/watch.ts';
import type { ReceiptDeps } from '../receipts/deps.ts';
import { createPublishedList } from '../receipts/published-list.ts';
import { isProxyUnknown, type RegisteredConfig } from '../settings/config.ts';
import { type Clock, systemRandom } from '../shared/clock.ts';
import type { Log } from '../shared/log-events.ts';
import { createQueues } from '../shared/queues.ts';
import { createSecretKeys } from '../shared/secret-key.ts';
import { VERSION } from '../shared/version.ts';
import { createUnfinishedWork, inTurn } from '../shared/work.ts';
import { connectGitHub } from './connect-github.ts';
import { connectStore } from './connect-store.ts';
import type { Metrics } from './metrics.ts';
import { createOutcomeLog } from './outcome-log.ts';
import type { Periods } from './scheduler.ts';

/** How long the product waits. Each value has its default in the code that uses it; tests pass shorter ones. */
export type Waits = Partial<
  RunTimes &
    Periods & {
      /** The time for one answer from GitHub. */
      answerMs: number;
      /** The pause before a request that GitHub didn't answer is sent again. */
      retryMs: number;
      /** How long a process holds a lease without renewing it. */
      leaseMs: number;
      /** The pause before a repository whose protection is known is read again. */
      watchAgainMs: number;
      /** How long an e-mail about a weakening waits for further ones. */
      gatherMs: number;
      /** The time for one try to deliver to an outgoing webhook. */
      deliveryMs: number;
      /** The time for the mail server to accept one e-mail. */
      mailMs: number;
      /** The time for a process that stops to finish its work. */
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

/** For each installation and kind of turn: an approval shares this process and the record store with a burst of webhooks. */
const HEADS_AT_ONCE = 5;

/** What each room takes: the domain's ports, implemented over one GitHub App and one record store. */
export type Assembly = ReturnType<typeof assemble>;

export function assemble(config: RegisteredConfig, world: World) {
  const { publicUrl } = config;
  const { log, clock, waits = {} } = world;
  const outcomes = createOutcomeLog(log, world.metrics);
  const keys = createSecretKeys(config);
  const github = connectGitHub(world.app, config.github, clock);
  const store = connectStore(keys, { ...world, outcomes, leaseMs: waits.leaseMs }, publicUrl);
  const { auditLog, findings, signingKeys } = store.audit;
  const random = systemRandom;
  const origins = { publicUrl, githubUrl: config.github.serverUrl };
  const relyingParty = {
    id: new URL(publicUrl).hostname,
    name: 'OTP Guard' as const,
    origin: publicUrl,
    hasAttestationRoots: config.attestationRoots.length > 0,
  };
  const mailer =
    config.mail && createSmtpMailer({ ...config.mail, origin: publicUrl, log, deadlineMs: waits.mailMs });
  const unsubscribeLinks = createUnsubscribeLinks(keys, publicUrl);
  const unfinished = createUnfinishedWork();
  const checkToken = createTokenChecks(github.people.tokens, clock);

  const signEmail: SignEmailCode = (parts) => createSignEmailCode(keys()[0])(parts);
  const people: PeopleCallDeps = { ...store.people, signEmail, mailer, clock, random };
  const accounts = {
    ...store.people,
    ...store.organizations,
    ...store.protection,
    ...github.organizations,
    ...github.protection,
    clock,
  };
  const heads = {
    ...waits,
    ...outcomes,
    ...accounts,
    ...store.policies,
    ...github.approvals,
    ...store.approvals,
    auditLog,
    findings,
    relyingParty,
    origins,
  };
  const deployments = { ...heads, ...store.deployments, ...github.deployments };
  const { backgroundBudget } = github;
  const { lostAuthenticators } = store.authenticators;
  const reconcile = {
    ...heads,
    ...store.turns,
    backgroundBudget,
    lostAuthenticators,
    isHandled,
    isIrreplaceable,
  };
  const deploymentRounds = { ...deployments, ...store.notices, backgroundBudget };
  const authenticators: AuthenticatorCallDeps = {
    ...people,
    ...accounts,
    ...store.policies,
    ...store.notices,
    ...store.authenticators,
    relyingParty,
    isWelcomeFromOutside: (org, person) => isWelcomeSomewhere(heads, person, org),
    readAccount: (org) => watchAccount(accounts, org),
    countLost: (lost) => countLost(reconcile, lost),
    withdrawLost: (lost) =>
      withdrawLost(reconcile, lost).then(
        () => true,
        (error: unknown) => {
          outcomes.onLossLeft(error, lost.org.id);
          return false;
        },
      ),
  };
  const seen = { ...store.inbox, ...github.people, ...github.approvals, checkToken, clock };
  const inbox: InboxDeps = {
    ...accounts,
    ...store.policies,
    ...seen,
    visible: createVisibleRepositories(seen),
    waitingLists: createWaitingLists(seen),
    teamsOf: createTeamAnswers(seen),
    readPools: createReadPools(seen),
    ...store.deployments,
    ...github.deployments,
    origins,
  };
  const approvals: ApprovalCallDeps = {
    ...authenticators,
    ...heads,
    recheckRun: createRecheckRun(reconcile),
    onUnfinished: unfinished.track,
  };
  const policies: PolicyDeps = {
    ...authenticators,
    ...heads,
    readWaiting: createReadWaiting(heads),
    judgeAgain: createJudgeAgain(reconcile, ({ orgId }) => lookAtWaiting(deploymentRounds, orgId)),
  };
  const receipts: ReceiptDeps = {
    ...accounts,
    ...store.approvals,
    ...store.receipts,
    ...github.approvals,
    ...store.audit,
    origins,
  };
  const organizations: OrganizationDeps = { ...accounts, mailer, origins };
  const protection: Omit<HealthDeps, 'checkRepositoriesSoon' | 'dailyBackup'> = {
    ...heads,
    ...organizations,
    deployments: store.deployments.deployments,
    lastWebhook: store.approvals.deliveries.lastReceivedAt,
    async silentSince(installation) {
      const silent = await silentInstallations(reconcile);
      return silent.find((one) => one.installation === installation)?.at ?? null;
    },
    async watchSeconds(installation) {
      const repositories = await store.approvals.openPulls.greenRepositories();
      return watchIntervalMs(installation, repositories, waits.watchEveryMs) / 1000;
    },
    countLeft: (orgId) => countLeft(reconcile, orgId),
    isProxyUnknown: isProxyUnknown(config),
  };
  const sender = createHttpsSender({ deadlineMs: waits.deliveryMs });
  const { takeOnce } = store.turns;
  const outgoingWebhooks = {
    ...accounts,
    ...outcomes,
    ...store.inbox,
    ...store.outgoingWebhooks,
    ...store.deployments,
    auditLog,
    sender,
    takeOnce,
    origins,
    random,
  };
  const failedSyncs: FailedSyncs = new Map();
  const headTurns = createQueues<string>(HEADS_AT_ONCE);
  const queuePullNotices = [createQueueAtOnce(inbox), createQueueDigests(inbox)];
  return {
    /** What the calls of each room take. */
    rooms: {
      people,
      organizations,
      protection,
      policies,
      authenticators,
      approvals,
      deployments: { ...approvals, ...deployments },
      receipts,
      inbox,
      outgoingWebhooks,
    },
    /** What lets a call in, whichever room answers it. */
    admission: { ...accounts, openPulls: store.approvals.openPulls, checkToken, headTurns },
    /** What webhooks take. */
    bot: {
      ...deployments,
      visible: inbox.visible,
      githubUrl: origins.githubUrl,
      githubApiUrl: config.github.apiUrl,
      failedSyncs,
      headTurns,
    },
    /** What periodic work takes. */
    rounds: {
      reconcile,
      deployments: deploymentRounds,
      accounts: { ...accounts, ...outcomes, backgroundBudget, takeOnce, watchAgainMs: waits.watchAgainMs },
      logChecks: store.audit.logChecks,
      notices: {
        ...outcomes,
        ...store.notices,
        contacts: store.people.users,
        mailer,
        unsubscribeUrl: unsubscribeLinks.url,
        clock,
      },
      weakenings: { ...accounts, auditLog, gatherMs: waits.gatherMs },
      deliveries: outgoingWebhooks,
      queuePullNotices: () => inTurn(queuePullNotices, (queue) => queue()),
      failedSyncs,
    },
    signIn: {
      ...github.people,
      ...store.people,
      membershipsAtSignIn: createMembershipsAtSignIn({ ...accounts, ...github.people }),
      refreshMemberships: createRefreshMemberships(accounts),
    },
    unsubscribeLinks,
    readPublishedList: createPublishedList({
      ...receipts,
      signingKeys,
      version: VERSION,
      appId: config.github.appId,
    }),
    /** What this process says about itself, and ends with. */
    process: { ...outcomes, ...store.turns, signingKeys, unfinished },
  };
}
