import type { SigningKey } from '../audit/ports.ts';
import type { Envelope, ReceiptStatement } from '../contract/receipts.ts';
import { preAuthEncoding } from '../proofs/dsse.ts';

const PAYLOAD_TYPE = 'application/vnd.in-toto+json';

/** Wraps a statement in a DSSE envelope (v1.0) with the server's signature. */
export function signEnvelope(key: SigningKey, statement: ReceiptStatement): Envelope {
  const payload = Buffer.from(JSON.stringify(statement));
  const signature = key.sign(preAuthEncoding(PAYLOAD_TYPE, payload));
  return {
    payloadType: PAYLOAD_TYPE,
    payload: payload.toString('base64'),
    signatures: [{ keyid: key.id, sig: Buffer.from(signature).toString('base64') }],
  };
}
