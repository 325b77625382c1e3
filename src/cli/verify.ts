import { findCheckpoints } from '../proofs/checkpoint.ts';
import { refusalIn } from '../proofs/findings.ts';
import { verifyReceipt } from '../proofs/verify-receipt.ts';
import { printFindings } from './print.ts';
import { orUnchecked, readJson, readText } from './read-file.ts';
import { issuerOfReceipt, type KeyOptions, readKeyList, withoutKeys } from './read-key-list.ts';

/** Exit codes, as those of `otp-guard status`: a script that goes on after 0 never takes a denial or a rejection for an approval. */
const [VALID, INVALID, DENIED] = [0, 1, 4];

type VerifyOptions = KeyOptions & { checkpoint?: string; json?: boolean };

const LARGEST_RECEIPTS = 256 * 2 ** 20;
const LARGEST_CHECKPOINT = 64 * 2 ** 10;

/**
 * `otp-guard verify`: prints what a receipt proves.
 *
 * @returns 0 if all are valid approvals, of deployments too, 1 if one isn't valid, 4 if all are valid and one is a denial or
 *   a rejected deployment.
 * @throws UncheckedError if what was given isn't enough to tell; UnreadableError if it's no receipt.
 */
export async function verify(file: string, options: VerifyOptions): Promise<number> {
  const keyList = await readKeyList(options);
  const input = await readJson(file, LARGEST_RECEIPTS);
  if (!keyList) throw withoutKeys(file, issuerOfReceipt(input));
  const { checkpoint: kept } = options;
  const text = kept === undefined ? undefined : await orUnchecked(readText(kept, LARGEST_CHECKPOINT));
  const checkpoint = text === undefined ? undefined : (findCheckpoints(text)[0] ?? text);
  const found = await verifyReceipt(input, { keyList, checkpoint });
  printFindings(found, options);
  if (!found.valid) return INVALID;
  return refusalIn(found) ? DENIED : VALID;
}
