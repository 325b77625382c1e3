import type { LoggedVerdict } from '../contract/log-entry.ts';
import { type KeyList, type ReceiptStatement, receiptStatement } from '../contract/receipts.ts';
import { isBounded } from './bounds.ts';
import { parseJson } from './bytes.ts';
import { checkEnrolment } from './check-enrolment.ts';
import { checkEntry, checkLog } from './check-log.ts';
import {
  checkKind,
  checkSignature,
  checkSubject,
  type LoggedReceipt,
  nameOf,
  partsOf,
  type SignedReceipt,
  type Trust,
} from './check-statement.ts';
import { findSigner, parseEnvelope } from './dsse.ts';
import { claimed, type Finding, failed, proved, toVerification, type Verification } from './findings.ts';
import { NO_KEYS, publicKeysOf } from './trusted-log.ts';

type ReceiptOptions = {
  /** The server's published key list, from somewhere other than the receipt; null if there is none: then not valid. */
  keyList: KeyList | null;
  /** A checkpoint of the same log from somewhere else: the receipt has to be proved by the same one. */
  checkpoint?: string | undefined;
};

/** Values in an envelope or a bundle of them, and in what is signed in one. */
const MOST_VALUES = 200_000;

/**
 * Verifies a receipt, or all of a bundle `{receipts: […]}`, as docs/receipts/format.md has it. Never throws.
 *
 * @param input What `JSON.parse` made of the file.
 */
export async function verifyReceipt(input: unknown, options: ReceiptOptions): Promise<Verification> {
  try {
    return toVerification(await verifyAll(input, options));
  } catch {
    return toVerification([failed('receipt', 'The receipt can’t be read.')]);
  }
}

async function verifyAll(input: unknown, { keyList, checkpoint }: ReceiptOptions): Promise<Finding[]> {
  if (!keyList) return [failed('keys', NO_KEYS)];
  const trust = { host: keyList.host, keys: publicKeysOf(keyList), checkpoint };
  if (!isBounded(input, MOST_VALUES)) return [failed('receipt', 'The file is too large or too deep.')];
  const bundled = receiptsIn(input);
  if (!bundled) return verifyOne(input, trust);
  if (bundled.length === 0) return [failed('receipt', 'The file has no receipt.')];
  const findings: Finding[] = [];
  for (const [at, envelope] of bundled.entries()) {
    const found = await verifyOne(envelope, trust).catch(() => [
      failed('receipt', 'The receipt can’t be read.'),
    ]);
    for (const finding of found) findings.push({ ...finding, receipt: at + 1 });
  }
  return findings;
}

/** Null if the file isn't a bundle. */
function receiptsIn(input: unknown): unknown[] | null {
  const isObject = typeof input === 'object' && input !== null && 'receipts' in input;
  return isObject && Array.isArray(input.receipts) ? input.receipts : null;
}

async function verifyOne(input: unknown, trust: Trust): Promise<Finding[]> {
  const parsed = parseEnvelope(input);
  if (!parsed)
    return [failed('receipt', 'This isn’t a receipt: it’s no DSSE envelope of an in-toto statement.')];
  const signer = findSigner(parsed, trust.keys);
  if (signer === null)
    return [
      failed('server', 'No key of the published list signed this receipt as it is. Trust nothing in it.'),
    ];
  const signed = parseStatement(parsed.payload);
  if (!signed) return [failed('receipt', 'What is signed here isn’t the statement of a receipt.')];
  return verifySigned({ ...signed, signer }, trust);
}

async function verifySigned(receipt: SignedReceipt, trust: Trust): Promise<Finding[]> {
  const { log, findings } = checkLog(receipt, trust);
  return [
    proved('server', `The server’s published key ${receipt.signer} signed this receipt.`),
    ...checkSubject(receipt, trust),
    ...checkKind(receipt),
    ...(await checkSignature(receipt)),
    ...findings,
    ...checkEntry({ receipt, log }),
    ...(await checkEnrolment({ receipt, log })),
    ...listClaims({ receipt, log }),
  ];
}

/** The statement exactly as it was signed: hashes over its parts include members that the schema doesn't name. */
function parseStatement(payload: Uint8Array): ReceiptStatement | null {
  try {
    const value = parseJson(payload);
    const fits = isBounded(value, MOST_VALUES) && receiptStatement.safeParse(value).success;
    return fits ? (value as ReceiptStatement) : null;
  } catch {
    return null;
  }
}

/** Lists a receipt's statements that no signature or hash proves. */
function listClaims({ receipt }: LoggedReceipt): Finding[] {
  const { statement, issued, withdrawn, authenticator, method } = receipt.predicate;
  const { noun, done, ended, at, verdict } = partsOf(receipt);
  const findings = [
    claimed('time', `${done} at ${at}, receipt issued at ${issued}: by the server’s clock.`),
    claimed(
      'person',
      `The server says that ${nameOf(statement.user)} signed in with GitHub and belongs to ${statement.org.login}.`,
    ),
  ];
  if (method !== 'totp') findings.push(claimed('model', modelText(authenticator)));
  const judged = statement.purpose === 'deploy' ? 'deployment' : 'pull request';
  if (verdict !== undefined) findings.push(claimed('verdict', verdictText(verdict, judged)));
  if (withdrawn !== null)
    findings.push(claimed('withdrawn', `The ${noun} ${ended} at ${withdrawn}. It no longer counts.`));
  return findings;
}

function modelText({ aaguid, model, modelVerified }: ReceiptStatement['predicate']['authenticator']) {
  if (aaguid === '' && model === '') return 'The key didn’t say which model it is.';
  const name = model === '' ? aaguid : model;
  return modelVerified
    ? `A certificate that the server’s operator trusts names the key’s model: ${name}. The server checked it.`
    : `The key says that its model is ${name}. No certificate proves it.`;
}

function verdictText(verdict: LoggedVerdict | null, judged: string): string {
  if (!verdict) return 'The receipt doesn’t say what the server decided.';
  const { passed, policyNumber, rules } = verdict;
  const missing = rules
    .filter(({ met }) => !met)
    .map(({ name, missing: what }) => `${name || 'approval'}: ${what}`);
  const policy = policyNumber === 0 ? 'the default policy' : `policy ${policyNumber}`;
  const decided = `By ${policy} the server let the ${judged} ${passed ? 'pass' : 'wait'}`;
  return missing.length === 0 ? `${decided}.` : `${decided}. Missing: ${missing.join('; ')}.`;
}
