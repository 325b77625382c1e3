import type { KeyList, ReceiptStatement } from '../contract/receipts.ts';
import type { BatchStatement } from '../contract/statement.ts';
import { type Finding, failed, findingsAbout } from './findings.ts';
import type { TrustedCheckpoint } from './trusted-log.ts';
import { verifyApproval } from './verify-statement.ts';

/** Checks that the receipt is about what was signed, and from the server of the key list. */
export function checkSubject({ subject, predicate }: SignedReceipt, { host }: Trust): Finding[] {
  const { statement, issuer } = predicate;
  const [about] = subject;
  const findings: Finding[] = [];
  if (issuer !== host)
    findings.push(failed('server', `The receipt is from ${issuer}, the key list from ${host}.`));
  if (statement.host !== host)
    findings.push(failed('statement', `The approval was given on ${statement.host}, not on ${host}.`));
  if (!about || about.digest.gitCommit !== statement.head || !isRepository(about.name, statement.repo.name))
    findings.push(failed('subject', 'The receipt names another repository or commit than the approval.'));
  return findings;
}

/** Tells whether an address is that of this repository: GitHub's own host is what the server says. */
function isRepository(address: string, name: string): boolean {
  const origin = URL.canParse(address) ? new URL(address).origin : 'null';
  return origin.startsWith('http') && address === `${origin}/${name}`;
}

/** Checks that a person's key signed the approval; a one-time code signs nothing. */
export async function checkApproval({ predicate }: SignedReceipt): Promise<Finding[]> {
  const { proved, claimed, failed } = findingsAbout('signature');
  const { statement, batch = null, assertion, publicKey, method, userVerified } = predicate;
  const { user, repo, pr, head, base } = statement;
  const what = `commit ${head} of ${repo.name}#${pr} into ${base}`;
  if (method === 'totp') {
    return assertion === null && publicKey === null && batch === null && !userVerified
      ? [claimed(`${nameOf(user)} entered a one-time code for ${what}: only the server says so.`)]
      : [failed('A one-time code has no signature, but the receipt brings one.')];
  }
  if (assertion === null || publicKey === null)
    return [failed('The receipt of a passkey or security key has no signature of it.')];
  const verified = await verifyApproval({ statement, batch, assertion, publicKey });
  if (!verified) return [failed(`The key in the receipt didn’t sign this approval of ${what}.`)];
  if (verified.userVerified !== userVerified)
    return [failed('What the receipt says about fingerprint, face or PIN isn’t what was signed.')];
  const how = userVerified
    ? 'with a fingerprint, face or PIN'
    : 'with a touch, without fingerprint, face or PIN';
  return [proved(`The key of ${nameOf(user)} signed exactly ${what}, ${how}${othersIn(batch)}.`)];
}

/** The receipt doesn't say which they are. */
function othersIn(batch: BatchStatement | null): string {
  const others = batch === null ? 0 : batch.approvals.length - 1;
  if (others === 0) return '';
  return `, together with ${others} other ${others === 1 ? 'approval' : 'approvals'}`;
}

/** The keys, the host and the checkpoint that a verification relies on. */
export type Trust = {
  /** The dashboard's origin, from the published key list. */
  host: KeyList['host'];
  keys: { id: string; publicKey: Uint8Array }[];
  /** A checkpoint from elsewhere, as it was given. */
  checkpoint: string | undefined;
};

/** A receipt whose envelope a published key signed. */
export type SignedReceipt = ReceiptStatement & { signer: string };

/** A receipt with the log that proves its entries; null if it has none. */
export type LoggedReceipt = { receipt: SignedReceipt; log: TrustedCheckpoint | null };

/** A GitHub account as a sentence names it: the login can change, the id can't. */
export const nameOf = ({ id, login }: { id: number; login: string }): string =>
  `${login} (GitHub account ${id})`;
