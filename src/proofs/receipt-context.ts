import type { KeyList, ReceiptStatement } from '../contract/receipts.ts';
import type { TrustedCheckpoint } from './trusted-log.ts';

/** What a verification relies on. */
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
