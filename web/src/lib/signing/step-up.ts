import type { AnswerOf, BodyOf } from '../../../../src/contract/calls.ts';
import type { SentAssertion } from '../../../../src/contract/fields.ts';
import type { ProblemCode } from '../../../../src/contract/problems.ts';
import type { SentStepUp, StepUpAction } from '../../../../src/contract/step-up.ts';
import { type ApiError, codeOf } from '../api/api-client.ts';
import type { OwnAuthenticators } from '../session/user.ts';
import { type Options, type PageDeps, StatementRefused } from './sign-shown.ts';

/**
 * The one action that a proof is valid for. Acknowledging has calls of its own, and its challenge is the hash of a
 * statement, as a policy's is.
 */
export type Action =
  | BodyOf<'/webauthn-challenge'>
  | ({ type: 'acknowledge' } & Omit<BodyOf<'/acknowledge-params'>, 'accessToken'>);

/** With the statement whose hash is the challenge, for a policy, a vouch and a log entry. */
export type ChallengeAnswer = AnswerOf<'/webauthn-challenge' | '/acknowledge-params'>;

/** Resolves to a sentence if the server requests a signature for something that the page doesn't show, or to null. */
export type CheckChallenge<Answer = ChallengeAnswer> = (answer: Answer) => Promise<string | null>;

/** A proof as it goes over the wire, with either `otp` or `webauthn`. */
export type StepUp = Pick<SentStepUp, 'type' | 'authenticatorID' | 'memberID' | 'denialID'> &
  ({ otp: string } | { webauthn: SentAssertion });

/** `madeAt` is when its challenge was requested, in milliseconds of `performance.now()`. */
export type Proof = { stepUp: StepUp; madeAt: number };

/** Half of the 60 seconds that the server keeps a challenge; the registration that follows needs the other half. */
export const PROOF_FRESH_MS = 30_000;

export const NO_AUTHENTICATORS =
  'Step-up authentication required but no authenticators exist. Please register an authenticator before proceeding.';

/**
 * Proves the action with a passkey or security key, which signs a challenge made for this action only.
 * Rejects with an `ApiError`, a `StatementRefused`, or the authenticator's error.
 */
export async function proveByKey<Answer extends ChallengeAnswer = ChallengeAnswer>(
  { api, accessToken, now, sign }: Omit<PageDeps<never>, 'screen'>,
  action: Action,
  check?: CheckChallenge<Answer>,
): Promise<Proof> {
  // Before the request: the server's 60 seconds begin with it, and the person can take long to touch their key.
  const madeAt = now();
  const answer = await (action.type === 'acknowledge'
    ? api.post('/acknowledge-params', { ...action, accessToken: accessToken() })
    : api.post('/webauthn-challenge', action));
  // Which statement it has follows from the action, and the check reads every member of it.
  const refusal = (await check?.(answer as Answer)) ?? null;
  if (refusal !== null) throw new StatementRefused(refusal);
  const webauthn = await sign(answer.options as Options);
  return { stepUp: { ...subject(action), webauthn }, madeAt };
}

/** Proves the action with a one-time code, which the server checks together with the action. */
export const proveByCode = (action: Action, otp: string, now: number): Proof => ({
  stepUp: { ...subject(action), otp },
  madeAt: now,
});

const subject = ({ type, ...about }: Action) => ({
  // An acknowledgement sends only the code or the assertion of its proof.
  type: type as StepUpAction,
  ...('authenticatorID' in about && { authenticatorID: about.authenticatorID }),
  ...('memberID' in about && { memberID: about.memberID }),
  ...('denialID' in about && { denialID: about.denialID }),
});

const isCode = ({ stepUp }: Proof) => 'otp' in stepUp;

/** Tells whether the proof is recent enough to send. A code always is: the server refuses a code that is too old. */
export const isFresh = (proof: Proof, now: number) => isCode(proof) || now - proof.madeAt < PROOF_FRESH_MS;

const CODE_REFUSED = ['wrongCode', 'usedCode', 'tooManyCodes'] as const;
const KEY_REFUSED = ['assertionFailed', 'notYourAuthenticator', 'clonedAuthenticator'] as const;
const TOO_OLD = ['challengeUnknown', 'challengeUsed', 'challengeExpired'] as const;
const MISSING = ['stepUpRequired', 'otherStepUp', 'pendingAuthenticator', 'vouchNeeded'] as const;
const PROOF_REFUSED: readonly (ProblemCode | null)[] = [
  ...CODE_REFUSED,
  ...KEY_REFUSED,
  ...TOO_OLD,
  ...MISSING,
];

/** Tells whether the server refused the proof itself, so that the person has to authenticate again. */
export const isProofRefused = (error: unknown): error is ApiError => PROOF_REFUSED.includes(codeOf(error));

/**
 * Chooses how a person steps up: with a passkey or security key if they have one, unless they have and prefer a code.
 */
export function stepUpMethod(
  { totp, webauthn }: OwnAuthenticators,
  preferCode: boolean,
): 'key' | 'code' | 'none' {
  if (webauthn.length > 0 && !(preferCode && totp)) return 'key';
  return totp ? 'code' : 'none';
}
