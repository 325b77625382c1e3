import type {
  BranchRule,
  BypassActor,
  ProtectionBaseline,
  ProtectionChange,
  RuleState,
} from '../../contract/protection.ts';
import { activeRules, isLooser, isSameActor } from './bypass.ts';
import type { AccountProtection, FoundChange, MomentKind, Noted, RepositoryProtection } from './ports.ts';

/** The changes, and the state for the next comparison: a part that wasn't readable keeps its last known value. */
export type Comparison<T> = { changes: FoundChange[]; known: T };

type Change = Omit<FoundChange, 'repo'> & { isOfOrganization?: boolean };

/** The subject of a change of the App itself, and of each of its permissions. */
export const ABOUT_APP = 'app';
/** The subject of a change of any rule. */
export const ABOUT_RULES = 'rule';
export const aboutRuleset = (id: number | null): string => `${ABOUT_RULES}/ruleset:${id}`;
export const ABOUT_BRANCH_PROTECTION: string = `${ABOUT_RULES}/branchProtection`;
export const aboutKey = (id: number): string => `key:${id}`;
export const aboutPerson = (id: number): string => `person:${id}`;

const aboutRule = ({ source, id }: BranchRule) =>
  source === 'branchProtection' ? ABOUT_BRANCH_PROTECTION : aboutRuleset(id);

/**
 * Compares what protects a repository's default branch with what we knew. A part that GitHub doesn't show now is no
 * change, and the first reading of a part is none either.
 *
 * @param name The repository's, without its owner.
 * @returns Also `now`: the reading, with each list that GitHub didn't show and that can't have changed since we knew it.
 */
export function compareRepository(
  name: string,
  before: RepositoryProtection | null,
  after: RepositoryProtection,
): Comparison<RepositoryProtection> & { now: RepositoryProtection } {
  const hasMoved = before !== null && before.defaultBranch !== after.defaultBranch;
  const shown = after.rulesets?.map((rule) => withSentList(rule, before?.sent)) ?? null;
  const rulesets = compareRules(before?.rulesets ?? null, shown, hasMoved);
  const branchProtection = compareRules(before?.branchProtection ?? null, after.branchProtection, hasMoved);
  const deployKeys = after.deployKeys ?? before?.deployKeys ?? null;
  const changes = [
    ...rulesets.changes,
    ...branchProtection.changes,
    ...compareLists(before?.deployKeys, after.deployKeys).flatMap(({ item, isNew }): Change[] =>
      compareFlag(
        'deployKeyAdded',
        item.title,
        [!isNew, isNew],
        ['no such key', 'can write'],
        aboutKey(item.id),
      ),
    ),
  ];
  return {
    changes: changes.map(({ isOfOrganization, ...change }) =>
      isOfOrganization ? change : { ...change, repo: name },
    ),
    known: {
      defaultBranch: after.defaultBranch,
      rulesets: rulesets.known,
      branchProtection: branchProtection.known,
      deployKeys,
      sent: after.rulesets ? undefined : before?.sent,
    },
    now: { ...after, rulesets: rulesets.now, branchProtection: branchProtection.now },
  };
}

/**
 * Picks the lists that an owner sent that the next reading may take: of a ruleset whose list we don't know, or know of
 * an older version only. Lists that they sent since the last reading stay.
 */
export function sentLists(
  known: RepositoryProtection,
  rulesets: ProtectionBaseline['rulesets'],
): { hasNews: boolean; sent: ProtectionBaseline['rulesets'] } {
  const news = rulesets.filter(({ id, updated }) => {
    const rule = known.rulesets?.find((one) => one.id === id);
    if (!rule || rule.updated === null) return false;
    const [theirs, ours] = [updated, rule.updated].map((time) => Date.parse(time)) as [number, number];
    return rule.bypass === null ? theirs >= ours : theirs > ours;
  });
  const before = known.sent?.filter((list) => !news.some(({ id }) => id === list.id)) ?? [];
  return { hasNews: news.length > 0, sent: [...before, ...news] };
}

/** A list that an owner sent is of this ruleset only if GitHub says that it last changed at the same time. */
function withSentList(rule: BranchRule, sent: ProtectionBaseline['rulesets'] = []): BranchRule {
  const isSame = ({ id, updated }: (typeof sent)[number]) =>
    id === rule.id && Date.parse(updated) === Date.parse(rule.updated ?? '');
  return rule.bypass === null ? { ...rule, bypass: sent.find(isSame)?.bypass ?? null } : rule;
}

type Rules = BranchRule[] | null;
type ComparedRules = { changes: Change[]; known: Rules; now: Rules };

function compareRules(before: Rules, after: Rules, hasMoved: boolean): ComparedRules {
  if (!after) return { changes: [], known: before, now: null };
  const now = after.map((rule) => withUnchangedList(rule, before ?? []));
  if (!before) return { changes: [], known: now, now };
  const pairs = now.map((rule) => ({ rule, was: findBefore(rule, before, now) }));
  const missing = before.filter((rule) => !pairs.some(({ was }) => was === rule));
  const gone = missing.map((was) => ({
    was,
    rule: { ...was, needsPull: false, state: stateOfMissing(was, hasMoved) },
  }));
  const all = [...pairs, ...gone];
  return {
    changes: all.flatMap(({ was, rule }) => compareRule(was, rule)),
    known: all.map(({ was, rule }) => withKnownList(rule, was)),
    now,
  };
}

/** A ruleset that didn't change since we knew its list still has that list. */
function withUnchangedList(rule: BranchRule, before: BranchRule[]): BranchRule {
  const was = before.find((one) => isSameRule(one, rule));
  const isUnchanged = rule.updated !== null && was?.updated === rule.updated;
  return rule.bypass === null && isUnchanged && was ? { ...rule, bypass: was.bypass } : rule;
}

/** Keeps the list that we knew, with its own time: it says nothing about the ruleset after a later change. */
const withKnownList = (rule: BranchRule, was: BranchRule | undefined): BranchRule =>
  rule.bypass === null && was?.bypass ? { ...rule, bypass: was.bypass, updated: was.updated } : rule;

const isSameRule = (one: BranchRule, other: BranchRule) => one.source === other.source && one.id === other.id;

/** A rule that somebody deleted and created again under its name is compared with the deleted one. */
const findBefore = (rule: BranchRule, before: BranchRule[], now: BranchRule[]) =>
  before.find((one) => isSameRule(one, rule)) ??
  before.find(
    (one) =>
      one.source === rule.source &&
      one.name === rule.name &&
      !now.some((other) => isSameRule(one, other) && (other.state === 'active' || other.needsPull)),
  );

/** Branch protection is of one branch, so that of the former default branch covers another now. */
function stateOfMissing({ state, source }: BranchRule, hasMoved: boolean): RuleState {
  if (state !== 'active') return state;
  if (hasMoved) return 'elsewhere';
  return source === 'branchProtection' ? 'removed' : 'withoutCheck';
}

const KINDS = {
  active: 'checkNotRequired',
  withoutCheck: 'checkNotRequired',
  notEnforced: 'ruleNotActive',
  elsewhere: 'ruleCoversLess',
  removed: 'protectionRemoved',
} as const satisfies Record<RuleState, ProtectionChange['kind']>;

const STATES: Record<RuleState, string> = {
  active: 'requires the check',
  notEnforced: "isn't enforced",
  elsewhere: "doesn't cover the default branch",
  withoutCheck: "doesn't require the check",
  removed: 'is deleted',
};

type RuleChange = Omit<Change, 'about'> & { actor?: BypassActor };

/** A strengthening is about the rule before, whose weakening it undoes, even if somebody created it again. */
const compareRule = (was: BranchRule | undefined, rule: BranchRule): Change[] =>
  changesOfRule(was, rule).map(({ actor, ...change }) => {
    const about = aboutRule(change.isWeaker ? rule : (was ?? rule));
    return { ...change, about: actor ? `${about}/${actor.type}:${actor.id ?? actor.name}` : about };
  });

function changesOfRule(was: BranchRule | undefined, rule: BranchRule): RuleChange[] {
  const ofRule = { subject: rule.name, isOfOrganization: rule.source === 'organizationRuleset' };
  const isHere = rule.state === 'elsewhere' || was?.state === 'elsewhere';
  const ofState = {
    ...ofRule,
    after: STATES[rule.state],
    isOfOrganization: ofRule.isOfOrganization && !isHere,
  };
  if (rule.state !== 'active') {
    if (was?.state !== 'active') return comparePull(was, rule).map((change) => ({ ...ofRule, ...change }));
    return [{ ...ofState, kind: KINDS[rule.state], isWeaker: true, before: STATES.active }];
  }
  if (!was) return [{ ...ofState, kind: 'checkNotRequired', isWeaker: false, before: 'no such rule' }];
  return [
    ...(was.state === 'active'
      ? []
      : [{ ...ofState, kind: KINDS[was.state], isWeaker: false, before: STATES[was.state] }]),
    ...compareSource(was, rule).map((change) => ({ ...ofRule, ...change })),
    ...comparePull(was, rule).map((change) => ({ ...ofRule, ...change })),
    ...compareBypass(was, rule).map((change) => ({ ...ofRule, ...change })),
  ];
}

/** A rule that doesn't hold any more, or does again, says it all. */
function comparePull(was: BranchRule | undefined, rule: BranchRule): Omit<RuleChange, 'subject'>[] {
  if (!was || (was.state !== rule.state && (was.state === 'active' || !was.needsPull))) return [];
  if (was.needsPull && rule.needsPull) return rule.state === 'active' ? [] : compareBypass(was, rule);
  if (was.needsPull === rule.needsPull) return [];
  const text = ({ needsPull }: BranchRule) => `${needsPull ? 'requires' : "doesn't require"} a pull request`;
  return [{ kind: 'pullRequestNotRequired', isWeaker: was.needsPull, before: text(was), after: text(rule) }];
}

const MOMENTS: Record<MomentKind, string> = {
  checkNotRequired: "didn't require the check for a moment",
  pullRequestNotRequired: "didn't require a pull request for a moment",
  ruleNotActive: "wasn't enforced for a moment",
  protectionRemoved: 'was deleted for a moment',
  administratorsFree: 'could bypass for a moment',
};

/**
 * The weakening that a webhook tells of a rule which was on in the reading before, and is on now; null if a reading saw it,
 * or GitHub doesn't show the rules now.
 */
export function unseenChange(
  name: string,
  { about, weakened }: Noted,
  [before, now]: [RepositoryProtection | null, RepositoryProtection],
  changes: FoundChange[],
): FoundChange | null {
  const rule = before && activeRules(before).find((one) => aboutRule(one) === about);
  const shown = rule?.source === 'branchProtection' ? now.branchProtection : now.rulesets;
  const isSeen = changes.some((one) => one.isWeaker && `${one.about}/`.startsWith(`${about}/`));
  if (!weakened || !rule || !shown || isSeen) return null;
  const { kind } = weakened;
  if (kind === 'pullRequestNotRequired' && !rule.needsPull) return null;
  const ofRepository = rule.source === 'organizationRuleset' ? {} : { repo: name };
  const change = { ...ofRepository, kind, isWeaker: true, after: MOMENTS[kind] };
  if (kind !== 'administratorsFree') return { ...change, subject: rule.name, before: STATES.active, about };
  if (rule.bypass?.length !== 0) return null;
  const subject = `administrators in ${rule.name}`;
  return { ...change, subject, before: CANNOT_BYPASS, about: `${about}/administrators:administrators` };
}

function compareSource(was: BranchRule, rule: BranchRule): Omit<RuleChange, 'subject'>[] {
  if (was.isOurs === rule.isOurs) return [];
  const text = ({ isOurs }: BranchRule) => (isOurs ? 'from this App' : 'from any source');
  return [{ kind: 'checkFromAnySource', isWeaker: was.isOurs, before: text(was), after: text(rule) }];
}

const MODES: Record<BypassActor['mode'], string> = {
  pullRequest: 'may bypass in pull requests',
  always: 'may always bypass',
  exempt: 'is exempt, without an audit entry',
};

const CANNOT_BYPASS = "can't bypass";

function compareBypass(was: BranchRule, rule: BranchRule): RuleChange[] {
  if (!was.bypass || !rule.bypass) return [];
  const [before, now] = [was.bypass, rule.bypass];
  const text = (actor: BypassActor | undefined) => (actor ? MODES[actor.mode] : CANNOT_BYPASS);
  const added = rule.source === 'branchProtection' ? 'administratorsFree' : 'bypassAdded';
  const all = [...now, ...before.filter((one) => !now.some((other) => isSameActor(one, other)))];
  return all.flatMap((actor): RuleChange[] => {
    const [old, current] = [before, now].map((list) => list.find((one) => isSameActor(one, actor)));
    if (old?.mode === current?.mode) return [];
    const isWeaker = !old || (current !== undefined && isLooser(current.mode, old.mode));
    return [
      {
        kind: old && current ? 'bypassLoosened' : added,
        isWeaker,
        subject: `${actor.name} in ${rule.name}`,
        before: text(old),
        after: text(current),
        actor,
      },
    ];
  });
}

/** Items that are in one of two lists only; none if one of them isn't known. */
function compareLists<T extends { id: number }>(
  before: T[] | null | undefined,
  after: T[] | null,
): { item: T; isNew: boolean }[] {
  if (!before || !after) return [];
  const without = (list: T[], other: T[]) => list.filter(({ id }) => !other.some((one) => one.id === id));
  return [
    ...without(after, before).map((item) => ({ item, isNew: true })),
    ...without(before, after).map((item) => ({ item, isNew: false })),
  ];
}

/** Compares what the App may do in an account, and who owns it, with what we knew; see `compareRepository`. */
export function compareAccount(
  before: AccountProtection | null,
  after: AccountProtection,
): Comparison<AccountProtection> {
  const known = {
    owners: after.owners ?? before?.owners ?? null,
    permissions: after.permissions ?? before?.permissions ?? null,
    repositorySelection: after.repositorySelection ?? before?.repositorySelection ?? null,
    repositories: after.repositories ?? before?.repositories ?? null,
    isSuspended: after.isSuspended,
    isRemoved: after.isRemoved,
  };
  if (!before) return { changes: [], known };
  return {
    changes: [
      ...compareFlag(
        'appRemoved',
        'OTP Guard',
        [before.isRemoved, after.isRemoved],
        ['installed', 'removed'],
        ABOUT_APP,
      ),
      ...compareFlag(
        'appSuspended',
        'OTP Guard',
        [before.isSuspended, after.isSuspended],
        ['active', 'suspended'],
        ABOUT_APP,
      ),
      ...compareLists(before.owners, after.owners).flatMap(({ item, isNew }) =>
        compareFlag('ownerAdded', item.login, [!isNew, isNew], ['no owner', 'owner'], aboutPerson(item.id)),
      ),
      ...comparePermissions(before.permissions, after.permissions),
      ...compareSelection(before, after),
    ],
    known,
  };
}

/** A part that is there or not, and is weaker if it's there. */
function compareFlag(
  kind: ProtectionChange['kind'],
  subject: string,
  [before, after]: [boolean, boolean],
  [no, yes]: [string, string],
  about: string,
): FoundChange[] {
  if (before === after) return [];
  const text = (is: boolean) => (is ? yes : no);
  return [{ kind, isWeaker: after, subject, before: text(before), after: text(after), about }];
}

const LEVELS = ['none', 'read', 'write', 'admin'];

function comparePermissions(
  before: Record<string, string> | null,
  after: Record<string, string> | null,
): FoundChange[] {
  if (!before || !after) return [];
  const levelOf = (permissions: Record<string, string>, name: string) => permissions[name] ?? 'none';
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
    const [was, is] = [levelOf(before, name), levelOf(after, name)];
    if (was === is) return [];
    const isWeaker = LEVELS.indexOf(is) < LEVELS.indexOf(was);
    const about = `${ABOUT_APP}/permission:${name}`;
    return [{ kind: 'permissionsReduced', isWeaker, subject: name, before: was, after: is, about }];
  });
}

/** More repositories than this at once are one change for those that it doesn't name. */
const MOST_NAMED = 20;

function compareSelection(before: AccountProtection, after: AccountProtection): FoundChange[] {
  const [was, is] = [before.repositorySelection, after.repositorySelection];
  if (!was || !is) return [];
  const kind = 'repositoriesReduced' as const;
  const ofAll = { kind, subject: 'repositories', about: `${ABOUT_APP}/repositories` };
  if (was !== is) return [{ ...ofAll, isWeaker: was === 'all', before: was, after: is }];
  const changed = is === 'selected' ? compareLists(before.repositories, after.repositories) : [];
  return [false, true].flatMap((isAdded) => {
    const items = changed.filter(({ isNew }) => isNew === isAdded).map(({ item }) => item);
    const others = items.splice(MOST_NAMED);
    const subjects = items.map(({ id, name }) => ({ subject: name, about: `${ABOUT_APP}/repository:${id}` }));
    const [first] = others;
    if (first)
      subjects.push({
        subject: `${others.length} other repositories`,
        about: `${ofAll.about}:${first.id}`,
      });
    return subjects.flatMap(({ subject, about }) =>
      compareFlag(kind, subject, [isAdded, !isAdded], ['selected', 'none'], about),
    );
  });
}

const OF_A_RULE = new Set<ProtectionChange['kind']>([
  'checkNotRequired',
  'ruleNotActive',
  'ruleCoversLess',
  'protectionRemoved',
]);

/** Whether a strengthening undoes a weakening of the same repository or of the organization. */
export function undoes(
  strengthening: FoundChange,
  weakening: Pick<FoundChange, 'kind' | 'isWeaker' | 'repo' | 'about'>,
): boolean {
  const [one, other] = [strengthening, weakening];
  const isSameKind =
    one.kind === other.kind ||
    (OF_A_RULE.has(one.kind) && OF_A_RULE.has(other.kind)) ||
    // Somebody who can't bypass any more can't do so more freely either.
    (one.kind === 'bypassAdded' && other.kind === 'bypassLoosened');
  const isSamePlace = (one.repo === undefined) === (other.repo === undefined);
  return !one.isWeaker && other.isWeaker && isSameKind && isSamePlace && one.about === other.about;
}
