import { isTeam } from '../contract/accounts.ts';
import type { AuthenticatorType } from '../contract/authenticator-kinds.ts';
import type { OrganizationMember } from '../contract/organization.ts';
import type { Policy, Rule } from '../contract/policy.ts';
import {
  MOST_NAMED,
  type NoMemberList,
  type RollOutAnswer,
  type RollOutPerson,
  type RollOutRepository,
} from '../contract/roll-out.ts';
import type { Organization } from '../organizations/ports.ts';
import { requireOwner } from '../organizations/require-role.ts';
import type { Session } from '../people/ports.ts';
import { groupBy } from '../shared/group-by.ts';
import type { InboxDeps } from './deps.ts';
import type { WaitingPull } from './ports.ts';
import { MOST_WAITING } from './read-where.ts';

const MOST_MEMBERS = 5_000;
const MOST_REPOSITORIES = 10_000;
/** The record store answers with at most this many records. */
const PAGE = 1_000;

/**
 * Who would be blocked if every repository required the check now, by what is stored; for owners. It errs on one side
 * only: a pull request counts as stuck only if too few members have an authenticator, regardless of other obstacles.
 *
 * @throws AppError with each refusal of `requireOwner`.
 */
export async function organizationRollOut(
  deps: InboxDeps,
  input: { session: Session; orgID: number },
): Promise<RollOutAnswer> {
  const org = await requireOwner(deps, input.session, input.orgID);
  const [pulls, members, required, { policy }] = await Promise.all([
    deps.waitingLists.of(org.id, MOST_WAITING),
    readMembers(deps, org),
    readRequired(deps, org),
    deps.policies.inForce(org.orgId),
  ]);
  const isStuck = typeof members === 'string' ? null : stuckBy(members, policy);
  const repositories = [...groupBy(pulls, ({ repoName }) => repoName)].map(([name, waiting]) => ({
    name,
    required: required.get(name) ?? ('unknown' as const),
    waiting: waiting.length,
    stuck: isStuck && waiting.filter(isStuck).length,
  }));
  const unblocked = sum(repositories.filter(lacksCheck).map(({ waiting }) => waiting));
  const stuck = isStuck && sum(repositories.filter(lacksCheck).map((one) => one.stuck ?? 0));
  return {
    finding: {
      id: 'rollOut',
      status: stuck ? 'failing' : unblocked > 0 ? 'attention' : 'ok',
      about: { waiting: pulls.length, isComplete: pulls.length < MOST_WAITING, unblocked, stuck },
      action: null,
    },
    repositories: repositories.sort(byNeed).slice(0, MOST_NAMED),
    rules: rulesOf(pulls),
    people: typeof members === 'string' ? members : concerned(members, pulls).slice(0, MOST_NAMED),
  };
}

const sum = (counts: number[]) => counts.reduce((all, count) => all + count, 0);

const lacksCheck = ({ required }: Pick<RollOutRepository, 'required'>) => required !== 'thisApp';

const byNeed = (one: RollOutRepository, other: RollOutRepository) =>
  Number(lacksCheck(other)) - Number(lacksCheck(one)) ||
  other.waiting - one.waiting ||
  (one.name < other.name ? -1 : 1);

async function readMembers(
  { memberships }: InboxDeps,
  org: Organization,
): Promise<OrganizationMember[] | NoMemberList> {
  if (org.accountType === 'User') return 'personalAccount';
  if (!org.membersAt) return 'notReadYet';
  const found: OrganizationMember[] = [];
  while (found.length <= MOST_MEMBERS) {
    const after = found.at(-1)?.login ?? '';
    const { members } = await memberships.list(org.id, { state: 'all', search: '', after, most: PAGE });
    found.push(...members);
    if (members.length < PAGE) return found;
  }
  return 'tooMany';
}

async function readRequired({ repositoryChecks }: InboxDeps, org: Organization) {
  const found = new Map<string, RollOutRepository['required']>();
  for (let after = ''; found.size < MOST_REPOSITORIES; ) {
    const page = { state: 'all', search: '', after, most: PAGE } as const;
    const { repositories } = await repositoryChecks.list(org.id, page);
    for (const { name, required } of repositories) found.set(name, required);
    const last = repositories.at(-1);
    if (!last || repositories.length < PAGE) break;
    after = last.name;
  }
  return found;
}

/** Says whether too few members have an authenticator to give a pull request what it lacks. */
function stuckBy(members: OrganizationMember[], policy: Policy): (pull: WaitingPull) => boolean {
  const able = members.filter(({ kinds }) => hasOneOf(kinds, policy.assurance.methods));
  const rules = policy.rules.filter(({ enforced }) => enforced);
  const pools = new Map(rules.map((rule) => [rule.name, membersFor(rule.require, able)]));
  pools.set('', membersFor({ from: ['members'] }, able));
  return ({ lacks }) =>
    lacks.some(({ rule, lacking, counted, excluded }) => {
      // The policy was changed, and the pull request isn't judged by the new one yet.
      const pool = pools.get(rule) ?? null;
      const gone = new Set([...counted, ...excluded]);
      return pool !== null && pool.filter(({ id }) => !gone.has(id)).length < lacking;
    });
}

type Requirement = Pick<Rule['require'], 'from' | 'methods'>;

/** The members whose approval a rule may count; null if others can approve too. */
function membersFor({ from, methods }: Requirement, able: OrganizationMember[]): OrganizationMember[] | null {
  if (from.includes('collaborators')) return null;
  const sources = from.map((source) => source.toLowerCase());
  // GitHub isn't asked who is in a team: any member may be.
  const isAnyone = sources.some((source) => source === 'members' || isTeam(source));
  const isSource = ({ login, role }: OrganizationMember) =>
    isAnyone || sources.includes(login.toLowerCase()) || (role === 'admin' && sources.includes('owners'));
  return able.filter((member) => isSource(member) && (!methods || hasOneOf(member.kinds, methods)));
}

const hasOneOf = (kinds: OrganizationMember['kinds'], methods: readonly AuthenticatorType[]): boolean =>
  methods.some((method) => kinds[method === 'security-key' ? 'securityKey' : method] > 0);

/** The members without an authenticator who opened waiting pull requests or are asked to review them. */
function concerned(members: OrganizationMember[], pulls: WaitingPull[]): RollOutPerson[] {
  const opened = groupBy(pulls, ({ author }) => author.toLowerCase());
  const asked = groupBy(
    pulls.flatMap(({ reviewers }) => reviewers?.people ?? []),
    (id) => id,
  );
  return members
    .filter(({ enrolled }) => !enrolled)
    .map(({ id, login, pending, hasAddress, reminded }) => ({
      id,
      login,
      pending,
      hasAddress,
      reminded,
      opened: opened.get(login.toLowerCase())?.length ?? 0,
      asked: asked.get(id)?.length ?? 0,
    }))
    .filter((person) => person.opened + person.asked > 0)
    .sort((one, other) => other.opened + other.asked - (one.opened + one.asked));
}

function rulesOf(pulls: WaitingPull[]): RollOutAnswer['rules'] {
  const names = pulls.flatMap(({ lacks }) => [...new Set(lacks.map(({ rule }) => rule))]);
  return [...groupBy(names, (name) => name)]
    .map(([name, { length: waiting }]) => ({ name, waiting }))
    .sort((one, other) => other.waiting - one.waiting);
}
