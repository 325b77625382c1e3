import { receiptStatement } from '../contract/receipts.ts';
import { parseEnvelope } from './dsse.ts';
import { findCheckpoints } from './find-checkpoints.ts';

/** The checkpoints in a file that somebody kept: an e-mail, a check run's summary, or a receipt. Nothing is verified. */
export function findKeptCheckpoints(text: string): string[] {
  const ofReceipt = checkpointOfReceipt(text);
  return ofReceipt === null ? findCheckpoints(text) : [ofReceipt];
}

/** Null if it isn't a receipt, or one from before the log began. */
function checkpointOfReceipt(text: string): string | null {
  try {
    const payload = parseEnvelope(JSON.parse(text))?.payload;
    const { data } = receiptStatement.safeParse(JSON.parse(new TextDecoder().decode(payload)));
    return data?.predicate.log?.checkpoint ?? null;
  } catch {
    return null;
  }
}
