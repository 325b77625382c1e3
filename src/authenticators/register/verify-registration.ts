import {
  type RegistrationResponseJSON,
  type VerifiedRegistrationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { decodeAttestationObject, isoBase64URL, isoCBOR } from '@simplewebauthn/server/helpers';
import { isKnownKey } from '../../proofs/cose-key.ts';
import { isTopLevel, parseClientData } from '../../proofs/verify-statement.ts';
import { AppError } from '../../shared/app-error.ts';
import type { RelyingParty } from '../ports.ts';
import { certifiesModel } from './attestation.ts';

/** ES256 and RS256, as COSE identifies them. */
export const ALGORITHMS = [-7, -257];
/** Bytes. WebAuthn Level 3, section 7.1 step 25. */
const LONGEST_CREDENTIAL_ID = 1023;

type RegistrationInfo = NonNullable<VerifiedRegistrationResponse['registrationInfo']>;

export type VerifiedRegistration = { info: RegistrationInfo; attested: boolean; modelVerified: boolean };

/**
 * Verifies the answer to a registration challenge: WebAuthn Level 3, section
 * 7.1. A good key whose attestation statement doesn't verify, by the operator's
 * roots if there are any, is accepted as not attested.
 *
 * @param challenge base64url; it must be used up already.
 * @throws AppError `attestationFailed`, and `unknownKey` if `isKnownKey` doesn't accept its public key.
 */
export async function verifyRegistration(
  relyingParty: RelyingParty,
  response: RegistrationResponseJSON,
  challenge: string,
): Promise<VerifiedRegistration> {
  const data = parseClientData(response.response.clientDataJSON);
  if (!data || !isTopLevel(data)) throw new AppError('attestationFailed');
  const verified = await verifyWith(relyingParty, response, challenge)
    .catch(() => verifyWith(relyingParty, withoutAttestation(response), challenge))
    .catch((cause: unknown) => {
      throw new AppError('attestationFailed', { cause });
    });
  if (Buffer.from(verified.info.credential.id, 'base64url').length > LONGEST_CREDENTIAL_ID)
    throw new AppError('attestationFailed');
  if (!isKnownKey(verified.info.credential.publicKey)) throw new AppError('unknownKey');
  return verified;
}

async function verifyWith(
  relyingParty: RelyingParty,
  response: RegistrationResponseJSON,
  challenge: string,
): Promise<VerifiedRegistration> {
  const { registrationInfo: info } = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: relyingParty.origin,
    expectedRPID: relyingParty.id,
    requireUserVerification: false,
    supportedAlgorithmIDs: ALGORITHMS,
  });
  if (!info) throw new Error('the attestation statement did not verify');
  const attested = info.fmt !== 'none';
  const modelVerified =
    attested && relyingParty.hasAttestationRoots && certifiesModel(info.attestationObject, info.aaguid);
  return { info, attested, modelVerified };
}

/** The same response with an attestation of the format `none`. */
function withoutAttestation(response: RegistrationResponseJSON): RegistrationResponseJSON {
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.response.attestationObject));
  const bare = new Map<string, unknown>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', attestation.get('authData')],
  ]);
  const attestationObject = isoBase64URL.fromBuffer(
    isoCBOR.encode(bare as Parameters<typeof isoCBOR.encode>[0]),
  );
  return { ...response, response: { ...response.response, attestationObject } };
}
