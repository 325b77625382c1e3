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

export type Tokens = ReturnType<typeof createTokens>;

/** Every valid token. */
export function createTokens() {
  const tokens = new Map<string, IssuedToken>();
  return {
    add: (token: string, issued: IssuedToken) => void tokens.set(token, issued),
    /** Undefined for a token that was never issued, was revoked or has expired. */
    find: (token: string) => {
      const issued = tokens.get(token);
      if (issued?.kind === 'installation' && issued.expires <= Date.now()) return undefined;
      return issued;
    },
    revoke: (isRevoked: (issued: IssuedToken) => boolean) => {
      for (const [token, issued] of tokens) if (isRevoked(issued)) tokens.delete(token);
    },
    all: () => [...tokens.values()],
  };
}
