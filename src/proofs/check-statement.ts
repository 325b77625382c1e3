import { authenticatorKinds } from '../contract/authenticator-kinds.ts';
import type { LoggedVerdict } from '../contract/log-entry.ts';
import {
  APPROVAL_TYPE,
  DENIAL_TYPE,
  DEPLOYMENT_TYPE,
  type KeyList,
  type ReceiptStatement,
} from '../contract/receipts.ts';
import type { BatchStatement } from '../contract/statement.ts';
import { hashBase64url } from './bytes.ts';
import { type Finding, failed, findingsAbout, proved } from './findings.ts';
import type { TrustedCheckpoint } from './trusted-log.ts';
import { verifyApproval, verifyStatement } from './verify-statement.ts';

/** The words for each decision, by the purpose of its statement. `signed` is what it adds to its object in a sentence. */
const WORDS = {
  approve: { noun: 'approval', signed: '', done: 'Approved', ended: 'was withdrawn' },
  deny: { noun: 'denial', signed: 'the denial of ', done: 'Denied', ended: 'ended' },
  deploy: {
    noun: 'approval of a deployment',
    signed: 'the deployment of ',
    done: 'Approved for deployment',
    ended: 'was withdrawn',
  },
  reject: {
    noun: 'rejection of a deployment',
    signed: 'the rejection of the deployment of ',
    done: 'Rejected for deployment',
    ended: 'was withdrawn',
  },
};

/**
 * The parts of a receipt that differ between decisions. `activity` and `data` are those of its log entry. Without a
 * `verdict`, decisions of this kind have none.
 */
export function partsOf(receipt: ReceiptStatement) {
  const { method, statement } = receipt.predicate;
  const { purpose } = statement;
  const activity = authenticatorKinds[method][purpose];
  return { ...WORDS[purpose], activity, ...objectOf(statement), ...decidedIn(receipt) };
}

function objectOf(statement: ReceiptStatement['predicate']['statement']) {
  const { head, repo } = statement;
  if (statement.purpose === 'approve' || statement.purpose === 'deny') {
    const { pr, base } = statement;
    return { object: `commit ${head} of ${repo.name}#${pr} into ${base}`, data: { pr, base } };
  }
  const { environment, run, attempt, workflow, ref } = statement;
  const by = `by run ${run}, attempt ${attempt} (${named(workflow)}, on ${named(ref)})`;
  const object = `commit ${head} of ${repo.name} to ${named(environment)} ${by}`;
  return { object, data: { environment, run, base: ref } };
}

/** Whoever may push chooses these names: one that could imitate the sentence around it is quoted. */
const named = (name: string) => (/^[\p{L}\p{N}._/@+-]+$/u.test(name) ? name : JSON.stringify(name));

type Decided = { at: string; batch: BatchStatement | null; verdict?: LoggedVerdict | null };

function decidedIn({ predicateType, predicate }: ReceiptStatement): Decided {
  if (predicateType === DENIAL_TYPE) return { at: predicate.denied, batch: null };
  if (predicateType === DEPLOYMENT_TYPE) {
    const { decided: at, reason, verdict } = predicate;
    return { at, batch: null, ...(reason === null && { verdict }) };
  }
  const { approved: at, batch = null, verdict } = predicate;
  return { at, batch, verdict };
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

/** Checks that a person's key signed the decision; a one-time code signs nothing. */
export async function checkSignature(receipt: SignedReceipt): Promise<Finding[]> {
  const { proved, claimed, failed } = findingsAbout('signature');
  const { statement, assertion, publicKey, method, userVerified } = receipt.predicate;
  const { user } = statement;
  const { noun, object, signed, batch } = partsOf(receipt);
  const what = `${signed}${object}`;
  if (method === 'totp') {
    return assertion === null && publicKey === null && batch === null && !userVerified
      ? [claimed(`${nameOf(user)} entered a one-time code for ${what}: only the server says so.`)]
      : [failed('A one-time code has no signature, but the receipt brings one.')];
  }
  if (assertion === null || publicKey === null)
    return [failed('The receipt of a passkey or security key has no signature of it.')];
  const by = { assertion, publicKey };
  const verified = await (statement.purpose === 'approve'
    ? verifyApproval({ statement, batch, ...by })
    : verifyStatement({ statement, ...by }));
  if (!verified) return [failed(`The key in the receipt didn’t sign this ${noun}: ${object}.`)];
  if (verified.userVerified !== userVerified)
    return [failed('What the receipt says about fingerprint, face or PIN isn’t what was signed.')];
  const how = userVerified
    ? 'with a fingerprint, face or PIN'
    : 'with a touch, without fingerprint, face or PIN';
  return [proved(`The key of ${nameOf(user)} signed exactly ${what}, ${how}${othersIn(batch)}.`)];
}

/** Says that a receipt approves no pull request, and checks its reason; nothing for an approval of one. */
export function checkKind(receipt: SignedReceipt): Finding[] {
  if (receipt.predicateType === APPROVAL_TYPE) return [];
  const { predicate } = receipt;
  const { noun } = partsOf(receipt);
  if (predicate.reason === null)
    return [proved('deployment', `This is an ${noun}, which approves no pull request.`)];
  const { reason, statement, method } = predicate;
  const about = findingsAbout(statement.purpose === 'deny' ? 'denial' : 'rejection');
  // Half of a surrogate pair has no UTF-8 form.
  if (/\p{Cs}/u.test(reason) || hashBase64url(reason) !== statement.reasonSha256)
    return [about.failed(`The reason in the receipt isn’t the one that was given with this ${noun}.`)];
  // The reason is a person's own text, so nothing follows it that it could imitate.
  const text = `This is a ${noun}, which approves nothing. Its reason: “${reason}”`;
  return [method === 'totp' ? about.claimed(text) : about.proved(text)];
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
