import type { GitHubApp } from '../adapters/github/app.ts';
import type { WriteLimits } from '../adapters/github/octokit.ts';
import { createHttpsSender } from '../adapters/https/https-sender.ts';
import { createSmtpMailer } from '../adapters/mail/smtp.ts';
import type { StoreClient } from '../adapters/pocketbase/client.ts';
import { isWelcomeSomewhere } from '../approvals/approve/outside-collaborators.ts';
import type { RunTimes } from '../approvals/deps.ts';
import { createReadWaiting } from '../approvals/policy/match-patterns.ts';
import { createJudgeAgain } from '../approvals/reconcile/compare-heads.ts';
import type { ReconcileDeps } from '../approvals/reconcile/deps.ts';
import { createRecheckRun } from '../approvals/reconcile/repair-drift.ts';
import { silentInstallations, watchIntervalMs } from '../approvals/reconcile/watch-green-heads.ts';
import { countLeft, countLost, withdrawLost } from '../approvals/withdraw/withdraw-lost.ts';
import type { LostAuthenticator } from '../authenticators/ports.ts';
import { isHandled, isIrreplaceable } from '../bot/handlers.ts';
import type { FailedSyncs } from '../bot/ports.ts';
import { createQueueAtOnce, createQueueDigests } from '../inbox/queue-notices.ts';
import { createReadPools, createTeamAnswers, createWaitingLists } from '../inbox/read-where.ts';
import { createVisibleRepositories } from '../inbox/visible-repositories.ts';
import type { Organization } from '../organizations/ports.ts';
import { createMembershipsAtSignIn } from '../organizations/refresh-memberships.ts';
import { createSignEmailCode, type SignEmailCode } from '../people/email-code.ts';
import type { Session } from '../people/ports.ts';
import { createTokenChecks } from '../people/session.ts';
import { watchAccount } from '../protection/watch.ts';
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

/** The dependencies of every use case: the domain's ports, implemented over one GitHub App and one record store. */
export type Assembly = ReturnType<typeof assemble>;

export function assemble(config: RegisteredConfig, world: World) {
  const { publicUrl } = config;
  const { log, clock, waits = {} } = world;
  const outcomes = createOutcomeLog(log, world.metrics);
  const keys = createSecretKeys(config);
  const github = connectGitHub(world.app, config.github, clock);
  const store = connectStore(keys, { ...world, outcomes, leaseMs: waits.leaseMs }, publicUrl);
  const relyingParty = {
    id: new URL(publicUrl).hostname,
    name: 'OTP Guard' as const,
    origin: publicUrl,
    hasAttestationRoots: config.attestationRoots.length > 0,
  };
  const syncDeps = {
    ...waits,
    ...outcomes,
    ...github,
    ...store,
    relyingParty,
    origins: { publicUrl, githubUrl: config.github.serverUrl },
    isHandled,
    isIrreplaceable,
    clock,
  } satisfies ReconcileDeps;
  const checkToken = createTokenChecks(github.tokens, clock);
  const waiting = {
    visible: createVisibleRepositories({ ...github, checkToken, clock }),
    waitingLists: createWaitingLists(syncDeps),
    teamsOf: createTeamAnswers(syncDeps),
    readPools: createReadPools(syncDeps),
  };
  const queueAtOnce = createQueueAtOnce({ ...syncDeps, ...waiting });
  const queueDigests = createQueueDigests({ ...syncDeps, ...waiting });
  const failedSyncs: FailedSyncs = new Map();
  const unfinished = createUnfinishedWork();
  return {
    ...syncDeps,
    readWaiting: createReadWaiting(syncDeps),
    readPublishedList: createPublishedList({ ...syncDeps, version: VERSION, appId: config.github.appId }),
    recheckRun: createRecheckRun(syncDeps),
    judgeAgain: createJudgeAgain(syncDeps),
    readAccount: (org: Organization) => watchAccount(syncDeps, org),
    failedSyncs,
    headTurns: createQueues<string>(HEADS_AT_ONCE),
    lastWebhook: store.deliveries.lastReceivedAt,
    async silentSince(installation: number) {
      const silent = await silentInstallations(syncDeps);
      return silent.find((one) => one.installation === installation)?.at ?? null;
    },
    async watchSeconds(installation: number) {
      const repositories = await store.openPulls.greenRepositories();
      return watchIntervalMs(installation, repositories, waits.watchEveryMs) / 1000;
    },
    isWelcomeFromOutside: (org: Organization, person: Session) => isWelcomeSomewhere(syncDeps, person, org),
    membershipsAtSignIn: createMembershipsAtSignIn({ ...github, ...store }),
    signEmail: (parts: Parameters<SignEmailCode>[0]) => createSignEmailCode(keys()[0])(parts),
    checkToken,
    ...waiting,
    async queuePullNotices() {
      await inTurn([queueAtOnce, queueDigests], (queue) => queue());
    },
    mailer:
      config.mail && createSmtpMailer({ ...config.mail, origin: publicUrl, log, deadlineMs: waits.mailMs }),
    sender: createHttpsSender({ deadlineMs: waits.deliveryMs }),
    githubUrl: config.github.serverUrl,
    isProxyUnknown: isProxyUnknown(config),
    random: systemRandom,
    unfinished,
    onUnfinished: unfinished.track,
    countLost: (lost: LostAuthenticator) => countLost(syncDeps, lost),
    countLeft: (orgId: number) => countLeft(syncDeps, orgId),
    withdrawLost: (lost: LostAuthenticator) =>
      withdrawLost(syncDeps, lost).then(
        () => true,
        (error: unknown) => {
          outcomes.onLossLeft(error, lost.org.id);
          return false;
        },
      ),
  };
}
