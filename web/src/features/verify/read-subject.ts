/** What a receipt says it's about. Nothing of this is verified. */
export type Subject = { title: string; checkpoint: string | undefined };

type Claims = {
  predicate?: {
    statement?: { repo?: { name?: unknown }; pr?: unknown; head?: unknown; user?: { login?: unknown } };
    log?: { checkpoint?: unknown } | null;
  };
};

/** Null if it isn't readable. */
export function readSubject(envelope: unknown): Subject | null {
  try {
    const bytes = Uint8Array.from(atob((envelope as { payload: string }).payload), (sign) =>
      sign.charCodeAt(0),
    );
    const { predicate }: Claims = JSON.parse(new TextDecoder().decode(bytes));
    const { repo, pr, head, user } = predicate?.statement ?? {};
    const checkpoint = predicate?.log?.checkpoint;
    const short = String(head).slice(0, 8);
    return {
      title: `${repo?.name} #${pr} at ${short}, by ${user?.login}`.slice(0, 300),
      checkpoint: typeof checkpoint === 'string' ? checkpoint : undefined,
    };
  } catch {
    return null;
  }
}
