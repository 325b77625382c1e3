/** Every error that a call answers: its code on the wire, its HTTP status, and the sentence that a person reads. */
export const problems = {
  weakSecret: [400, 'This secret is too weak. Start the registration again.'],
  wrongLostSince: [400, 'Enter a time between the day the authenticator was added and now.'],
  mailRefused: [400, 'The mail server rejected this address. Check it, then try again.'],
  wrongPolicy: [400, 'A policy is needed here.'],
  wrongHookUrl: [
    400,
    'Enter an https address of a public server, without a port, a password or a part after #.',
  ],
  malformed: [400, 'A field of this request is missing or malformed.'],
  missingAuthenticator: [400, 'missing authenticator'],
  missingAuthToken: [401, 'missing auth token'],
  notAuthorizedWithGitHub: [401, 'Not authorized with GitHub'],
  signInUnconfirmed: [401, "GitHub refused this sign-in, or didn't answer. Sign in again."],
  emailCodeUnknown: [403, 'This code is no longer valid. Request a new one.'],
  wrongEmailCode: [403, "That code isn't right. Enter the one from the e-mail."],
  tooManyEmailCodes: [403, 'Too many wrong codes. Request a new one.'],
  otherGitHubAccount: [403, 'This GitHub sign-in belongs to another account. Sign out, then sign in again.'],
  accountRelinked: [
    403,
    'This account belongs to another GitHub user. Ask the operator of OTP Guard for help.',
  ],
  crossSite: [403, 'This request came from another site. Open OTP Guard itself and try again.'],
  notOwner: [403, 'Only an owner of this organization can do this.'],
  notMember: [403, "You aren't a member of this organization. Ask an owner for access, or switch accounts."],
  wouldNotCount: [403, "Your approval wouldn't count here."],
  otherOrganization: [403, 'This pull request belongs to another organization.'],
  noRepositoryAccess: [403, "You don't have access to this repository."],
  installationSuspended: [
    403,
    'OTP Guard is suspended for this organization. An owner can unsuspend it on GitHub.',
  ],
  challengeUnknown: [403, "This request doesn't belong to you or to this page. Open the page again."],
  challengeUsed: [403, 'This request was already used. Open the page again.'],
  challengeExpired: [403, 'This took too long. Try again.'],
  assertionFailed: [403, "We couldn't verify your authenticator's answer. Try again."],
  notYourAuthenticator: [403, "This isn't one of your authenticators in this organization."],
  clonedAuthenticator: [
    403,
    'This authenticator may have been copied: its counter went backwards. Delete it and use another one.',
  ],
  wrongCode: [403, "That code isn't right. Enter the one your app shows now."],
  usedCode: [403, 'This code was already used. Wait for the next one.'],
  otherReason: [403, "This isn't the reason that you signed. Deny again with the reason that you mean."],
  otherStepUp: [403, 'You confirmed something else. Confirm again.'],
  labelReadOnly: [403, 'You can only rename your own security keys.'],
  stepUpRequired: [403, 'Confirm with an authenticator you already have here before you register another.'],
  notAccepted: [403, "Your organization doesn't accept this authenticator."],
  pendingAuthenticator: [
    403,
    "Your authenticator here doesn't count yet: a member of the organization has to vouch for it first.",
  ],
  vouchNeeded: [403, 'Your authenticators here need a vouch by now. Ask an owner to vouch for one.'],
  vouchNeedsKey: [403, "Use a passkey or a security key: a one-time code can't vouch."],
  codesCantBeFirst: [
    403,
    'Register a passkey or security key first. You can add an authenticator app after that.',
  ],
  ownVouch: [403, "You can't vouch for your own authenticator. Ask another member who may vouch."],
  notVoucher: [403, 'Only an owner of this organization can vouch.'],
  ownChange: [403, 'You made this change. Ask another owner to acknowledge it.'],
  newOwner: [
    403,
    'Nobody has acknowledged yet that you became an owner. Ask another owner to do that first.',
  ],
  otherDevice: [403, 'Only its holder can confirm this authenticator, with one that they already have.'],
  deviceNeedsKey: [
    403,
    'To confirm a second device you need a passkey or security key on this one. Register one first.',
  ],
  deviceLinkUnknown: [403, "This link is too old, or isn't yours. Make a new one on your other device."],
  deviceLinkUsed: [403, 'This link was already used. Make a new one on your other device.'],
  emailCodeRequired: [403, 'Confirm a company address first: this organization asks for one.'],
  otherDomain: [403, "Use your address at one of the organization's own domains."],
  noAddressNeeded: [403, "This organization doesn't ask for a company address."],
  attestationFailed: [403, 'Registration was not completed'],
  unknownKey: [403, "This authenticator uses a kind of key that OTP Guard doesn't accept. Use another one."],
  installationNotFound: [404, "OTP Guard isn't installed for this organization."],
  pullNotFound: [404, "This pull request doesn't exist, or OTP Guard can't see it."],
  authenticatorNotFound: [404, 'Invalid Authenticator ID'],
  memberNotFound: [404, "This person isn't a member of the organization, or never signed in here."],
  approvalNotFound: [404, "You haven't approved or denied this commit."],
  denialNotFound: [404, 'This denial is no longer in force. Open the pull request again.'],
  deploymentNotFound: [404, "This deployment doesn't exist, or OTP Guard can't see it."],
  weakeningNotFound: [404, "This entry of the log isn't a change that waits to be acknowledged."],
  hookNotFound: [404, 'This organization has no such webhook. An owner may have removed it.'],
  notFound: [404, "There's nothing here."],
  headMoved: [409, 'This pull request has a new commit. Look at it before you approve or deny it.'],
  baseMoved: [
    409,
    'This pull request now merges into another branch. Look at it before you approve or deny it.',
  ],
  pullMerged: [409, 'This pull request was merged.'],
  pullClosed: [409, 'This pull request is closed.'],
  runMoved: [409, 'This run was started again. Look at it before you approve or reject it.'],
  deploymentDecided: [409, 'This deployment no longer waits for a decision.'],
  policyMoved: [409, 'Another owner changed the policy in the meantime. Read theirs, then save yours again.'],
  alreadyApproved: [409, 'You approved this commit already.'],
  approvedTooOften: [
    409,
    'You approved or denied this commit 20 times already. Push a new commit, or ask another member.',
  ],
  alreadyDenied: [409, 'You denied this commit. Withdraw your denial first.'],
  listedTwice: [409, 'This pull request is in the list twice.'],
  nothingToApprove: [409, 'None of these pull requests can be approved now. Open one of them to see why.'],
  hookMoved: [409, 'Another owner changed this webhook in the meantime. Look at it, then try again.'],
  alreadyAcknowledged: [409, 'Another owner acknowledged this change in the meantime. Open the page again.'],
  alreadyRegistered: [409, 'The authenticator was previously registered'],
  alreadyDecided: [
    409,
    'This authenticator was confirmed, replaced or removed in the meantime. Open the page again.',
  ],
  addressTaken: [409, 'Another person enrolled with this address here. Use your own.'],
  tooLarge: [413, 'This request is too large.'],
  unsupportedType: [415, 'Send this as JSON or as a form.'],
  tooManyCodes: [429, 'Too many wrong codes. Try again later, or use a passkey.'],
  tooManyMails: [429, 'Too many e-mails. Try again later.'],
  tooManyRequests: [429, 'Too many requests. Wait a moment, then try again.'],
  githubBudgetLow: [
    429,
    "GitHub's hourly limit for this organization is nearly used up. The rest is kept for approvals. Try again later.",
  ],
  internal: [
    500,
    'Something went wrong. Try again; if it keeps happening, contact the operator of OTP Guard.',
  ],
  mailFailed: [502, "We couldn't send the e-mail. Nothing is lost: try again in a moment."],
  permissionMissing: [
    502,
    'OTP Guard lacks a permission on GitHub for this. An owner of the account can grant it: see the setup health.',
  ],
  githubUnavailable: [502, "GitHub didn't answer. Nothing is lost: try again."],
  logChanged: [
    503,
    "This organization's log was changed outside OTP Guard. Ask the operator to restore a backup.",
  ],
  mailNotSetUp: [503, "This server doesn't send e-mail. Its operator can set it up."],
  tookTooLong: [503, 'OTP Guard needs longer than usual. Nothing is lost: try again in a moment.'],
  lossUnfinished: [
    503,
    'It is deleted, but some checks may still be green by it. OTP Guard keeps trying: merge nothing that it approved.',
  ],
  runBeingCreated: [503, 'OTP Guard is updating this commit on GitHub. Try again in half a minute.'],
  storeUnavailable: [503, "OTP Guard can't reach its record store. Nothing is lost: try again in a moment."],
} as const satisfies Record<string, readonly [status: number, sentence: string]>;

export type ProblemCode = keyof typeof problems;

/** A refused call, for a client that accepts `application/problem+json` (RFC 9457). */
export type Problem = {
  type: `urn:otp-guard:problem:${ProblemCode}`;
  /** The sentence of the code. */
  title: string;
  status: number;
  /** The sentence for this person, which every other client gets as plain text. */
  detail: string;
  code: ProblemCode;
  /** Seconds until the same request may be made again, if known. */
  retryAfter?: number;
  /** The number of wrong codes left until codes are locked; only with errors about a code. */
  triesLeft?: number;
};
