import type { Installations } from '../approvals/ports.ts';
import type { Clock } from '../clock.ts';
import type { Members, Memberships, Organization, Organizations, Role, Session } from './ports.ts';

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
      const now = await confirmed(deps, org, session, role);
      if (now !== role) await deps.memberships.save(org, session, now);
    }),
  );
}

/**
 * The role that the person has now. A no is looked into before it counts: the
 * organization or the person may have another name by now, and a suspended App
 * is told nothing about anyone, so there the last word stands.
 */
async function confirmed(deps: Deps, org: Organization, person: Session, last: Role): Promise<Role | null> {
  if (org.installationId === 0 || org.suspended) return last;
  const role = await deps.members.role(org, person);
  if (role) return role;
  const installation = await deps.installations.get(org.installationId);
  if (!installation) {
    await deps.organizations.removed(org.installationId);
    return last;
  }
  const now = await deps.organizations.save(installation);
  if (now.suspended) return last;
  const login = await deps.members.loginOf(now, person.githubId);
  const isRenamed = now.name !== org.name || (login !== null && login !== person.login);
  return isRenamed ? deps.members.role(now, { ...person, login: login ?? person.login }) : null;
}
