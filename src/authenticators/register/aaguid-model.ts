import { authenticatorMetadata } from '@passwordless-id/webauthn/dist/esm/authenticatorMetadata.js';

/** The AAGUID of an authenticator that doesn't reveal its model. */
const UNSPECIFIED = '00000000-0000-0000-0000-000000000000';

/** The name of an AAGUID's model, for display only: nobody verified it. Empty if it isn't known. */
export function modelOf(aaguid: string): string {
  const models: Record<string, string> = authenticatorMetadata;
  return aaguid === UNSPECIFIED ? '' : (models[aaguid] ?? '');
}
