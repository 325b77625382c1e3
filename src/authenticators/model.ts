import { authenticatorMetadata } from '@passwordless-id/webauthn/dist/esm/authenticatorMetadata.js';

/** What an authenticator says that names no model: it is left out, or the same for all. */
const NAMELESS = '00000000-0000-0000-0000-000000000000';

/** The maker's model behind an AAGUID, for the eye alone: nothing vouches for it. Empty where it is not known. */
export function modelOf(aaguid: string): string {
  const models: Record<string, string> = authenticatorMetadata;
  return aaguid === NAMELESS ? '' : (models[aaguid] ?? '');
}
