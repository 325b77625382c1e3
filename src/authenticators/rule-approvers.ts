import { isTeam } from '../contract/accounts.ts';
import type { Rule } from '../contract/policy.ts';
import type { ApproverColumn, RuleApprovers, RuleApproversAnswer } from '../contract/policy-calls.ts';
import { storedMembership } from '../organizations/require-role.ts';
import type { Session } from '../people/ports.ts';
import { assuranceFault } from '../policies/assurance.ts';
import { requirePolicy } from '../policies/policy.ts';
import { AppError } from '../shared/app-error.ts';
import type { AuthenticatorCallDeps } from './call-deps.ts';
import type { AuthenticatorDeps } from './deps.ts';
import type { HeldAuthenticator } from './ports.ts';
import { findTrusted } from './trusted-authenticators.ts';

type Deps = AuthenticatorDeps & Pick<AuthenticatorCallDeps, 'heldAuthenticators'>;

/** Each person has a column in an organization with at most this many people who can approve. */
const FEW_PEOPLE = 8;
/** A policy can name more, but nobody reads a wider table. */
const MOST_COLUMNS = 24;
const MOST_LOGINS = 5;

/**
 * Says who can meet each rule of a policy, for owners, by the authenticators and roles in our records. Asks GitHub
 * nothing, so teams, outside collaborators and permissions can leave the answer open.
 *
 * @throws AppError `notOwner`, `wrongPolicy` with the path of its first fault.
 */
export async function ruleApprovers(
  deps: Deps,
  { session, orgID, policy }: { session: Session; orgID: number; policy: unknown },
): Promise<RuleApproversAnswer> {
  const { org, role } = (await storedMembership(deps, session, orgID)) ?? {};
  if (!org || role !== 'admin' || org.suspended || org.installationId === 0) throw new AppError('notOwner');
  const asked = requirePolicy(policy).policy;
  const { assurance, rules } = asked;
  const all = await deps.heldAuthenticators.ofMembers(org.id);
  const hasRoots = deps.relyingParty.hasAttestationRoots;
  const counted = (await findTrusted(deps, asked, all)).filter(
    (held) => !assuranceFault(assurance, held, hasRoots) && canVerifyUser(held, assurance.userVerification),
  );
  const columns = columnsOf(rules, counted);
  const shown = columns.slice(0, MOST_COLUMNS);
  return {
    columns: shown,
    more: columns.length - shown.length,
    rules: rules.map((rule) => approversOf(rule, { all, counted }, shown)),
  };
}

/** A one-time code never shows that the app checked its user; a key may. */
const canVerifyUser = ({ method }: HeldAuthenticator, demand: 'preferred' | 'required') =>
  demand === 'preferred' || method !== 'totp';

/** The groups, teams and people that the rules name; in a small organization also everyone who can approve. */
function columnsOf(rules: Rule[], counted: HeldAuthenticator[]): ApproverColumn[] {
  const named = new Set(
    rules.flatMap(({ require }) => (require.approvals > 0 ? require.from.map(folded) : [])),
  );
  const able = loginsOf(counted);
  const byName = new Map(able.map((login) => [folded(login), login]));
  const groups = [...GROUPS.filter((group) => named.has(group)), ...[...named].filter(isTeam)];
  const people = [...named]
    .filter((source) => !groups.includes(source))
    .map((login) => byName.get(login) ?? login);
  return [
    ...groups.map((source) => ({ source, isPerson: false })),
    ...[...new Set([...people, ...(able.length <= FEW_PEOPLE ? able : [])])].map((source) => ({
      source,
      isPerson: true,
    })),
  ];
}

const GROUPS = ['members', 'owners', 'collaborators'];

/** Logins and names of teams have no case on GitHub. */
const folded = (name: string) => name.toLowerCase();

const loginsOf = (held: HeldAuthenticator[]) => [...new Set(held.map(({ login }) => login))].sort();

/** `all` have an authenticator, `counted` one that counts in the organization. */
type Holders = { all: HeldAuthenticator[]; counted: HeldAuthenticator[] };

function approversOf({ require }: Rule, { all, counted }: Holders, columns: ApproverColumn[]): RuleApprovers {
  const { approvals, methods, userVerification } = require;
  const from = approvals > 0 ? require.from.map(folded) : [];
  const usable = counted.filter(
    (held) => (!methods || methods.includes(held.method)) && canVerifyUser(held, userVerification),
  );
  const isNamed = ({ login, role }: Pick<HeldAuthenticator, 'login' | 'role'>) =>
    from.includes('members') || (role === 'admin' && from.includes('owners')) || from.includes(folded(login));
  const able = loginsOf(usable.filter(isNamed));
  // Members of a team are members; nobody knows how many outside collaborators there are.
  const hasTeam = from.some(isTeam);
  const most = hasTeam ? loginsOf(usable).length : able.length;
  const isPossible = most >= approvals || from.includes('collaborators');

  const cellOfPerson = (login: string) => {
    const isThem = (held: HeldAuthenticator) => folded(held.login) === folded(login);
    const { role = 'member' } = all.find(isThem) ?? {};
    const isAble = usable.some(isThem);
    if (isNamed({ login, role })) return isAble ? 'yes' : 'without';
    return hasTeam && isAble ? 'unknown' : 'no';
  };
  const cellOfGroup = (group: string) => {
    const isOutside = group === 'collaborators';
    if (!from.includes(folded(group)) && !(from.includes('members') && !isOutside)) return 'no';
    const isAnyoneAble = usable.some(({ role }) => group !== 'owners' || role === 'admin');
    return isAnyoneAble || isOutside ? 'yes' : 'without';
  };
  return {
    canBeMet: able.length >= approvals ? 'yes' : isPossible ? 'unknown' : 'no',
    able: able.length,
    logins: able.slice(0, MOST_LOGINS),
    cells: columns.map(({ source, isPerson }) => (isPerson ? cellOfPerson(source) : cellOfGroup(source))),
  };
}
