import type { Effects } from '../audit/ports.ts';
import { accountOf } from '../audit/subjects.ts';
import type { StepUp } from '../contract/step-up.ts';
import { noticesTo } from '../notices/notices-to.ts';
import type { Organization } from '../organizations/ports.ts';
import { rereadRole } from '../organizations/refresh-memberships.ts';
import { requireOwner } from '../organizations/require-role.ts';
import type { Person, Session } from '../people/ports.ts';
import { AppError } from '../shared/app-error.ts';
import { takeSlot } from '../shared/limits.ts';
import type { AuthenticatorCallDeps } from './call-deps.ts';
import type { AuthenticatorDeps } from './deps.ts';
import { requireProof, requireStepUp } from './step-up/step-up.ts';

type Deps = AuthenticatorDeps & Pick<AuthenticatorCallDeps, 'sessions'>;

const RULE = { most: 10, ms: 60 * 60_000 };

/**
 * Ends every OTP Guard session of a member, for an owner who confirms it with
 * their own authenticator. The member's GitHub session continues, and with it they
 * can sign in again.
 *
 * @throws AppError `notOwner`, `memberNotFound` if GitHub doesn't list the person
 *   as a member now or they never signed in here, `tooManyRequests` after ten an
 *   hour, and the refusals of the step-up.
 */
export async function endMemberSessions(
  deps: Deps,
  input: { person: Person; orgID: number; memberID: number; stepUp?: StepUp | undefined },
): Promise<void> {
  const { person, orgID, memberID } = input;
  const org = await requireOwner(deps, person, orgID);
  const proof = requireProof(input.stepUp, 'sign a member out');
  const member = await findMember(deps, org, memberID);
  await requireStepUp(deps, { session: person, org, action: { type: 'end-sessions', memberID }, proof });
  // Counts only what an authenticator confirmed, so that who stole a session can't use it up.
  await takeSlot(deps, `end-sessions:${person.userId}`, RULE);
  const owners = await deps.memberships.ownersToNotify(org.id);
  await deps.sessions.endAll(member.userId, effectsOf(person, { org, member, owners }));
}

/** Finds a member of this organization who has signed in here. */
async function findMember(deps: AuthenticatorDeps, org: Organization, githubId: number): Promise<Session> {
  const stored = await deps.memberships.find(org.id, githubId);
  if (!stored?.userId) throw new AppError('memberNotFound');
  const current = await rereadRole(deps, org, { githubId, login: stored.login });
  if (current === 'unknown' || !current.role) throw new AppError('memberNotFound');
  return { userId: stored.userId, githubId, login: current.login };
}

function effectsOf(
  by: Person,
  { org, member, owners }: { org: Organization; member: Session; owners: string[] },
): Effects {
  const data = { org: org.name, login: member.login, by: by.login };
  const others = [by.userId, ...owners].filter((userId) => userId !== member.userId);
  return {
    activity: {
      activity: 'memberSessionsEnd',
      userId: by.userId,
      orgRecordId: org.id,
      data: { login: by.login, user: member.login, org: org.name },
      personFacts: { by: accountOf(by), holder: accountOf(member) },
    },
    notices: [
      { kind: 'sessionsEnded', userId: member.userId, data },
      ...noticesTo(others, 'memberSessionsEnded', data),
    ],
  };
}
