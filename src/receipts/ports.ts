import type { StoredApproval, StoredDecision, StoredDenial } from '../approvals/ports.ts';
import type { StoredEntry } from '../audit/ports.ts';
import type { Enrolled } from '../contract/enrolment.ts';
import type { VouchStatement } from '../contract/statement.ts';
import type { Verified } from '../shared/checked.ts';

/** An approval, a denial or a decision about a deployment with what proves it, valid or withdrawn. */
export type ProvedApproval = (StoredApproval | StoredDenial | StoredDecision) & {
  /** The record id of the authenticator. */
  authenticator: string;
  /** The time at which it was stored, by the record store. */
  stored: Date;
  withdrawn: Date | null;
};

/** The last approval of a page. */
export type ListPosition = { stored: Date; id: string };

type ApprovalPeriod = {
  orgId: number;
  /** Limits the list to one repository. */
  repoId?: number | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  after?: ListPosition | undefined;
  most: number;
};

/**
 * An approval, a denial or a decision whose person was erased: only its entry in the log is left. `pr` is 0 for a decision
 * about a deployment.
 */
export type ErasedApproval = { id: string; denies: boolean; repoId: number; repo: string; pr: number };

/** Every approval, denial and decision about a deployment that OTP Guard wrote, also withdrawn ones. */
export type StoredProofs = {
  /**
   * The approvals, denials and decisions of a head in any repository of the account: the valid ones first, of these the
   * approvals, then the denials, then the decisions, each newest first.
   */
  ofHead(orgId: number, head: string): Promise<ProvedApproval[]>;
  /** The entries about a head that no longer say whose they were. Some of these may still be there. */
  erasedOf(orgRecordId: string, head: string): Promise<ErasedApproval[]>;
  /** The approvals, denials and decisions that were stored in a period, oldest first. `next` begins the next page; null after the last. */
  inPeriod(period: ApprovalPeriod): Promise<{ approvals: ProvedApproval[]; next: ListPosition | null }>;
  /** The id of the repository that this name meant in the account's newest approval there. @param name `owner/repository`. */
  repositoryNamed(orgId: number, name: string): Promise<number | null>;
};

/** The approvals, denials and decisions whose assertion verifies. */
export type ProvedApprovals = Verified<StoredProofs>;

/** A stored statement that a key is its holder's, by a member or the operator. */
export type StoredVouch = {
  id: string;
  enrolled: Enrolled;
  /** The signed statement, the assertion and the key (COSE, base64url); null for the operator. */
  proof: { statement: VouchStatement; assertion: { id: string }; publicKey: string } | null;
  /** The signed statement says it; for the operator's vouch, the record store does. */
  at: Date;
};

/** The enrolments of keys, including keys that were removed since. */
export type Enrolments = {
  /** The vouches for the key with this hash, oldest first. */
  vouches(orgRecordId: string, publicKeySha256: string): Promise<StoredVouch[]>;
  /** The entries about what a person registered in the organization, oldest first. */
  registrations(orgRecordId: string, githubId: number): Promise<(StoredEntry & { subject: string })[]>;
  /** Reads how a key that the person still has came in; empty for any other. */
  enrolled(orgRecordId: string, githubId: number, publicKeySha256: string): Promise<Enrolled>;
};
