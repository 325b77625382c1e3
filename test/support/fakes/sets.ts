import type { SyncTarget } from '../../../src/approvals/sync-target.ts';
import { isHandled, isIrreplaceable } from '../../../src/bot/handlers.ts';
import { createSignEmailCode } from '../../../src/people/email-code.ts';
import { createQueues } from '../../../src/shared/queues.ts';
import {
  FakeApprovals,
  FakeAuditLog,
  FakeCheckRunRecords,
  FakeCheckRuns,
  FakeInstallations,
  FakeOpenHeads,
  FakeOpenPulls,
  FakePullRequests,
} from './approvals.ts';
import {
  FakeChallenges,
  FakeCodeFailures,
  FakeCredentials,
  FakeLostAuthenticators,
  FakeTotpApps,
} from './authenticators.ts';
import { FakeCommitPulls, FakeDeployments, FakeWorkflowRuns } from './deployments.ts';
import { FakeDeviceLinks, FakeEnrolmentAddresses, FakeVouches } from './enrolment.ts';
import { RELYING_PARTY } from './examples.ts';
import { FakeEmailCodes, FakeNotices, FakeQuota } from './messages.ts';
import {
  FakeMembers,
  FakeMemberships,
  FakeOrganizations,
  FakeRepositoryChecks,
  FakeUsers,
  FakeUserTokens,
} from './organizations.ts';
import { FakePolicies, FakePullChanges, FakeTeams } from './policies.ts';
import { FakeKnownAccounts, FakeProtections, FakeWeakenings } from './protection.ts';
import {
  FakeBranches,
  FakeFindings,
  FakeInitiators,
  FakeMergeGroups,
  FakePushers,
  FakeReconcileReports,
  FakeRuleSuites,
  FakeSentWebhooks,
  FakeUnheardChanges,
  FakeWebhookDeliveries,
} from './reconcile.ts';
import { takeName } from './rows.ts';
import { FakeClock, Stage } from './stage.ts';

/** Made once, because deriving its key takes long, and some tests make thousands of worlds. */
const signEmail = createSignEmailCode('a-key-of-the-tests-of-more-than-32-characters');

/** All stores, over one stage and one clock. */
export function fakeStores(stage = new Stage(), clock = new FakeClock()) {
  const organizations = new FakeOrganizations(stage);
  const deliveries = new FakeWebhookDeliveries(stage, clock);
  const taken = new Set<string>();
  const unread: unknown[] = [];
  const credentials = new FakeCredentials(stage);
  const users = new FakeUsers(stage);
  const checkRunRecords = new FakeCheckRunRecords(stage, clock);
  const auditLog = new FakeAuditLog(stage);
  const approvals = new FakeApprovals(stage, clock);
  return {
    stage,
    clock,
    checkRunRecords,
    auditLog,
    onNoCheckpoint: (error: unknown) => void unread.push(error),
    /** Why checkpoints could not be read. */
    unread,
    approvals,
    decisions: approvals.decisions,
    deployments: new FakeDeployments(stage, clock),
    openPulls: new FakeOpenPulls(stage, organizations),
    organizations,
    policies: new FakePolicies(stage),
    memberships: new FakeMemberships(stage, organizations),
    repositoryChecks: new FakeRepositoryChecks(stage, clock),
    weakenings: new FakeWeakenings(stage),
    knownAccounts: new FakeKnownAccounts(stage),
    users,
    notices: new FakeNotices(stage),
    quota: new FakeQuota(stage),
    emailCodes: new FakeEmailCodes(stage),
    signEmail,
    challenges: new FakeChallenges(stage),
    credentials,
    vouches: new FakeVouches(stage, credentials, users),
    deviceLinks: new FakeDeviceLinks(stage),
    enrolmentAddresses: new FakeEnrolmentAddresses(stage),
    totpApps: new FakeTotpApps(stage),
    lostAuthenticators: new FakeLostAuthenticators(stage),
    codeFailures: new FakeCodeFailures(stage),
    codeAttempts: createQueues<string>(1),
    deliveries,
    isHandled,
    isIrreplaceable,
    /** A name is used up by its first caller. */
    takeOnce: (name: string) => stage.play('takeOnce', () => takeName(taken, name)),
    mergeGroups: new FakeMergeGroups(stage, clock),
    findings: new FakeFindings(stage),
    pushers: new FakePushers(stage),
    initiators: new FakeInitiators(stage),
    unheardChanges: new FakeUnheardChanges(stage, deliveries),
    reconcileReports: new FakeReconcileReports(stage, clock),
    sweepTurns: { during: <T>(work: () => Promise<T>) => work() },
    origins: { publicUrl: 'https://guard.example.org', githubUrl: 'https://github.com' },
    onSyncFailed: (_error: unknown, _target: SyncTarget): void => undefined,
    onRepaired: (_target: SyncTarget): void => undefined,
  };
}

/** Where facts are read from: what a verdict needs in addition to the stores. */
export function fakeFacts(stage: Stage) {
  const members = new FakeMembers(stage);
  return {
    members,
    access: members,
    pullChanges: new FakePullChanges(stage),
    teams: new FakeTeams(stage),
    ruleSuites: new FakeRuleSuites(stage),
    relyingParty: { ...RELYING_PARTY },
  };
}

/** A GitHub in memory, over the same stage. */
export function fakeGitHub(stage: Stage, clock = new FakeClock()) {
  const checkRuns = new FakeCheckRuns(stage);
  const pulls = new FakePullRequests(stage);
  const branches = new FakeBranches(stage);
  return {
    ...fakeFacts(stage),
    checkRuns,
    pulls,
    workflowRuns: new FakeWorkflowRuns(stage),
    commitPulls: new FakeCommitPulls(stage),
    openHeads: new FakeOpenHeads(stage, pulls, checkRuns),
    installations: new FakeInstallations(stage),
    branches,
    protections: new FakeProtections(stage),
    backgroundBudget: {
      lowUntil: (_installation: number): Date | null => null,
      spare: (_installation: number): { requests: number; until: Date } | null => null,
    },
    sentWebhooks: new FakeSentWebhooks(stage, clock),
    tokens: new FakeUserTokens(stage),
  };
}
