import { startAuthentication } from '@simplewebauthn/browser';
import type { RequestOptions } from '../../../src/contract/approvals.ts';
import type { StepUpAction } from '../../../src/contract/step-up.ts';
import type { Poster } from './api-client.ts';
import type { OwnAuthenticators } from './user.ts';

/** The one action that a proof is for. */
export type Action = { type: StepUpAction; org: string; orgID: string; authenticatorID?: string };

/** A proof as it goes over the wire: with exactly one of `otp` and `webauthn`. */
export type StepUp = { type: StepUpAction; authenticatorID?: string } & (
  | { otp: string }
  | { webauthn: unknown }
);

/** `madeAt` is when its challenge was asked for, in milliseconds of the page's own clock. */
export type Proof = { stepUp: StepUp; madeAt: number };

/** The server keeps a challenge for 60 seconds; the ceremony that follows a step-up needs the other half. */
export const PROOF_FRESH_MS = 30_000;

export const NO_AUTHENTICATORS =
  'Step-up authentication required but no authenticators exist. Please register an authenticator before proceeding.';

/** The server's sentence for a registration that lacks a proof. */
export const STEP_UP_REQUIRED =
  'Confirm with an authenticator you already have here before you register another.';

type Deps = { api: Poster; now: () => number };
type Options = Parameters<typeof startAuthentication>[0]['optionsJSON'];

/**
 * Has a passkey or security key sign a challenge that was made for this action alone.
 * Rejects with an `ApiError` or with what the authenticator reported.
 */
export async function proveByKey({ api, now }: Deps, action: Action): Promise<Proof> {
  const madeAt = now();
  const { options } = await api.post<{ options: RequestOptions }>('/webauthn-challenge', action);
  const webauthn = await startAuthentication({ optionsJSON: options as Options });
  return { stepUp: { ...subject(action), webauthn }, madeAt };
}

/** A one-time code as a proof. Only the server can tell whether it is right, and does with the action itself. */
export const proveByCode = (action: Action, otp: string, now: number): Proof => ({
  stepUp: { ...subject(action), otp },
  madeAt: now,
});

const subject = ({ type, authenticatorID }: Action) => ({
  type,
  ...(authenticatorID !== undefined && { authenticatorID }),
});

export const isCode = ({ stepUp }: Proof) => 'otp' in stepUp;

/** Whether the action may go ahead with this proof. A code is not made anew: the server says when it is too old. */
export const isFresh = (proof: Proof, now: number) => isCode(proof) || now - proof.madeAt < PROOF_FRESH_MS;

/** A refusal that used the proof up, or shows that it was none: the person authenticates again. */
export const spendsProof = (proof: Proof, status: number) =>
  status === 403 || (status === 429 && isCode(proof));

/** How a person steps up: with a key where they have one, unless they choose the code that they have as well. */
export function stepUpMethod(own: OwnAuthenticators, preferCode: boolean): 'key' | 'code' | 'none' {
  if (own.webauthn.length > 0 && !(preferCode && own.totp)) return 'key';
  return own.totp ? 'code' : 'none';
}
