import { authenticatorKinds } from '../contract/authenticator-kinds.ts';
import { DENIAL_TYPE, type KeyList, type ReceiptStatement } from '../contract/receipts.ts';
import type { BatchStatement } from '../contract/statement.ts';
import { hashBase64url } from './bytes.ts';
import { type Finding, failed, findingsAbout } from './findings.ts';
import type { TrustedCheckpoint } from './trusted-log.ts';
import { verifyApproval, verifyStatement } from './verify-statement.ts';

/** The parts of a receipt that differ between approvals and denials. `activity` is that of its log entry. */
export function partsOf(receipt: ReceiptStatement) {
  const kind = authenticatorKinds[receipt.predicate.method];
  if (receipt.predicateType === DENIAL_TYPE) {
    const { denied: at } = receipt.predicate;
    return { isDenial: true, noun: 'denial', at, activity: kind.denied, batch: null, verdict: null };
  }
  const { approved: at, batch = null, verdict } = receipt.predicate;
  return { isDenial: false, noun: 'approval', at, activity: kind.approved, batch, verdict };
}

/** Checks that the receipt is about what was signed, and from the server of the key list. */
export function checkSubject(receipt: SignedReceipt, { host }: Trust): Finding[] {
  const { subject, predicate } = receipt;
  const { statement, issuer } = predicate;
  const { noun } = partsOf(receipt);
  const [about] = subject;
  const findings: Finding[] = [];
  if (issuer !== host)
    findings.push(failed('server', `The receipt is from ${issuer}, the key list from ${host}.`));
  if (statement.host !== host)
    findings.push(failed('statement', `The ${noun} was given on ${statement.host}, not on ${host}.`));
  if (!about || about.digest.gitCommit !== statement.head || !isRepository(about.name, statement.repo.name))
    findings.push(failed('subject', `The receipt names another repository or commit than the ${noun}.`));
  return findings;
}

/** Tells whether an address is that of this repository: GitHub's own host is what the server says. */
function isRepository(address: string, name: string): boolean {
  const origin = URL.canParse(address) ? new URL(address).origin : 'null';
  return origin.startsWith('http') && address === `${origin}/${name}`;
}

/** Checks that a person's key signed the approval or the denial; a one-time code signs nothing. */
export async function checkSignature(receipt: SignedReceipt): Promise<Finding[]> {
  const { proved, claimed, failed } = findingsAbout('signature');
  const { statement, assertion, publicKey, method, userVerified } = receipt.predicate;
  const { user, repo, pr, head, base } = statement;
  const { isDenial, noun, batch } = partsOf(receipt);
  const commit = `commit ${head} of ${repo.name}#${pr} into ${base}`;
  const what = isDenial ? `the denial of ${commit}` : commit;
  if (method === 'totp') {
    return assertion === null && publicKey === null && batch === null && !userVerified
      ? [claimed(`${nameOf(user)} entered a one-time code for ${what}: only the server says so.`)]
      : [failed('A one-time code has no signature, but the receipt brings one.')];
  }
  if (assertion === null || publicKey === null)
    return [failed('The receipt of a passkey or security key has no signature of it.')];
  const by = { assertion, publicKey };
  const verified = await (statement.purpose === 'deny'
    ? verifyStatement({ statement, ...by })
    : verifyApproval({ statement, batch, ...by }));
  if (!verified) return [failed(`The key in the receipt didn’t sign this ${noun} of ${commit}.`)];
  if (verified.userVerified !== userVerified)
    return [failed('What the receipt says about fingerprint, face or PIN isn’t what was signed.')];
  const how = userVerified
    ? 'with a fingerprint, face or PIN'
    : 'with a touch, without fingerprint, face or PIN';
  return [proved(`The key of ${nameOf(user)} signed exactly ${what}, ${how}${othersIn(batch)}.`)];
}

/** Says that a receipt is of a denial, and checks its reason; nothing for an approval. */
export function checkDenial(receipt: SignedReceipt): Finding[] {
  if (receipt.predicateType !== DENIAL_TYPE) return [];
  const { proved, claimed, failed } = findingsAbout('denial');
  const { statement, reason, method } = receipt.predicate;
  // Half of a surrogate pair has no UTF-8 form.
  if (/\p{Cs}/u.test(reason) || hashBase64url(reason) !== statement.reasonSha256)
    return [failed('The reason in the receipt isn’t the one that was given with this denial.')];
  // The reason is a person's own text, so nothing follows it that it could imitate.
  const text = `This is a denial, which approves nothing. Its reason: “${reason}”`;
  return [method === 'totp' ? claimed(text) : proved(text)];
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
