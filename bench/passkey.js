// A passkey in software, with a real ES256 key and real signatures.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

const sha256 = (data) => createHash('sha256').update(data).digest();
const FLAGS = { present: 1, verified: 4, attested: 64 };

export function createPasskey(origin) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y } = publicKey.export({ format: 'jwk' });
  const bytes = (text) => new Uint8Array(Buffer.from(text, 'base64url'));
  const cose = [
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, bytes(x)],
    [-3, bytes(y)],
  ];
  const rawId = randomBytes(32);
  const id = rawId.toString('base64url');
  const parts = { id, rawId: id, type: 'public-key', clientExtensionResults: {} };
  const clientData = (type, challenge) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const authenticatorData = (flags) =>
    Buffer.concat([sha256(new URL(origin).hostname), Buffer.from([flags, 0, 0, 0, 0])]);
  return {
    create({ challenge }) {
      const attested = Buffer.concat([
        authenticatorData(FLAGS.present | FLAGS.verified | FLAGS.attested),
        Buffer.alloc(16),
        Buffer.from([0, rawId.length]),
        rawId,
        isoCBOR.encode(new Map(cose)),
      ]);
      const attestation = { fmt: 'none', attStmt: new Map(), authData: new Uint8Array(attested) };
      const response = {
        clientDataJSON: clientData('webauthn.create', challenge).toString('base64url'),
        attestationObject: Buffer.from(isoCBOR.encode(new Map(Object.entries(attestation)))).toString(
          'base64url',
        ),
        transports: ['internal'],
      };
      return { ...parts, response };
    },
    get({ challenge }) {
      const data = clientData('webauthn.get', challenge);
      const authData = authenticatorData(FLAGS.present | FLAGS.verified);
      const response = {
        clientDataJSON: data.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: sign('sha256', Buffer.concat([authData, sha256(data)]), privateKey).toString('base64url'),
      };
      return { ...parts, response };
    },
  };
}
