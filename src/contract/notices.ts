import type { ActivityData } from './activity.ts';
import type { AskedBy } from './inbox.ts';

/** The kinds of e-mail. */
export type NoticeKind =
  | 'approvalWithdrawn'
  | 'pullDenied'
  | 'denialSetAside'
  | 'deployRejected'
  | 'deployBypassed'
  | 'deployExpires'
  | 'unapprovedMerge'
  | 'pullsWait'
  | 'pullsDigest'
  | 'authenticatorAdded'
  | 'authenticatorRenamed'
  | 'authenticatorRemoved'
  | 'memberAuthenticatorRemoved'
  | 'ownerRemovedAuthenticator'
  | 'authenticatorLost'
  | 'firstAuthenticator'
  | 'authenticatorPending'
  | 'devicePending'
  | 'vouchWanted'
  | 'vouchedFor'
  | 'youVouched'
  | 'memberVouchedFor'
  | 'ownerConfirmed'
  | 'registrationReminder'
  | 'codesLocked'
  | 'sessionsEnded'
  | 'memberSessionsEnded'
  | 'addressConfirmed'
  | 'addressReplaced'
  | 'policyChanged'
  | 'restore'
  | 'protectionWeakened'
  | 'forgedRecord'
  | 'forgedCheck'
  | 'hookSet'
  | 'hookRemoved'
  | 'hookStopped';

/** A part of an e-mail, in the order of reading: a paragraph, or a text with a role. Names in it are as people wrote them. */
export type MailPart =
  | string
  | { role: 'heading' | 'quiet'; text: string }
  | { role: 'checkpoint'; text: string; note: string }
  /** Left out if the address isn't OTP Guard's own. */
  | { role: 'button' | 'link'; text: string; url: string };

/** A pull request or a deployment that waits for the recipient. */
export type NoticedPull = {
  /** `acme/shop#7`, or `acme/shop: deploy v1.2.0 to release`. */
  name: string;
  /** The title of the pull request or of the run, as GitHub has it: a stranger chose it. */
  title: string;
  asked: AskedBy;
  /** The login of the person who opened or started it, and the number of changed files, as far as we know them. */
  author?: string;
  files?: number;
  /** The page that approves it. */
  url: string;
  /** The workflow run of a deployment. */
  run?: number;
};

/** The names in a notice that the log entry about the same event has, too. */
type LoggedName =
  | ('org' | 'login' | 'type' | 'label' | 'formerLabel' | 'lostSince')
  | ('reason' | 'setAsideReason' | 'denies' | 'environment' | 'run')
  | ('backup' | 'hook' | 'host' | 'rules');

/** Names at the time of the event; which ones are set depends on the kind. */
export type NoticeData = Pick<ActivityData, LoggedName> & {
  /** The login of the person who did it. */
  by?: string;
  /**
   * The number of approvals to withdraw, made with the authenticator since it was lost; counted before the withdrawal.
   */
  withdrawn?: number;
  /** The company address that a person enrolled with. */
  address?: string;
  /** It's the person's only authenticator there, so they're reminded to register a second. */
  isOnly?: boolean;
  /** The organization's log with the entry about this: a C2SP checkpoint. */
  checkpoint?: string;
  /** The pull requests and deployments that wait, and how many more do. */
  pulls?: NoticedPull[];
  more?: number;
  /** One sentence for each change of what protects the organization. */
  changes?: string[];
  /** OTP Guard's own address. */
  origin?: string;
};
