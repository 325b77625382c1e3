import type { KeyList } from '../contract/receipts.ts';
import { failed, toVerification, type Verification } from './findings.ts';

export type ReceiptOptions = {
  /** The server's published key list, from somewhere other than the receipt; null if there is none: then not valid. */
  keyList: KeyList | null;
  /** A checkpoint of the same log from somewhere else: the receipt has to be proved by the same one. */
  checkpoint?: string | undefined;
};

/**
 * Verifies a receipt, or all of a bundle `{receipts: […]}`, as docs/receipts.md has it. Never throws.
 *
 * @param input What `JSON.parse` made of the file.
 */
export async function verifyReceipt(_input: unknown, _options: ReceiptOptions): Promise<Verification> {
  return toVerification([failed('receipt', 'Receipts can’t be verified yet.')]);
}
