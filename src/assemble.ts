import type { Logger } from 'pino';
import { createSignEmail } from './accounts/email.ts';
import type { Requirements } from './accounts/organization-health.ts';
import { createTokenChecks } from './accounts/session.ts';
import { createRestore } from './approvals/compare-runs.ts';
import type { RunWaits } from './approvals/ensure-run.ts';
import type { Spot } from './approvals/ports.ts';
import type { TrackDeps } from './approvals/track.ts';
import { createSealer } from './authenticators/seal.ts';
import type { Owed } from './bot/ports.ts';
import { type Clock, systemRandom } from './clock.ts';
import type { Config, GitHubConfig } from './config.ts';
import type { GitHubApp } from './github/app.ts';
import { createBranches } from './github/branches.ts';
import { createCheckRuns } from './github/check-runs.ts';
import { createHookDeliveries } from './github/hook-deliveries.ts';
import { createInstallations } from './github/installations.ts';
import { createMembers } from './github/members.ts';
import { createPullRequests } from './github/pull-requests.ts';
import { createUserTokens } from './github/user-tokens.ts';
import type { WriteLimits } from './github/write-lanes.ts';
import { createSmtpMailer } from './mail/smtp.ts';
import { secretKeys } from './secret-key.ts';
import { createAlarms } from './store/alarms.ts';
import { createApprovals } from './store/approvals.ts';
import { createChallenges } from './store/challenges.ts';
import type { StoreClient } from './store/client.ts';
import { createCodeFailures } from './store/code-failures.ts';
import { createCredentials } from './store/credentials.ts';
import { createDeliveries } from './store/deliveries.ts';
import { createEmailCodes } from './store/email-codes.ts';
import { createMemberships } from './store/memberships.ts';
import { createMergeGroups } from './store/merge-groups.ts';
import { createNotices } from './store/notices.ts';
import { createOpenPulls } from './store/open-pulls.ts';
import { createOrganizations } from './store/organizations.ts';
import { createQuota } from './store/quota.ts';
import { createRuns } from './store/runs.ts';
import { createSessions } from './store/sessions.ts';
import { createSweeps } from './store/sweeps.ts';
import { createTotpApps } from './store/totp-apps.ts';
import { createUsers } from './store/users.ts';

/**
 * How long the product waits for others. Each has its default where it is used; a test in which a process dies or
 * GitHub hangs passes shorter ones.
 */
export type Waits = Partial<
  RunWaits & {
    /** For one answer of GitHub. */
    answerMs: number;
    /** Between two rounds over the approvals that GitHub has not heard of. */
    reportEveryMs: number;
    /** Between two rounds over the messages that are due. */
    sendEveryMs: number;
    /** For one message to the mail server. */
    mailMs: number;
    writes: Partial<WriteLimits>;
  }
>;

/** Everything that the domain asks for, over one GitHub App and one record store. */
export type Assembly = ReturnType<typeof assemble>;

export function assemble(
  config: Config & { github: GitHubConfig },
  {
    app,
    client,
    log,
    clock,
    waits = {},
  }: { app: GitHubApp; client: StoreClient; log: Logger; clock: Clock; waits?: Waits },
) {
  const { github, publicUrl } = config;
  const keys = secretKeys(config);
  const tokens = createUserTokens(app, github.serverUrl);
  const members = createMembers(app);
  const tracking = {
    ...waits,
    installations: createInstallations(app, github.serverUrl),
    organizations: createOrganizations(client),
    pulls: createPullRequests(app),
    checkRuns: createCheckRuns(app, github.appId, waits.writes),
    approvals: createApprovals(client),
    openPulls: createOpenPulls(client),
    runs: createRuns(client, clock),
    alarms: createAlarms(client),
    places: { publicUrl, githubUrl: github.serverUrl },
    clock,
    onFault: (error: unknown, at: Spot) => log.warn({ ...at, err: error }, 'not covered yet'),
    onRepair: (at: Spot) => log.info(at, 'gave a head its run'),
  } satisfies TrackDeps;
  const owed: Owed = new Map();
  const deliveries = createDeliveries(client);
  const requirements: Requirements = new Map();
  return {
    ...tracking,
    restore: createRestore(tracking),
    mergeGroups: createMergeGroups(client),
    deliveries,
    lastWebhook: deliveries.last,
    requirements,
    branches: createBranches(app, github.appId),
    hookDeliveries: createHookDeliveries(app),
    sweeps: createSweeps(client),
    owed,
    tokens,
    members,
    access: members,
    memberships: createMemberships(client),
    users: createUsers(client),
    notices: createNotices(client),
    mailer:
      config.mail && createSmtpMailer({ ...config.mail, origin: publicUrl, log, deadlineMs: waits.mailMs }),
    emailCodes: createEmailCodes(client),
    quota: createQuota(client),
    signEmail: createSignEmail(keys[0]),
    challenges: createChallenges(client),
    credentials: createCredentials(client),
    totpApps: createTotpApps(client, createSealer(keys)),
    codeFailures: createCodeFailures(client),
    sessions: createSessions(client),
    checkToken: createTokenChecks(tokens, clock),
    relyingParty: { id: new URL(publicUrl).hostname, name: 'OTP Guard' as const, origin: publicUrl },
    githubUrl: github.serverUrl,
    random: systemRandom,
    onDelay: (error: unknown) => log.warn({ err: error }, 'approval stored; GitHub hears of it later'),
    onUnsent: (error: unknown, { kind, tries }: { kind: string; tries: number }) =>
      log.warn({ err: error, kind, tries }, 'a message was not sent'),
  };
}
