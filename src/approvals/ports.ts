import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Installation } from '../accounts/ports.ts';
import type { CheckRequirement } from '../contract/organization.ts';
import type { Statement } from '../contract/statement.ts';

/** How a repository is reached: names change, so an id goes beside them wherever something is decided. */
export type RepositoryRef = { installation: number; owner: string; name: string };

/** A pull request as GitHub shows it at this moment. */
export type PullRequest = {
  number: number;
  title: string;
  author: { login: string; avatarUrl: string } | null;
  open: boolean;
  /** Head commit, full length. */
  head: string;
  /** Base branch. */
  base: string;
  repo: { id: number; owner: string; name: string; ownerId: number };
  merged: boolean;
  /** Who merged it, where GitHub says so: its lists do not. */
  mergedBy: { id: number; login: string } | null;
};

export type PullRequests = {
  /** Null where the installation cannot see such a pull request. */
  get(repo: RepositoryRef, number: number): Promise<PullRequest | null>;
  /** Every open pull request of the repository, the newest first; null where the installation cannot see it. */
  listOpen(repo: RepositoryRef): Promise<PullRequest[] | null>;
};

export type Installations = {
  /** Null where there is no such installation of this App. */
  get(id: number): Promise<Installation | null>;
  list(): Promise<Installation[]>;
  /** The repositories that the installation was given, without archived ones. */
  repositories(id: number): Promise<GitHubRepository[]>;
  /** What the App asks for, of every account: `checks` → `write`. */
  requested(): Promise<Record<string, string>>;
};

export type GitHubRepository = { id: number; owner: string; name: string; defaultBranch: string };

export type AccessLevel = 'none' | 'read' | 'write';

export type RepositoryAccess = {
  /**
   * What the person may do in the repository, asked of GitHub now. Unknown is
   * `none`. Everybody may read a public repository, so `read` makes nobody a member.
   */
  level(repo: RepositoryRef, person: { githubId: number; login: string }): Promise<AccessLevel>;
};

/** What a check run says. */
export type CheckRunContent = {
  status: 'in_progress' | 'completed';
  conclusion?: 'success' | 'failure' | 'cancelled';
  /** Where *Details* leads. */
  detailsUrl: string;
  title: string;
  /** Markdown. */
  summary: string;
};

export type Branches = {
  /** Whether the branch asks for our check. */
  requirement(repo: RepositoryRef, branch: string): Promise<CheckRequirement>;
  /** The commit at the branch's tip, where GitHub tells us without the permission to read code; else null. */
  tip(repo: RepositoryRef, branch: string): Promise<string | null>;
};

/** A run as GitHub has it at this moment; `conclusion` is null while it waits. */
export type GitHubRun = { id: number; status: string; conclusion: string | null };

export type CheckRuns = {
  /** Makes a run on the head; answers its id. An urgent one goes before others that wait to be sent. */
  create(repo: RepositoryRef, head: string, content: CheckRunContent, isUrgent?: boolean): Promise<number>;
  /** False where there is no such run (any more), or GitHub did not take the status. */
  update(repo: RepositoryRef, id: number, content: CheckRunContent): Promise<boolean>;
  /** The newest run that this App made on the head; null where there is none. */
  find(repo: RepositoryRef, head: string): Promise<GitHubRun | null>;
};

/** One person's approval of one head of one pull request into one base branch. */
export type Approval = {
  /** Record id. */
  id: string;
  /** Whose repository it was. */
  orgId: number;
  repoId: number;
  pr: number;
  base: string;
  head: string;
  login: string;
  method: ApprovalMethod;
  userVerified: boolean;
  at: Date;
  /** Whether GitHub has heard of it. */
  reported: boolean;
};

export type ApprovalMethod = 'passkey' | 'security-key' | 'totp';

export type NewApproval = {
  repo: RepositoryRef & { id: number };
  pr: number;
  base: string;
  head: string;
  org: { id: number; recordId: string; login: string };
  user: { id: number; recordId: string; login: string };
  method: ApprovalMethod;
  /** The authenticator's label, for the activity log. */
  label: string;
  userVerified: boolean;
  statement: Statement;
  /** With the statement the proof that anyone can verify without us; a one-time code leaves none. */
  proof: { assertion: AuthenticationResponseJSON; publicKey: string } | null;
};

export type UnreportedHead = { repo: RepositoryRef; repoId: number; head: string };

export type Approvals = {
  /**
   * Stores an approval, its duty to be reported, its activity entry and the
   * commit's history in one step: all of it or nothing. An approval that is
   * there already stays as it is.
   */
  add(approval: NewApproval): Promise<void>;
  ofHead(repoId: number, head: string): Promise<Approval[]>;
  /** The newest head of the pull request that was approved, other than `head`. */
  previousHead(repoId: number, pr: number, head: string): Promise<string | null>;
  /** Heads with an approval that GitHub has not heard of. */
  unreported(): Promise<UnreportedHead[]>;
  reported(approvals: Approval[]): Promise<void>;
};

/** An open pull request as it was seen last: for those who want to see what waits, and for whom to ask GitHub about. */
export type OpenPull = {
  repoId: number;
  /** Without its owner. */
  repoName: string;
  pr: number;
  title: string;
  author: string;
  head: string;
  approved: boolean;
};

export type OpenPulls = {
  /** Writes these down as they are now; a new head begins to wait at `now`. */
  note(orgId: number, pulls: OpenPull[], now: Date): Promise<void>;
  /** The numbers of those of the repository that we take for open and that are none of these. */
  notAmong(repoId: number, open: number[]): Promise<number[]>;
  /** The numbers of those of the repository that had this head when they were looked at last. */
  withHead(repoId: number, head: string): Promise<number[]>;
  forget(repoId: number, number: number): Promise<void>;
  forgetRepository(repoId: number): Promise<void>;
  /** Forgets those of the organization's repositories that cannot be seen any more. */
  keepRepositories(orgId: number, repoIds: number[]): Promise<void>;
  /** Those without an approval, the longest waiting first. */
  waiting(
    orgRecordId: string,
    most: number,
  ): Promise<{ total: number; pulls: (OpenPull & { since: Date })[] }>;
  /** Those whose run was compared with GitHub's longest ago; they count as compared from now on. */
  toCompare(most: number, now: Date): Promise<UnreportedHead[]>;
};

/** A merge queue's group, by the commit that is tested for it. */
export type MergeGroup = { repoId: number; head: string; baseSha: string; base: string; pr: number };

/** What came of it, and the head that its pull request had then; empty where it had none. */
export type JudgedGroup = MergeGroup & { passed: boolean; pullHead: string };

export type MergeGroups = {
  /** Writes down what came of the group. */
  save(group: JudgedGroup): Promise<void>;
  find(repoId: number, head: string): Promise<JudgedGroup | null>;
};

/** A pull request that was merged although nobody had approved its head. */
export type UnapprovedMerge = {
  orgId: number;
  repoId: number;
  repoName: string;
  pr: number;
  head: string;
  by: { id: number; login: string } | null;
};

export type Alarms = {
  /** Logs it and tells the owners, once, in one step. */
  raise(merge: UnapprovedMerge): Promise<void>;
};

/** The run that stands for a head, as we know it. `checkRunId` is 0 while it is being made. */
export type RunRecord = { id: string; attempt: number; checkRunId: number; state: string; since: Date };

export type Runs = {
  latest(repoId: number, head: string): Promise<RunRecord | null>;
  /** Takes the right to make the head's run; null where another has taken it. */
  claim(repoId: number, head: string, attempt: number): Promise<RunRecord | null>;
  /** Notes what GitHub has: the run's id and the state that it was given. */
  save(record: RunRecord, checkRunId: number, state: string): Promise<void>;
};

/** Where something was done or could not be. */
export type Spot = { repository: string; head?: string };

/** One attempt of GitHub's to deliver a webhook; attempts of one event share their `guid`. */
export type HookDelivery = {
  id: number;
  guid: string;
  at: Date;
  event: string;
  action: string | null;
  installation: number | null;
};

export type HookDeliveries = {
  /** The attempts since then that we did not take, the newest first. */
  failed(from: Date): Promise<HookDelivery[]>;
  /** Asks GitHub to deliver once more. */
  redeliver(id: number): Promise<void>;
};

/** Which webhooks were worked through, by whichever attempt. */
export type DeliveryBook = { isDone(guid: string): Promise<boolean> };

/** What one round of the sweeper did. */
export type SweepReport = {
  /** Heads whose run was missing or wrong, and is right now. */
  repaired: Spot[];
  /** What could not be seen to; it is tried again. */
  faults: Spot[];
  /** Webhooks that we did not take, and that GitHub was asked to deliver again. */
  redelivered: number;
  /** What we did not take though GitHub was asked to deliver it again, by installation. */
  missed: Record<string, number>;
  /** Since when deliveries are still to be looked at (RFC 3339). */
  deliveriesFrom: string;
  /** Milliseconds. */
  took: number;
};

export type Sweeps = {
  /** The newest report and when it was written; null where there is none. */
  latest(): Promise<{ at: Date; report: SweepReport } | null>;
  save(report: SweepReport): Promise<void>;
};
