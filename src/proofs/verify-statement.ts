import { type AuthenticationResponseJSON, verifyAuthenticationResponse } from '@simplewebauthn/server';
import { z } from 'zod';
import { batchStatement, type Statement } from '../contract/statement.ts';
import { decodeBase64url, hashJson, parseJson } from './bytes.ts';
import { isKnownKey } from './cose-key.ts';

type SignedStatement = {
  /** Exactly as it was signed: `host` is the origin of the page that asked for it. */
  statement: { host: string };
  /** `AuthenticationResponseJSON` of WebAuthn Level 3, section 5.1.10. */
  assertion: { id: string; rawId: string; type: string; response: { clientDataJSON: string } };
  /** COSE, base64url. */
  publicKey: string;
};

/**
 * Verifies that a key signed a statement: WebAuthn Level 3, section 7.2, with the statement's hash as the challenge,
 * on a page of its host that no other site embedded. The origin is the statement's own: compare it with the one you
 * expect.
 *
 * @returns Whether the person was verified by fingerprint, face or PIN; null if the key didn't sign it.
 */
export async function verifyStatement(signed: SignedStatement): Promise<{ userVerified: boolean } | null> {
  const { statement, assertion, publicKey } = signed;
  try {
    const data = parseClientData(assertion.response.clientDataJSON);
    const key = decodeBase64url(publicKey);
    if (!data || !isTopLevel(data) || !key || !isKnownKey(key)) return null;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: assertion as unknown as AuthenticationResponseJSON,
      expectedChallenge: hashJson(statement),
      expectedOrigin: statement.host,
      expectedRPID: new URL(statement.host).hostname,
      requireUserVerification: false,
      // The server compared the counter when it was signed.
      credential: { id: assertion.id, publicKey: key, counter: 0 },
    });
    return verified ? { userVerified: authenticationInfo.userVerified } : null;
  } catch {
    return null;
  }
}

/**
 * Tells whether a batch is about this approval: it has the hash of its statement, and is of the same person,
 * organization and host.
 *
 * @param statement Exactly as it was signed.
 */
export function isInBatch(statement: Statement, batch: unknown): boolean {
  const { data: parsed } = batchStatement.safeParse(batch);
  if (!parsed) return false;
  return (
    parsed.approvals.includes(hashJson(statement)) &&
    parsed.host === statement.host &&
    parsed.user.id === statement.user.id &&
    parsed.org.id === statement.org.id
  );
}

type SignedApproval = Omit<SignedStatement, 'statement'> & {
  statement: Statement;
  /** The signed batch if several commits were approved together; null or absent if the statement itself was signed. */
  batch?: SignedStatement['statement'] | null | undefined;
};

/**
 * Verifies that a key signed an approval: its statement, or a batch that is about it. As `verifyStatement`, also in
 * what it returns.
 */
export async function verifyApproval(signed: SignedApproval): Promise<{ userVerified: boolean } | null> {
  const { statement, batch, ...by } = signed;
  if (batch === undefined || batch === null) return verifyStatement({ statement, ...by });
  return isInBatch(statement, batch) ? verifyStatement({ statement: batch, ...by }) : null;
}

/** The members of WebAuthn's `CollectedClientData` (Level 3, section 5.8.1) that we check ourselves. */
const clientData = z.object({
  challenge: z.string(),
  crossOrigin: z.unknown().optional(),
  topOrigin: z.unknown().optional(),
});
type ClientData = z.infer<typeof clientData>;

/** Reads a ceremony's `clientDataJSON` (base64url); null if it isn't valid. */
export function parseClientData(clientDataJSON: string): ClientData | null {
  try {
    const bytes = decodeBase64url(clientDataJSON);
    return bytes && clientData.parse(parseJson(bytes));
  } catch {
    return null;
  }
}

/** Tells whether the ceremony ran in our own page, not in a frame of another site. */
export function isTopLevel({ crossOrigin, topOrigin }: ClientData): boolean {
  return (crossOrigin === undefined || crossOrigin === false) && topOrigin === undefined;
}
