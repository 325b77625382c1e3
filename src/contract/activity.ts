import canonicalize from 'canonicalize';
import type { AuthenticatorType } from './authenticator-kinds.ts';
import type { Enrolled } from './enrolment.ts';
import type { OutgoingWebhookKind } from './outgoing-webhooks.ts';
import type { Policy, Rule } from './policy.ts';
import type { ProtectionChange } from './protection.ts';

/** The kinds of log entry: the `activity` field of a `gh_activities` record. */
export const activityKinds = [
  'totpRegister',
  'webauthnRegister',
  'authenticatorRename',
  'authenticatorDelete',
  'memberAuthenticatorDelete',
  'webauthnCollect',
  'totpCollect',
  'approvalWithdraw',
  'webauthnDeny',
  'totpDeny',
  'denialEnd',
  'denialSetAside',
  'webauthnDeploy',
  'totpDeploy',
  'webauthnReject',
  'totpReject',
  'deployBypass',
  'deployRefuse',
  'memberSessionsEnd',
  'setOrgImage',
  'policyChange',
  'unapprovedMerge',
  'forgedRecord',
  'forgedCheck',
  'webauthnPending',
  'vouch',
  'confirmOwner',
  'restore',
  'hookSet',
  'hookRemove',
  'hookStop',
  'protectionWeakened',
  'protectionStrengthened',
  'weakeningAcknowledged',
  'protectionBaseline',
] as const;
export type ActivityKind = (typeof activityKinds)[number];

/**
 * The `data` field of a `gh_activities` record: names at the time of the event,
 * for display. `login` is the login of the record's `user_id`, in case that
 * user no longer exists.
 */
export type ActivityData = {
  login?: string;
  /** The authenticator. */
  type?: AuthenticatorType;
  label?: string;
  /** Its label before a rename. */
  formerLabel?: string;
  /**
   * The login of the authenticator's holder, of the approver, or of the member
   * whose sessions ended. It differs from `login` if an owner did it.
   */
  user?: string;
  /** The source of the holder's trust, of a registration or a vouch. */
  enrolled?: Enrolled;
  /** The authenticator was lost or stolen at this time (RFC 3339). */
  lostSince?: string;
  /** The approved commit, full length. */
  sha?: string;
  /** The pull request's number. */
  pr?: number;
  /** The base branch of an approval. */
  base?: string;
  /** Why the commit was denied, and why an owner set the denial aside: people's own words. */
  reason?: string;
  setAsideReason?: string;
  /** True if it's about a denial and not about an approval. */
  denies?: boolean;
  /** The environment of a deployment, and the workflow run. */
  environment?: string;
  run?: number;
  /** Why OTP Guard refused a run: an explanation of its own. */
  why?: 'fork' | 'otherCommit';
  /** The repository's name, without its owner. */
  repo?: string;
  /** GitHub's rules that an unapproved merge went around, as far as GitHub says. */
  rules?: string[];
  /** The collection of a forged record. */
  collection?: string;
  /** The organization's login. */
  org?: string;
  /** The time of the newest record in the backup that was restored (RFC 3339). */
  backup?: string;
  /** The number of the organization's new policy, which its history keeps in full; or of repositories with known lists. */
  number?: number;
  /** The outgoing webhook, and the host name of its address. */
  hook?: OutgoingWebhookKind;
  host?: string;
  /** A change to weaker or stronger, or the acknowledged one. About a person, `subject` is empty and `user` names them. */
  change?: ProtectionChange;
  /** The number of the entry that was acknowledged, and whether its only owner did so alone. */
  entry?: number;
  alone?: boolean;
} & Partial<ChangedParts>;

/** The parts of a policy that a change is about. A rule that moved is in its new order only. */
type PolicyParts = Partial<Pick<Policy, 'enrolment' | 'assurance' | 'agents'>> & { rules: Rule[] };

type ChangedParts = {
  before: PolicyParts;
  after: PolicyParts;
  /** True if rules that are in both policies changed their order. */
  reordered: boolean;
  /** The number of changed rules that were left out, because they are too long for a log entry. */
  omitted: number;
};

/**
 * The limit is in characters of JSON. The log lists fifty entries together, and the whole policies are kept elsewhere.
 */
const MOST_CHARACTERS = 12_000;

/** The differences between two policies, bounded. */
export function changedParts(before: Policy, after: Policy): ChangedParts {
  const parts = (policy: Policy, other: Policy): PolicyParts => ({
    ...(!isSame(policy.enrolment, other.enrolment) && { enrolment: policy.enrolment }),
    ...(!isSame(policy.assurance, other.assurance) && { assurance: policy.assurance }),
    ...(!isSame(policy.agents, other.agents) && { agents: policy.agents }),
    rules: policy.rules.filter((rule) => !isSame(rule, named(other, rule.name))),
  });
  const changed = {
    before: parts(before, after),
    after: parts(after, before),
    reordered: !isSame(orderOf(before, after), orderOf(after, before)),
    omitted: 0,
  };
  return bounded(changed);
}

/** Without the last rules, then without long lists of models, domains and agents, until it fits. */
function bounded(changed: ChangedParts): ChangedParts {
  const { before, after, omitted } = changed;
  if (JSON.stringify(changed).length <= MOST_CHARACTERS) return changed;
  const last = (after.rules.at(-1) ?? before.rules.at(-1))?.name;
  if (last === undefined) return { ...changed, before: shortened(before), after: shortened(after) };
  const without = (parts: PolicyParts) => ({
    ...parts,
    rules: parts.rules.filter(({ name }) => name !== last),
  });
  return bounded({ ...changed, before: without(before), after: without(after), omitted: omitted + 1 });
}

/** With the longest of everything, all lists of this length fit. */
const MOST_NAMED = 9;

function shortened({ enrolment, assurance, agents, rules }: PolicyParts): PolicyParts {
  const some = (list: string[]) => list.slice(0, MOST_NAMED);
  return {
    ...(enrolment && { enrolment: { ...enrolment, domains: some(enrolment.domains) } }),
    ...(assurance && { assurance: { ...assurance, models: some(assurance.models) } }),
    ...(agents && { agents: { logins: some(agents.logins), emails: some(agents.emails) } }),
    rules,
  };
}

const named = ({ rules }: Policy, wanted: string) => rules.find(({ name }) => name === wanted);

const orderOf = (policy: Policy, other: Policy) =>
  policy.rules.map(({ name }) => name).filter((name) => named(other, name));

/** The order of members doesn't matter. */
const isSame = (one: unknown, other: unknown) => canonicalize(one) === canonicalize(other);
