/** What a token was given for. `inner` is the token under which the emulator knows the same person. */
export type Grant =
  | { kind: 'personal'; login: string; inner: string }
  | {
      kind: 'user';
      id: number;
      login: string;
      inner: string;
      clientID: string;
      scopes: string[];
      created: string;
    }
  | { kind: 'installation'; installation: number; inner: string; expires: number };

/** Every token that was given out and still counts. */
export type TokenBook = {
  add(token: string, grant: Grant): void;
  /** Undefined for a token that nobody was given, that was taken back or that expired. */
  find(token: string): Grant | undefined;
  /** Ends every token for which `ends` is true, and says how many there were. */
  end(ends: (grant: Grant, token: string) => boolean): number;
  all(): readonly Grant[];
};

/** An empty book; `now` is in milliseconds. */
export function createTokenBook(now: () => number = Date.now): TokenBook {
  const grants = new Map<string, Grant>();
  return {
    add: (token, grant) => void grants.set(token, grant),
    find: (token) => {
      const grant = grants.get(token);
      if (grant?.kind === 'installation' && grant.expires <= now()) return undefined;
      return grant;
    },
    end: (ends) => {
      const ended = [...grants].filter(([token, grant]) => ends(grant, token));
      for (const [token] of ended) grants.delete(token);
      return ended.length;
    },
    all: () => [...grants.values()],
  };
}
