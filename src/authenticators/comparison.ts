import { randomBytes } from 'node:crypto';
import type { WaitingAuthenticator } from '../contract/enrolment.ts';
import type { Organization } from '../organizations/ports.ts';
import { sha256 } from '../shared/crypto.ts';
import { vouchPath } from './links.ts';
import type { Credential } from './ports.ts';

/** The server draws it after a registration was verified, so that nobody can look for a key with certain digits. */
export const newNonce = (): string => randomBytes(16).toString('base64url');

/** The random text behind the six digits; the record's id for a key that counted immediately. */
export const drawnFor = ({ id, nonce }: Pick<Credential, 'id' | 'nonce'>): string =>
  nonce === '' ? id : nonce;

/**
 * Six digits, such as `482 109`, for two people to compare: from the public key's hash, and from what the
 * server drew after it knew the key, the nonce and the record's id.
 */
export function comparisonOf({
  id,
  publicKey,
  nonce,
}: Pick<Credential, 'id' | 'publicKey' | 'nonce'>): string {
  const keyHash = sha256(Buffer.from(publicKey, 'base64url'));
  const digest = Buffer.from(sha256(Buffer.concat([keyHash, Buffer.from(drawnFor({ id, nonce }))])));
  const digits = String(digest.readUIntBE(0, 6) % 1_000_000).padStart(6, '0');
  return `${digits.slice(0, 3)} ${digits.slice(3)}`;
}

/** An authenticator that waits, as people see it. */
export function toWaiting(
  credential: Credential,
  { holder, org }: { holder: { id: number; login: string }; org: Organization },
): WaitingAuthenticator {
  const { id, type, label, model, created, pending } = credential;
  return {
    id,
    holder,
    type,
    label,
    model,
    since: created.toISOString(),
    comparison: comparisonOf(credential),
    waitsFor: pending === '' ? 'existing' : pending,
    page: vouchPath({ org: org.name, orgID: org.orgId, id }),
  };
}
