import type { Installations } from '../approvals/ports.ts';
import type { Clock } from '../clock.ts';
import { confirmRole } from './confirm-role.ts';
import type { Members, Memberships, Organizations, Session } from './ports.ts';

/** How long GitHub's word on a person's memberships holds. No authority is kept longer. */
const HOLDS_MS = 60_000;

type Deps = {
  installations: Installations;
  members: Members;
  memberships: Memberships;
  organizations: Organizations;
  clock: Clock;
};

/**
 * Makes the memberships of the session's person what GitHub says, before
 * anything is shown by them; asked once a minute for each person.
 *
 * @throws AppError `githubUnavailable`, `storeUnavailable`: then nothing may be shown.
 */
export type CurrentMemberships = (session: Session) => Promise<void>;

export function createCurrentMemberships(deps: Deps): CurrentMemberships {
  const asked = new Map<string, { answer: Promise<void>; until: number }>();
  return (session) => {
    const now = deps.clock.now().getTime();
    for (const [key, { until }] of asked) if (until <= now) asked.delete(key);
    const known = asked.get(session.userId);
    if (known) return known.answer;
    const answer = askAll(deps, session);
    asked.set(session.userId, { answer, until: now + HOLDS_MS });
    // What did not come is asked for again.
    answer.catch(() => asked.delete(session.userId));
    return answer;
  };
}

async function askAll(deps: Deps, session: Session): Promise<void> {
  const all = await deps.memberships.of(session.userId);
  await Promise.all(
    all.map(async ({ org, role }) => {
      const now = await confirmRole(deps, org, session);
      if (now === 'unknown' || now.role === role) return;
      await deps.memberships.save(org, { ...session, login: now.login }, now.role);
    }),
  );
}
