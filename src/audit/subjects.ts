import { sha256Base64url } from '../shared/crypto.ts';

/** Finds the entries about a WebAuthn credential, also after its record was removed. @param keyId Its id, base64url. */
export const credentialSubject = (keyId: string): string => `credential:${sha256Base64url(keyId)}`;

/** Finds the entries about a record: an approval, or an authenticator app. */
export const recordSubject = (collection: 'approvals' | 'totps', id: string): string => `${collection}:${id}`;

/** A person, as entries commit to them. */
export const accountOf = ({ githubId, login }: { githubId: number; login: string }) => ({
  id: githubId,
  login,
});
