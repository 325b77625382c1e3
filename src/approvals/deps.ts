import type { Findings, LogReader } from '../audit/ports.ts';
import type { Installations, Members, Memberships, Organizations } from '../organizations/ports.ts';
import type { Users } from '../people/ports.ts';
import type { Policies } from '../policies/ports.ts';
import type { Clock, Sleep } from '../shared/clock.ts';
import type { Quota } from '../shared/limits.ts';
import type { Origins } from '../shared/links.ts';
import type {
  Approvals,
  Branches,
  CheckRunRecords,
  CheckRuns,
  Initiators,
  MergeGroups,
  OpenPulls,
  PullChanges,
  PullRequests,
  Pushers,
  RepositoryAccess,
  RuleSuites,
  Teams,
} from './ports.ts';
import type { SyncTarget } from './sync-target.ts';

export type RunTimes = {
  /** How long an attempt belongs to the process that claimed it. */
  claimMs: number;
  /** How long a caller waits for that process. */
  lookForMs: number;
  /** How long after the reading began a verdict may make a run succeed. */
  verdictMs: number;
};

/** Everything that it takes to read, judge and show the heads of pull requests and the groups of merge queues. */
export type HeadDeps = Partial<RunTimes> & {
  pulls: PullRequests;
  pullChanges: PullChanges;
  branches: Branches;
  access: RepositoryAccess;
  teams: Teams;
  checkRuns: CheckRuns;
  checkRunRecords: CheckRunRecords;
  approvals: Approvals;
  openPulls: OpenPulls;
  pushers: Pick<Pushers, 'of'>;
  initiators: Initiators;
  mergeGroups: MergeGroups;
  findings: Findings;
  ruleSuites: RuleSuites;
  auditLog: Pick<LogReader, 'newestOf'>;
  policies: Pick<Policies, 'inForce'>;
  organizations: Organizations;
  installations: Installations;
  members: Members;
  memberships: Pick<Memberships, 'ownersToNotify' | 'find'>;
  users: Pick<Users, 'userIdOf' | 'avatars'>;
  quota: Quota;
  relyingParty: { hasAttestationRoots: boolean };
  origins: Origins;
  clock: Clock;
  sleep?: Sleep;
  /** The log's end can't be read, or isn't what OTP Guard signed. The run goes out without a checkpoint. */
  onNoCheckpoint(error: unknown, target: SyncTarget): void;
  /** Called for each repository or head that failed; the others continue. */
  onSyncFailed(error: unknown, target: SyncTarget): void;
  /** Called for each head whose run was missing or wrong and is right now. */
  onRepaired(target: SyncTarget): void;
  /** True if the process is about to stop: nothing new is started then. */
  isStopping?(): boolean;
};
