import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { type Envelope, envelope } from '../contract/receipts.ts';
import { decodeBase64 } from './bytes.ts';
import { verifyEd25519 } from './signed-note.ts';

/** The bytes that a signature of an envelope covers: DSSE v1.0, "PAE". */
export function preAuthEncoding(payloadType: string, payload: Uint8Array): Uint8Array {
  const type = utf8ToBytes(payloadType);
  return concatBytes(
    utf8ToBytes(`DSSEv1 ${type.length} `),
    type,
    utf8ToBytes(` ${payload.length} `),
    payload,
  );
}

/** Null if it isn't an envelope around an in-toto statement. Nothing is verified. */
export function parseEnvelope(input: unknown): { envelope: Envelope; payload: Uint8Array } | null {
  const { data } = envelope.safeParse(input);
  const payload = data && decodeBase64(data.payload);
  return payload ? { envelope: data, payload } : null;
}

/**
 * The id of the published key that signed an envelope. A signature of a published key that doesn't verify spoils the
 * envelope; those of other keys say nothing.
 */
export function findSigner(
  { envelope, payload }: { envelope: Envelope; payload: Uint8Array },
  keys: { id: string; publicKey: Uint8Array }[],
): string | null {
  const message = preAuthEncoding(envelope.payloadType, payload);
  const ofKnown = envelope.signatures.flatMap(({ keyid, sig }) =>
    keys
      .filter(({ id }) => id === keyid)
      .map(({ publicKey }) => ({ keyid, sig: decodeBase64(sig), publicKey })),
  );
  const areAllValid = ofKnown.every(
    ({ sig, publicKey }) => sig !== null && verifyEd25519(sig, message, publicKey),
  );
  return areAllValid ? (ofKnown[0]?.keyid ?? null) : null;
}
