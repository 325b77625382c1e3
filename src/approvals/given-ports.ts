import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Checkpoint, Effects } from '../audit/ports.ts';
import type { AnyStatement, BatchStatement } from '../contract/statement.ts';
import type { RepositoryRef } from '../organizations/ports.ts';
import type { Approver } from '../policies/counts.ts';
import type { Verified } from '../shared/checked.ts';

// Approvals, denials and decisions about deployments, and where they are stored.

/** What one person gave for one head of one pull request into one base branch. */
type Given = Approver & {
  /** Record id. */
  id: string;
  /** The account that owned the repository. */
  orgId: number;
  repoId: number;
  pr: number;
  base: string;
  head: string;
  /** The person's login at that time. */
  login: string;
  at: Date;
  /** True if GitHub shows it. */
  reported: boolean;
};

/**
 * A denial has a reason and a decision a run, so that neither can stand where an approval counts, nor an approval where a
 * decision does.
 */
export type Approval = Given & { reason?: never; run?: never };

/**
 * A denial holds for its head in the whole repository, for every base branch of its pull requests: nothing passes with it.
 * `reason` is empty if the stored text isn't the signed one.
 */
export type Denial = Given & { reason: string; run?: never };

/**
 * The attempt of a workflow run, in one environment: all its jobs there, whenever they wait.
 */
export type DeploymentKey = { repoId: number; run: number; attempt: number; environment: string };

/**
 * A person's decision about a deployment: it counts for no pull request, so `pr` is 0, and `base` is the ref. The reason of
 * an approval is empty, and so is one that isn't the signed one.
 */
export type Decision = Given & DeploymentKey & { decision: 'approve' | 'reject'; reason: string };

/**
 * An approval or a denial that its person took back, whose authenticator was lost, or that ended in another way. The row
 * stays for auditors, and counts for nothing.
 */
export type WithdrawnApproval = {
  id: string;
  pr: number;
  githubId: number;
  /** True if GitHub no longer shows a check that it decided. */
  reported: boolean;
};

/** A denial, and how to address its repository on GitHub. */
export type LocatedDenial = Denial & { repo: RepositoryRef };

/** What can be taken back of a head, and how to address its repository on GitHub. */
export type Withdrawable = (Approval & { repo: RepositoryRef }) | LocatedDenial;

/** What a person gave, also a decision about a deployment, and how to address its repository on GitHub. */
export type LocatedGiven = Withdrawable | (Decision & { repo: RepositoryRef });

/** Taking approvals and denials back. */
export type Withdrawals = {
  /** The person's valid approvals and denials of a head, in every repository of the account. */
  ofPerson(wanted: { orgId: number; githubId: number; head: string }): Promise<Withdrawable[]>;
  /** The valid approvals, denials and decisions made with a lost authenticator since it was lost, newest first. */
  madeWith(lost: {
    id: string;
    holder: { githubId: number };
    org: { id: number };
    since: Date;
  }): Promise<LocatedGiven[]>;
  /**
   * The people with a denial in force in the account that they gave as its members, by their ids, with their logins at
   * that time.
   */
  deniers(orgId: number): Promise<{ githubId: number; login: string }[]>;
  /** The person's denials in force in the account, of any head. */
  denialsOf(wanted: { orgId: number; githubId: number }): Promise<LocatedDenial[]>;
  /** Null if the account has no such denial in force. */
  findDenial(orgId: number, id: string): Promise<LocatedDenial | null>;
  /**
   * Withdraws an approval or a decision or ends a denial, and stores the effects, the commit's history and the
   * duty to update GitHub in one step. GitHub takes no decision back. False if it was already withdrawn.
   */
  withdraw(approval: LocatedGiven, effects: Effects): Promise<boolean>;
};

/** The statement that a person's key signed, or the batch that has its hash. */
export type KeyProof = {
  assertion: AuthenticationResponseJSON;
  /** COSE, base64url. */
  publicKey: string;
  batch?: BatchStatement | undefined;
};

type Proved = { statement: unknown; proof: NewGiven['proof'] };
/** An approval with what proves it. */
export type StoredApproval = Approval & Proved;
/** A denial with what proves it. */
export type StoredDenial = Denial & Proved;
/** A decision with what proves it. */
export type StoredDecision = Decision & Proved;
export type StoredGiven = StoredApproval | StoredDenial | StoredDecision;

/** What a person gave, by the statement of it. */
export type NewGiven = Omit<Approver, 'githubId' | 'deviceBound'> & {
  repo: RepositoryRef & { id: number };
  org: { id: number; recordId: string; login: string };
  user: { id: number; recordId: string; login: string };
  /** The authenticator's record id. */
  authenticator: string;
  statement: AnyStatement;
  /** The reason of a denial or a rejection, which the statement has the hash of. */
  reason?: string | undefined;
  /** The time at which the pull request was opened; undefined for a deployment. */
  opened?: Date;
  /** Together with the statement, the proof that anyone can verify without us. Null for a one-time code. */
  proof: KeyProof | null;
};

/** A head, and how to address its repository on GitHub. */
export type HeadRef = { repo: RepositoryRef; repoId: number; head: string };

/**
 * The approvals and denials of a head that OTP Guard wrote, as of one moment: the approvals that a verdict may count, the
 * denials in force, and those of both that were taken back.
 */
export type HeadApprovals<Found = Approval, Denied = Denial> = {
  valid: Found[];
  denials: Denied[];
  withdrawn: WithdrawnApproval[];
};

/** `withdrawn` is the time at which it was taken back; null while it's valid. */
export type OfPull<Found> = Found & { withdrawn: Date | null };

/** A pull request's approvals and denials, withdrawn ones too, oldest first. */
export type PullApprovals<Found = Approval, Denied = Denial> = {
  approvals: OfPull<Found>[];
  denials: OfPull<Denied>[];
};

/** Where approvals, denials and decisions are, each as a `Found`, a `Denied` or a `Decided`. */
type ApprovalsAs<Found, Denied, Decided> = Withdrawals & {
  /**
   * Stores what a person gave and GitHub doesn't show yet, its effects, and the commit's history or that its deployment is
   * due in one step. One by the same person with the same authenticator, equally verified, stays as it is.
   *
   * @returns The record id, and the log's checkpoint with its entry; null if nothing was stored that counts.
   * @throws AppError `authenticatorNotFound` if its authenticator was removed in the meantime.
   */
  add(given: NewGiven, effects: Effects): Promise<{ id: string; checkpoint: Checkpoint } | null>;
  ofHead(repoId: number, head: string): Promise<HeadApprovals<Found, Denied>>;
  /** The approvals and denials of each of these heads, in a few requests. */
  ofHeads(repoId: number, heads: string[]): Promise<Map<string, HeadApprovals<Found, Denied>>>;
  /** The newest approvals and denials of a pull request's heads: at most 50 together. */
  ofPull(repoId: number, pr: number): Promise<PullApprovals<Found, Denied>>;
  /** The decisions about a deployment that weren't taken back, oldest first. */
  ofDeployment(deployment: DeploymentKey): Promise<Decided[]>;
  /**
   * Heads with an approval, a denial, or a withdrawal of one, that GitHub doesn't show yet, and the account that owned
   * their repository then. Those with a withdrawal or a denial come first, because GitHub may show a success on them; then
   * the oldest.
   */
  unreportedHeads(): Promise<(HeadRef & { orgId: number })[]>;
  /** GitHub shows the verdict that follows from these. */
  markReported(approvals: HeadApprovals): Promise<void>;
};

export type Approvals = Verified<ApprovalsAs<Approval, Denial, Decision>>;
/** All of them as the record store has them, before their assertions are verified. */
export type StoredApprovals = ApprovalsAs<StoredApproval, StoredDenial, StoredDecision>;
