import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Installation } from '../accounts/ports.ts';
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
};

export type PullRequests = {
  /** Null where the installation cannot see such a pull request. */
  get(repo: RepositoryRef, number: number): Promise<PullRequest | null>;
  /** Every open pull request of the repository; null where the installation cannot see it. */
  listOpen(repo: RepositoryRef): Promise<PullRequest[] | null>;
};

export type Installations = {
  /** Null where there is no such installation of this App. */
  get(id: number): Promise<Installation | null>;
  list(): Promise<Installation[]>;
  /** The repositories that the installation was given, without archived ones. */
  repositories(id: number): Promise<{ id: number; owner: string; name: string }[]>;
};

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
  conclusion?: 'success';
  /** Where *Details* leads. */
  detailsUrl: string;
  title: string;
  /** Markdown. */
  summary: string;
};

export type CheckRuns = {
  /** Makes a run on the head; answers its id. */
  create(repo: RepositoryRef, head: string, content: CheckRunContent): Promise<number>;
  /** False where there is no such run (any more), or GitHub did not take the status. */
  update(repo: RepositoryRef, id: number, content: CheckRunContent): Promise<boolean>;
  /** The newest run that this App made on the head; null where there is none. */
  find(repo: RepositoryRef, head: string): Promise<{ id: number; isCompleted: boolean } | null>;
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

/** An open pull request, for those who want to see what waits. Nothing is decided by it. */
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
  /** Forgets those of the repository that are not open any more. */
  keepOnly(repoId: number, numbers: number[]): Promise<void>;
  /** Forgets those of the organization's repositories that cannot be seen any more. */
  keepRepositories(orgId: number, repoIds: number[]): Promise<void>;
  /** Those without an approval, the longest waiting first. */
  waiting(
    orgRecordId: string,
    most: number,
  ): Promise<{ total: number; pulls: (OpenPull & { since: Date })[] }>;
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
