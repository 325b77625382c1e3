import { type AuthenticatorType, authenticatorKinds } from '../contract/authenticator-kinds.ts';
import type { Assurance } from '../contract/policy.ts';
import { listWords } from '../contract/rule-words.ts';

/** The properties of an authenticator that an organization's assurance is about. */
export type AssuredAuthenticator = {
  method: AuthenticatorType;
  /** True if its key can't leave the device. False for a one-time code. */
  deviceBound: boolean;
  /** Empty for a one-time code. */
  aaguid: string;
  /** True if a root that the operator trusts verified its model; else the AAGUID is only its claim. */
  modelVerified: boolean;
};

/** The demand that an authenticator doesn't meet. */
export type AssuranceFault = 'methods' | 'deviceBound' | 'models' | 'userVerification';

/**
 * Returns null if an authenticator counts in an organization, else
 * the first demand that it doesn't meet. The secret of a one-time-code app can
 * be copied, and the app has no model.
 *
 * @param hasRoots True if the operator trusts attestation roots. Without them no model can be
 *   verified, so what the authenticator claims is compared.
 */
export function assuranceFault(
  { methods, deviceBound, models }: Assurance,
  authenticator: AssuredAuthenticator,
  hasRoots: boolean,
): AssuranceFault | null {
  const { method, aaguid, modelVerified } = authenticator;
  if (!methods.includes(method)) return 'methods';
  if (deviceBound && !authenticator.deviceBound) return 'deviceBound';
  const isListed = models.length === 0 || models.includes(aaguid.toLowerCase());
  if (!isListed || (models.length > 0 && hasRoots && !modelVerified)) return 'models';
  return null;
}

/** Like `assuranceFault`, for one use of the authenticator. */
export const approvalFault = (
  assurance: Assurance,
  use: AssuredAuthenticator & { userVerified: boolean },
  hasRoots: boolean,
): AssuranceFault | null =>
  assuranceFault(assurance, use, hasRoots) ??
  (assurance.userVerification === 'required' && !use.userVerified ? 'userVerification' : null);

/** Why an authenticator doesn't count, and what to register instead: two sentences for its holder. */
export function assuranceSentence(
  fault: AssuranceFault,
  { methods, deviceBound }: Assurance,
  authenticator: { method: AuthenticatorType },
  org: string,
): string {
  const { noun } = authenticatorKinds[authenticator.method];
  const register = `Register ${listWords(methods.map((method) => articleOf(authenticatorKinds[method].noun)))}.`;
  if (fault === 'methods') return `${org} doesn't accept ${pluralOf(authenticator.method)}. ${register}`;
  if (fault === 'userVerification')
    return `${org} asks for your fingerprint, face or PIN with each approval, and this ${noun} didn't check it. Set that up on it, or use another one.`;
  if (fault === 'deviceBound')
    return `${org} accepts only authenticators whose key can't leave the device. Register a security key.`;
  const bound = deviceBound ? ' Its key may not leave the device.' : '';
  return `${org} accepts only certain models, and this ${noun} isn't verified to be one. Ask an owner which model to register.${bound}`;
}

const articleOf = (noun: string) => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;

const pluralOf = (method: AuthenticatorType) =>
  method === 'totp' ? 'one-time codes' : `${authenticatorKinds[method].noun}s`;
