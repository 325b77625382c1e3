/**
 * Every sentence that a person may read as an error, with its status, in one
 * reviewable place. A code that is not here does not compile.
 */
export const catalogue = {
  weakSecret: [400, 'Start the registration again: this secret is too weak.'],
  malformed: [400, 'A field of this request is missing or malformed.'],
  missingAuthenticator: [400, 'missing authenticator'],
  missingAuthToken: [401, 'missing auth token'],
  notAuthorizedWithGitHub: [401, 'Not authorized with GitHub'],
  emailCodeUnknown: [403, 'This code is of no use any more. Ask for a new one.'],
  wrongEmailCode: [403, 'This code is not right. Enter the one from the e-mail.'],
  otherGitHubAccount: [403, 'This GitHub sign-in belongs to another account. Sign out, then sign in again.'],
  accountRelinked: [
    403,
    'This account belongs to another GitHub user. Ask the operator of OTP Guard for help.',
  ],
  crossSite: [403, 'This request came from another site. Open OTP Guard itself and try again.'],
  notOwner: [403, 'Only an owner of this organization can do this.'],
  notMember: [403, 'You are not a member of this organization.'],
  noRepositoryAccess: [403, 'You have no access to this repository.'],
  installationSuspended: [
    403,
    'OTP Guard is suspended for this organization. An owner can unsuspend it on GitHub.',
  ],
  challengeUnknown: [403, 'This request was not made for you here. Open the page again.'],
  challengeSpent: [403, 'This request was already used. Open the page again.'],
  challengeExpired: [403, 'This took too long. Try again.'],
  assertionFailed: [403, 'Your authenticator’s answer could not be verified. Try again.'],
  foreignAuthenticator: [403, 'This authenticator is not registered to you in this organization.'],
  clonedAuthenticator: [
    403,
    'This authenticator’s counter went backwards, so it may have been copied. Remove it and use another.',
  ],
  wrongCode: [403, 'This code is not right. Enter the one that your app shows now.'],
  usedCode: [403, 'This code was used already. Wait for the next one.'],
  foreignStepUp: [403, 'This confirmation was made for something else. Confirm again.'],
  labelReadOnly: [403, 'Only a security key of your own can be renamed.'],
  stepUpRequired: [403, 'Confirm with an authenticator you already have here before you register another.'],
  attestationFailed: [403, 'Registration was not completed'],
  installationNotFound: [404, 'OTP Guard is not installed for this organization.'],
  repositoryNotFound: [404, 'OTP Guard cannot see this repository. An owner can give it access on GitHub.'],
  pullNotFound: [404, 'There is no such pull request.'],
  authenticatorNotFound: [404, 'Invalid Authenticator ID'],
  notFound: [404, 'There is nothing here.'],
  headMoved: [409, 'This pull request has a new commit. Look at it, then approve again.'],
  baseMoved: [409, 'This pull request goes into another branch now. Look at it, then approve again.'],
  pullClosed: [409, 'This pull request is closed.'],
  alreadyRegistered: [409, 'The authenticator was previously registered'],
  tooLarge: [413, 'This request is too large.'],
  unsupportedType: [415, 'Send this as JSON or as a form.'],
  tooManyCodes: [429, 'Too many wrong codes. Try again later, or use a passkey.'],
  tooManyCodeTries: [429, 'Too many wrong codes. Ask for a new one.'],
  tooManyMails: [429, 'Too many e-mails. Try again later.'],
  tooManyRequests: [429, 'Too many requests. Wait a moment, then try again.'],
  internal: [500, 'Something went wrong here. Try again; if it stays, tell the operator of OTP Guard.'],
  mailRefused: [400, 'The mail server refused this address. Check it, then try again.'],
  mailFailed: [502, 'The e-mail could not be sent. Nothing is lost: try again in a moment.'],
  mailNotSetUp: [503, 'This server sends no e-mail. Its operator can set that up.'],
  githubUnavailable: [502, 'GitHub did not answer. Nothing is lost: try again.'],
  runInTheMaking: [503, 'GitHub hears of this commit at this very moment. Try again in half a minute.'],
  storeUnavailable: [503, 'OTP Guard cannot reach its record store. Nothing is lost: try again in a moment.'],
} as const satisfies Record<string, readonly [status: number, sentence: string]>;

export type ErrorCode = keyof typeof catalogue;

/**
 * The one error that reaches a person. `message` is the sentence they read;
 * `cause` is for the log alone.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  /** Seconds until the same thing may be tried again, where that is known. */
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, options: { sentence?: string; cause?: unknown; retryAfter?: number } = {}) {
    const [status, sentence] = catalogue[code];
    super(options.sentence ?? sentence, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.status = status;
    this.retryAfter = options.retryAfter;
  }
}
