import type {
  Finding,
  FindingAction,
  FindingFacts,
  FindingId,
  FindingStatus,
  RepositoryCounts,
} from '../contract/findings.ts';
import type { OrganizationAnswer } from '../contract/organization.ts';
import type { RepositoryState } from '../contract/organization-health.ts';
import type { Policy, Rule } from '../contract/policy.ts';

const finding = <Id extends FindingId>(
  id: Id,
  status: FindingStatus,
  about: FindingFacts[Id],
  action: FindingAction | null = null,
) => ({ id, status, about, action }) as Finding<Id>;

const inState = (state: RepositoryState): FindingAction => `/org/repositories?state=${state}`;

/** The App is suspended, so that nothing else matters. */
export const SUSPENDED: Finding = finding('suspended', 'failing', {}, 'installation');

/** What keeps repositories from being protected. */
export function repositoryFindings(counts: RepositoryCounts): Finding[] {
  const { total, anySource, notEnforced, unknown, unchecked, bypass } = counts;
  const isOpen = total === 0 || notEnforced + anySource > 0;
  const status = isOpen ? 'failing' : unknown > 0 ? 'unknown' : 'ok';
  const all = [
    finding('required', status, counts, total === 0 ? 'installation' : null),
    finding('notEnforced', 'failing', { count: notEnforced }, '/org/roll-out'),
    finding('anySource', 'failing', { count: anySource }, inState('anySource')),
    finding('unreadable', 'unknown', { count: unknown - unchecked }, inState('unknown')),
    finding('unchecked', 'unknown', { count: unchecked, ...counts }),
    finding('bypass', 'failing', { count: bypass.some, unknown: bypass.unknown, total }, inState('bypass')),
    finding('bypassUnknown', 'unknown', { count: bypass.unknown }, inState('bypassUnknown')),
    finding('bypassSaid', 'attention', { count: bypass.said }),
  ];
  return all.filter(({ about }) => !('count' in about) || about.count > 0);
}

/** The facts of each setup finding; null if there is nothing to say. */
export type SetupFacts = Pick<FindingFacts, 'permissions' | 'webhooks' | 'fullCheck'> & {
  [Id in 'enterpriseServer' | 'lostAuthenticators' | 'proxy' | 'backup' | 'gate']: FindingFacts[Id] | null;
};

/** What keeps checks from being right and in time, but for the repositories. */
export function setupFindings(facts: SetupFacts): Finding[] {
  const { permissions, webhooks, enterpriseServer, lostAuthenticators, proxy, backup, fullCheck, gate } =
    facts;
  const isGranted = permissions.missing.length === 0 && !permissions.isPending;
  const isReached = webhooks.last !== null && webhooks.missed === 0 && webhooks.silentSince === null;
  const isServerAble = enterpriseServer?.hasMergeGroups && !enterpriseServer.isUnchecked;
  const isFaulty = fullCheck !== null && fullCheck.faults.length > 0;
  const isFullyChecked = fullCheck !== null && !isFaulty && !fullCheck.isOverdue;
  const all = [
    finding('permissions', isGranted ? 'ok' : 'failing', permissions, isGranted ? null : 'installation'),
    finding('webhooks', isReached ? 'ok' : 'failing', webhooks, isReached ? null : 'apps'),
    enterpriseServer && finding('enterpriseServer', isServerAble ? 'ok' : 'unknown', enterpriseServer),
    lostAuthenticators && finding('lostAuthenticators', 'failing', lostAuthenticators),
    proxy && finding('proxy', 'failing', proxy),
    backup && finding('backup', backup.isLate ? 'failing' : backup.last ? 'ok' : 'unknown', backup),
    finding('fullCheck', isFullyChecked ? 'ok' : 'failing', fullCheck, isFaulty ? 'installation' : null),
    gate && gateFinding(gate),
  ];
  return all.filter((one) => one !== null);
}

/** An organization that gates no deployment isn't unhealthy, so nothing about them is failing. */
function gateFinding(gate: FindingFacts['gate']): Finding {
  const { gated, open, unknown, missing, isRequested, environmentsUrl } = gate;
  const isOpen = gated === 0 || open > 0 || missing.length > 0;
  const status = isOpen ? 'attention' : unknown > 0 ? 'unknown' : 'ok';
  const toAccept = isRequested ? 'installation' : null;
  const toChoose = gated > 0 || !environmentsUrl ? '/org/repositories' : environmentsUrl;
  return finding('gate', status, gate, missing.length > 0 ? toAccept : toChoose);
}

type Members = Pick<
  NonNullable<OrganizationAnswer['members']>,
  'total' | 'enrolled' | 'one' | 'reachable' | 'unreachable'
>;

/**
 * What an organization leaves open although its repositories require the check, and what became weaker: how a first
 * authenticator gets in, whether authors can approve their own pull requests, and members without an authenticator.
 *
 * @param number The number of the policy in force; 0 while no owner has saved one, which is our record of "never chosen".
 * @param members Null without GitHub's list of them: a personal account has none, and a new organization's isn't read yet.
 */
export function choiceFindings(
  { policy, number }: { policy: Policy; number: number },
  members: Members | null,
  weakened: number,
): Finding[] {
  const isChosen = number > 0;
  const choice = <Id extends FindingId>(id: Id, isOpen: boolean, about: FindingFacts[Id]) =>
    isOpen && !isChosen
      ? finding(id, 'failing', about, '/org/policy')
      : finding(id, isOpen ? 'attention' : 'ok', about);
  const { mode } = policy.enrolment;
  const where = ownApprovals(policy);
  const { total, enrolled, one, reachable, unreachable } = members ?? NOT_LISTED;
  const count = reachable + unreachable;
  const ofSome = enrolled > 0 || total === 0 ? 'attention' : 'failing';
  const ofMembers = total > 0 && enrolled >= total ? 'ok' : ofSome;
  return [
    ...(weakened > 0 ? [finding('weakened', 'failing', { count: weakened })] : []),
    choice('firstAuthenticator', mode === 'open', { mode, isChosen }),
    choice('ownApprovals', where !== 'nowhere', { where, isChosen }),
    finding(
      'members',
      ofMembers,
      { total, enrolled, one, count },
      count > 0 ? '/org/members?state=missing' : null,
    ),
  ];
}

const NOT_LISTED: Members = { total: 0, enrolled: 0, one: 0, reachable: 0, unreachable: 0 };

function ownApprovals({ rules }: Policy): FindingFacts['ownApprovals']['where'] {
  const limiting = rules.filter(({ enforced, require }) => enforced && needsOthers(require));
  if (limiting.some(({ when }) => coversEverything(when))) return 'nowhere';
  return limiting.length > 0 ? 'somewhere' : 'everywhere';
}

const needsOthers = ({ approvals, notBy }: Rule['require']) =>
  approvals > 1 || (approvals === 1 && (notBy.includes('author') || notBy.includes('initiator')));

type When = Rule['when'];

/** For each condition of a rule, whether it holds for every pull request of a person. Machines can't approve anything. */
const HOLDS_ALWAYS: { [Name in keyof When]-?: (condition: When[Name]) => boolean } = {
  repositories: (names) => !names || names.includes('*') || names.includes('**'),
  branches: (names) => !names || names.includes('**'),
  paths: (globs) => !globs || globs.includes('**'),
  environments: (names) => !names,
  refs: (names) => !names,
  authors: (who) => who === 'anyone' || who === 'people',
  agents: (isAsked) => !isAsked,
};

const coversEverything = (when: When) =>
  (Object.keys(HOLDS_ALWAYS) as (keyof When)[]).every((name) => HOLDS_ALWAYS[name](when[name] as never));
