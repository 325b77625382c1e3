import type { NewActivity } from '../audit/ports.ts';
import { credentialSubject } from '../audit/subjects.ts';
import { type SignedProof, signedProof } from '../proofs/leaf.ts';
import { sha256Base64url, sha256OfJson } from '../shared/crypto.ts';
import type { Credential } from './ports.ts';

/** SHA-256, base64url, over a COSE public key. @param publicKey base64url. */
export const publicKeySha256 = (publicKey: string): string =>
  sha256Base64url(Buffer.from(publicKey, 'base64url'));

/** The log's name for a WebAuthn credential. */
export const loggedCredential = ({ keyId, publicKey }: Pick<Credential, 'keyId' | 'publicKey'>) => ({
  idSha256: sha256Base64url(keyId),
  publicKeySha256: publicKeySha256(publicKey),
});

/** The facts of a log entry about a credential, and the subject that finds the entry again. */
export const credentialParts = (
  credential: Pick<Credential, 'keyId' | 'publicKey' | 'aaguid' | 'modelVerified'>,
): Required<Pick<NewActivity, 'subject' | 'facts' | 'personFacts'>> => ({
  subject: credentialSubject(credential.keyId),
  facts: { aaguid: credential.aaguid, modelVerified: credential.modelVerified },
  personFacts: { credential: loggedCredential(credential) },
});

/** Commits to what was signed: SHA-256, base64url, over its RFC 8785 form. */
export const proofSha256 = (proof: SignedProof): string => sha256OfJson(signedProof(proof));
