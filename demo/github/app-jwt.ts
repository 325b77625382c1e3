import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { APP } from './credentials.ts';

export type AppKey = ReturnType<typeof createAppKey>;

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

type Claims = { iss?: unknown; exp?: unknown };

function claimsOf(part: string): Claims | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof claims === 'object' && claims !== null ? claims : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Signs and verifies the App's JSON web tokens (GitHub: "Generating a JSON Web Token for a GitHub App"). Both the App's id
 * and `clientID` are accepted as issuer.
 */
export function createAppKey(privateKey: string, clientID: string) {
  const key = createPrivateKey(privateKey);
  const publicKey = createPublicKey(key);
  return {
    sign: () => {
      const now = Math.floor(Date.now() / 1000);
      const claims = { iss: APP.id, iat: now - 60, exp: now + 300 };
      const input = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`;
      return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`;
    },
    /** False for another key, another App, an expired token, or a token that lives longer than GitHub allows. */
    verify: (token: string): boolean => {
      const [head = '', body = '', signature = ''] = token.split('.');
      const signed = Buffer.from(`${head}.${body}`);
      if (!verify('sha256', signed, publicKey, Buffer.from(signature, 'base64url'))) return false;
      const claims = claimsOf(body);
      const now = Date.now() / 1000;
      // GitHub's ten minutes, plus one for clocks that differ.
      const isTimely = typeof claims?.exp === 'number' && claims.exp > now && claims.exp < now + 660;
      return isTimely && [String(APP.id), clientID].includes(String(claims.iss));
    },
  };
}
