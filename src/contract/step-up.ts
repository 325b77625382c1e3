import { z } from 'zod';
import { authenticationResponse, githubId, objectOf, organization, recordId } from './fields.ts';

/** The actions that need a step-up. */
export const stepUpAction = z.enum(
  [
    'register-authenticator',
    'delete-authenticator',
    'end-sessions',
    'change-policy',
    'vouch',
    'set-aside-denial',
  ],
  { error: 'Confirm with an authenticator first.' },
);
export type StepUpAction = z.infer<typeof stepUpAction>;

const OF_AUTHENTICATORS: StepUpAction[] = ['delete-authenticator', 'vouch'];

/**
 * A proof for one action, valid once: a one-time code, or an assertion over a
 * challenge that `/webauthn-challenge` made for this action.
 */
export const stepUp = z
  .object(
    {
      type: stepUpAction,
      authenticatorID: recordId('invalid authenticator id').optional(),
      memberID: githubId('missing member').optional(),
      denialID: recordId('missing denial').optional(),
      otp: z.string().max(32).optional(),
      webauthn: authenticationResponse('Authentication was not completed').optional(),
    },
    { error: 'Confirm with an authenticator first.' },
  )
  .refine(({ otp, webauthn }) => (otp === undefined) !== (webauthn === undefined), {
    error: 'Confirm with one authenticator: a passkey, a security key or a one-time code.',
  });
export type StepUp = z.infer<typeof stepUp>;
/** As a client sends it. */
export type SentStepUp = z.input<typeof stepUp>;

/** `POST /webauthn-challenge` */
export const stepUpChallenge = z
  .object({
    type: stepUpAction,
    ...organization,
    authenticatorID: recordId('invalid authenticator id').optional(),
    memberID: githubId('missing member').optional(),
    denialID: recordId('missing denial').optional(),
    /** The policy that is going to be sent, for `change-policy`. */
    policy: objectOf(z.unknown()).optional(),
  })
  .refine(({ type, authenticatorID }) => !OF_AUTHENTICATORS.includes(type) || authenticatorID !== undefined, {
    error: 'invalid authenticator id',
  })
  .refine(({ type, memberID }) => type !== 'end-sessions' || memberID !== undefined, {
    error: 'missing member',
  })
  .refine(({ type, denialID }) => type !== 'set-aside-denial' || denialID !== undefined, {
    error: 'missing denial',
  });
