import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const [UP_UV, ATTESTED] = [5, 64];
const sha256 = (data) => createHash('sha256').update(data).digest();
const text = (value) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);

/** A passkey with an ES256 key, in software, and the browser around it. */
export function createPasskey(origin) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y } = publicKey.export({ format: 'jwk' });
  const point = (value) => Buffer.concat([Buffer.from([0x58, 32]), Buffer.from(value, 'base64url')]);
  // RFC 9053: EC2, ES256, P-256, x, y.
  const cose = Buffer.concat([
    Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21]),
    point(x),
    Buffer.from([0x22]),
    point(y),
  ]);
  const credential = randomBytes(32);
  const id = credential.toString('base64url');
  let counter = 0;
  const clientData = (type, challenge) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const authData = (flags, attested = Buffer.alloc(0)) => {
    const rest = Buffer.alloc(5);
    rest[0] = flags;
    rest.writeUInt32BE(counter, 1);
    return Buffer.concat([sha256(new URL(origin).hostname), rest, attested]);
  };
  const answer = (response) => ({
    ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {} },
    response: Object.fromEntries(
      Object.entries(response).map(([name, one]) => [name, one.toString('base64url')]),
    ),
  });
  return {
    /** `RegistrationResponseJSON` with attestation `none`. */
    create({ challenge }) {
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, 32]), credential, cose]);
      const data = authData(UP_UV | ATTESTED, attested);
      const attestationObject = Buffer.concat([
        ...[Buffer.from([0xa3]), text('fmt'), text('none'), text('attStmt'), Buffer.from([0xa0])],
        ...[text('authData'), Buffer.from([0x58, data.length]), data],
      ]);
      return answer({ clientDataJSON: clientData('webauthn.create', challenge), attestationObject });
    },
    /** `AuthenticationResponseJSON`. */
    get({ challenge }) {
      counter += 1;
      const clientDataJSON = clientData('webauthn.get', challenge);
      const authenticatorData = authData(UP_UV);
      const signed = Buffer.concat([authenticatorData, sha256(clientDataJSON)]);
      return answer({ clientDataJSON, authenticatorData, signature: sign('sha256', signed, privateKey) });
    },
  };
}
