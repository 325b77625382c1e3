/**
 * A token that the local GitHub issued, and to whom. `emulatorToken` is the token by which the emulator knows the same
 * person.
 */
export type IssuedToken =
  | { kind: 'personal'; login: string; emulatorToken: string }
  | {
      kind: 'user';
      id: number;
      login: string;
      emulatorToken: string;
      clientID: string;
      scopes: string[];
      created: string;
    }
  | { kind: 'installation'; installation: number; emulatorToken: string; expires: number };

/** Every valid token. */
export type Tokens = {
  add(token: string, issued: IssuedToken): void;
  /** Undefined for a token that was never issued, was revoked or has expired. */
  find(token: string): IssuedToken | undefined;
  revoke(isRevoked: (issued: IssuedToken) => boolean): void;
  all(): readonly IssuedToken[];
};

/** Starts with no tokens; `now` is in milliseconds. */
export function createTokens(now: () => number = Date.now): Tokens {
  const tokens = new Map<string, IssuedToken>();
  return {
    add: (token, issued) => void tokens.set(token, issued),
    find: (token) => {
      const issued = tokens.get(token);
      if (issued?.kind === 'installation' && issued.expires <= now()) return undefined;
      return issued;
    },
    revoke: (isRevoked) => {
      for (const [token, issued] of tokens) if (isRevoked(issued)) tokens.delete(token);
    },
    all: () => [...tokens.values()],
  };
}
