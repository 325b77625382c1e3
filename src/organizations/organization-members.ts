import type {
  MemberReminderAnswer,
  OrganizationMembersAnswer,
  OrganizationMembersRequest,
} from '../contract/organization.ts';
import type { Person, Session } from '../people/ports.ts';
import { AppError } from '../shared/app-error.ts';
import type { OrganizationDeps } from './deps.ts';
import type { Organization, RemindableMember } from './ports.ts';
import { requireOwner } from './require-role.ts';

const MEMBERS_A_PAGE = 50;

/**
 * Lists the organization's members for its owners, and says what each has
 * there; one page at a time.
 *
 * @throws AppError with each refusal of `requireOwner`.
 */
export async function organizationMembers(
  deps: OrganizationDeps,
  input: OrganizationMembersRequest & { session: Session },
): Promise<OrganizationMembersAnswer> {
  const org = await requireOwner(deps, input.session, input.orgID);
  const found = await deps.memberships.list(org.id, {
    state: input.state,
    search: input.search ?? '',
    after: input.after ?? '',
    most: MEMBERS_A_PAGE + 1,
  });
  const members = found.members.slice(0, MEMBERS_A_PAGE);
  const isLast = found.members.length <= MEMBERS_A_PAGE;
  return { total: found.total, members, next: isLast ? null : (members.at(-1)?.login ?? null) };
}

const PAUSE_MS = 7 * 24 * 60 * 60_000;
/** E-mails of one call. The next call reminds the others. */
const MOST_AT_ONCE = 200;

/**
 * Sends an e-mail to each member without an authenticator, or to one of them, for
 * an owner; at most one in seven days each. A member with a pending authenticator
 * isn't reminded: they wait for another person.
 *
 * @throws AppError with each refusal of `requireOwner`, `mailNotSetUp`, and
 *   `memberNotFound` if the one isn't a member.
 */
export async function remindMembers(
  deps: OrganizationDeps,
  { person, orgID, memberID }: { person: Person; orgID: number; memberID?: number | undefined },
): Promise<MemberReminderAnswer> {
  const org = await requireOwner(deps, person, orgID);
  if (!deps.mailer) throw new AppError('mailNotSetUp');
  if (memberID !== undefined && !(await deps.memberships.find(org.id, memberID)))
    throw new AppError('memberNotFound');
  const { members, withoutAddress } = await deps.memberReminders.remindable(org.id, {
    memberId: memberID,
    most: MOST_AT_ONCE,
  });
  let sent = 0;
  for (const member of members) if (await remind(deps, { org, member, by: person.login })) sent += 1;
  return { sent, withoutAddress, already: members.length - sent };
}

/** False if the member was reminded in the last seven days. */
async function remind(
  { memberReminders, origins, clock }: OrganizationDeps,
  { org, member, by }: { org: Organization; member: RemindableMember; by: string },
): Promise<boolean> {
  const at = clock.now();
  const notSince = new Date(at.getTime() - PAUSE_MS);
  const { githubId, userId, login, reminded } = member;
  if (reminded && reminded > notSince) return false;
  const data = { org: org.name, login, by, origin: origins.publicUrl };
  const notice = { kind: 'registrationReminder', userId, data } as const;
  return memberReminders.add(org.id, { githubId, at, notSince, notice });
}
