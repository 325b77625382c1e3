import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import { Secret, TOTP } from 'otpauth';

/** How a test can falsify a ceremony. */
export type Twist = {
  origin?: string;
  rpId?: string;
  /** Flags of the authenticator data: UP 1, UV 4, AT 64. */
  flags?: number;
  counter?: number;
  challenge?: string;
  type?: string;
  crossOrigin?: boolean;
  userHandle?: string | null;
  breakSignature?: boolean;
  /** The model that a registration names. */
  aaguid?: string;
};

export const UP = 1;
export const UV = 4;
const AT = 64;

type Algorithm = 'ES256' | 'RS256' | 'EdDSA';

/** A key that no honest authenticator makes. */
export type OddKey = { cose: ReadonlyMap<number, unknown>; sign(message: Buffer): Buffer };

const encodeCose = (cose: OddKey['cose']): Buffer =>
  Buffer.from(isoCBOR.encode(new Map(cose) as Parameters<typeof isoCBOR.encode>[0]));

function newKeyPair(algorithm: Algorithm) {
  if (algorithm === 'RS256') return generateKeyPairSync('rsa', { modulusLength: 2048 });
  return algorithm === 'EdDSA'
    ? generateKeyPairSync('ed25519')
    : generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

/**
 * A WebAuthn authenticator and browser in software, with a real key and real signatures, so that a test can also send
 * responses that no browser would.
 */
export class SoftwareAuthenticator {
  readonly credentialId: Buffer;
  readonly #key: KeyObject;
  readonly #sign: (message: Buffer) => Buffer;
  readonly #cosePublicKey: Buffer;
  readonly #origin: string;
  #counter = 0;

  constructor(
    origin: string,
    credentialId: Buffer = randomBytes(32),
    kind: Algorithm | OddKey = 'ES256',
    { privateKey, publicKey } = newKeyPair(typeof kind === 'string' ? kind : 'ES256'),
  ) {
    this.#origin = origin;
    this.credentialId = credentialId;
    this.#key = privateKey;
    this.#sign = (message) =>
      sign(privateKey.asymmetricKeyType === 'ed25519' ? null : 'sha256', message, privateKey);
    if (typeof kind === 'object') {
      this.#cosePublicKey = encodeCose(kind.cose);
      this.#sign = kind.sign;
      return;
    }
    const { x = '', y = '', n = '', e = '' } = publicKey.export({ format: 'jwk' });
    const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));
    const members = {
      ES256: [2, -7, 1, bytes(x), bytes(y)],
      RS256: [3, -257, bytes(n), bytes(e)],
      EdDSA: [1, -8, 6, bytes(x)],
    }[kind];
    const cose = new Map(members.map((member, at) => [[1, 3, -1, -2, -3][at] as number, member]));
    this.#cosePublicKey = encodeCose(cose);
  }

  get id(): string {
    return this.credentialId.toString('base64url');
  }

  /** Its private key, PKCS #8 in base64, for a browser's virtual authenticator. */
  get privateKey(): string {
    return this.#key.export({ type: 'pkcs8', format: 'der' }).toString('base64');
  }

  /** Its COSE public key in base64url. */
  get publicKey(): string {
    return this.#cosePublicKey.toString('base64url');
  }

  /** `RegistrationResponseJSON` with attestation `none`. */
  create(options: { challenge: string }, twist: Twist = {}) {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.credentialId.length);
    const aaguid = twist.aaguid ? Buffer.from(twist.aaguid.replaceAll('-', ''), 'hex') : Buffer.alloc(16);
    const attested = Buffer.concat([aaguid, length, this.credentialId, this.#cosePublicKey]);
    const authData = this.#authenticatorData({ flags: UP | UV | AT, counter: 0, ...twist }, attested);
    const attestationObject = isoCBOR.encode(
      new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(authData)],
      ]) as Parameters<typeof isoCBOR.encode>[0],
    );
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      response: {
        clientDataJSON: this.#clientData('webauthn.create', options.challenge, twist).toString('base64url'),
        attestationObject: Buffer.from(attestationObject).toString('base64url'),
        transports: ['internal'],
      },
      clientExtensionResults: {},
    };
  }

  /** `AuthenticationResponseJSON`. */
  get(options: { challenge: string }, twist: Twist = {}) {
    this.#counter += 1;
    const clientData = this.#clientData('webauthn.get', options.challenge, twist);
    const authData = this.#authenticatorData({ flags: UP | UV, counter: this.#counter, ...twist });
    const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()]);
    const signature = this.#sign(signed);
    if (twist.breakSignature) signature[signature.length - 1] = (signature.at(-1) ?? 0) ^ 1;
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: signature.toString('base64url'),
        ...(twist.userHandle !== undefined && { userHandle: twist.userHandle }),
      },
      clientExtensionResults: {},
    };
  }

  #clientData(type: string, challenge: string, twist: Twist): Buffer {
    return Buffer.from(
      JSON.stringify({
        type: twist.type ?? type,
        challenge: twist.challenge ?? challenge,
        origin: twist.origin ?? this.#origin,
        crossOrigin: twist.crossOrigin ?? false,
      }),
    );
  }

  #authenticatorData(twist: Twist & { flags: number; counter: number }, attested = Buffer.alloc(0)): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(twist.counter);
    const rpIdHash = createHash('sha256')
      .update(twist.rpId ?? new URL(this.#origin).hostname)
      .digest();
    return Buffer.concat([rpIdHash, Buffer.from([twist.flags]), counter, attested]);
  }
}

const STEP_MS = 30_000;

/** An authenticator app with one secret. */
export class CodeApp {
  readonly base32: string;
  readonly #totp: TOTP;

  constructor(secret: Uint8Array = randomBytes(16)) {
    const stored = new Secret({ buffer: new Uint8Array(secret).buffer });
    this.base32 = stored.base32;
    this.#totp = new TOTP({ secret: stored, algorithm: 'SHA1', digits: 6, period: STEP_MS / 1000 });
  }

  codeAt(ms: number): string {
    return this.#totp.generate({ timestamp: ms });
  }

  /** A code that it doesn't show around this time. */
  wrongCodeAt(ms: number): string {
    const shown = [-2, -1, 0, 1, 2].map((steps) => this.codeAt(ms + steps * STEP_MS));
    const all = ['271828', '314159', '161803', '141421', '173205', '223606'];
    return all.find((code) => !shown.includes(code)) ?? '';
  }
}
