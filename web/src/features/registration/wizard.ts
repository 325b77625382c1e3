import { stepUpMethod } from '../../lib/step-up.ts';
import type { OwnAuthenticators } from '../../lib/user.ts';

/** Where a registration is. */
export type WizardState =
  | 'unknown'
  | 'needsAuthenticator'
  | 'authenticating'
  | 'authenticateTOTP'
  | 'registering';

type Facts = {
  /** What the person has in the organization; null until the server has said it. */
  own: OwnAuthenticators | null;
  /** Whether the server asks for a step-up even where the person has nothing. */
  required: boolean;
  /** Whether the person has authenticated for this registration. */
  proved: boolean;
  /** Whether the person chose the code, where they have a key as well. */
  preferCode: boolean;
};

/** The first authenticator of an organization goes straight in; a further one needs one that is there. */
export function wizardState({ own, required, proved, preferCode }: Facts): WizardState {
  if (!own) return 'unknown';
  if (proved) return 'registering';
  const method = stepUpMethod(own, preferCode);
  if (method === 'key') return 'authenticating';
  if (method === 'code') return 'authenticateTOTP';
  return required ? 'needsAuthenticator' : 'registering';
}
