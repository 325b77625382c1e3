import type { Credential } from '../authenticators/ports.ts';
import { ASSURED_TOTP, assuredOf } from '../authenticators/require-assured.ts';
import type { Assurance } from '../contract/policy.ts';
import type { Use } from './require-counted.ts';

/**
 * What a person can approve with: their credentials, or a one-time code. Whether
 * a credential verifies them is only known afterwards. Without any: everything
 * that they can register.
 */
export function usesOf(assurance: Assurance, held: Credential[] | 'totp'): Use[] {
  if (held === 'totp') return [{ ...ASSURED_TOTP, userVerified: false }];
  if (held.length > 0) return held.map((credential) => ({ ...assuredOf(credential), userVerified: true }));
  const [aaguid = ''] = assurance.models;
  const best = { deviceBound: true, aaguid, modelVerified: true, userVerified: true };
  return assurance.methods.map((method) => ({ ...best, method }));
}
