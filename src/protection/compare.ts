import type {
  BranchRule,
  BypassActor,
  ProtectionChange,
  RuleState,
  WeakeningKind,
} from '../contract/protection.ts';
import { sha256OfJson } from '../shared/crypto.ts';
import { activeRules, isSameActor, nameInRecords } from './bypass.ts';
import type { AccountProtection, FoundChange, Noted, RepositoryProtection, SentList } from './ports.ts';
import { levelState, MOMENTS, STATES, type State, selectionState } from './states.ts';

/** The changes, and the state for the next comparison: a part that wasn't readable keeps its last known value. */
export type Comparison<T> = { changes: FoundChange[]; known: T };

/** Something that has a state in each of two readings. */
type Compared = Pick<ProtectionChange, 'kind' | 'subject' | 'repo'> &
  Pick<FoundChange, 'about'> & { person?: FoundChange['person'] };

/** The change from one state to another; none if they're the same. */
export function changeOf(
  { about, person = null, ...compared }: Compared,
  [[rankBefore, before], [rank, after]]: [State, State],
): FoundChange[] {
  if (before === after) return [];
  return [{ change: { ...compared, isWeaker: rank < rankBefore, before, after }, about, person }];
}

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
  const rulesets = compareRules(name, [before?.rulesets ?? null, shown], hasMoved);
  const branchProtection = compareRules(
    name,
    [before?.branchProtection ?? null, after.branchProtection],
    hasMoved,
  );
  const deployKeys = after.deployKeys ?? before?.deployKeys ?? null;
  const keyChanges = compareLists(
    before?.deployKeys,
    after.deployKeys,
    [STATES.key, STATES.noKey],
    ({ id, title }) => ({
      kind: 'deployKeyAdded',
      subject: title,
      repo: name,
      about: aboutKey(id),
    }),
  );
  return {
    changes: [...rulesets.changes, ...branchProtection.changes, ...keyChanges],
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
 * Picks the lists of an owner that the next reading may take: of a ruleset whose list we don't know, know of
 * an older version only, or know otherwise from an owner. Lists that they handed in since the last reading stay.
 */
export function sentLists(
  protection: RepositoryProtection,
  rulesets: SentList[],
): { hasNews: boolean; sent: SentList[] } {
  const news = rulesets.filter(({ id, updated, bypass }) => {
    const rule = protection.rulesets?.find((one) => one.id === id);
    if (!rule || rule.updated === null) return false;
    const [theirs, ours] = [updated, rule.updated].map((time) => Date.parse(time)) as [number, number];
    // Another owner can correct what one said. Only GitHub's own word stands.
    const isCorrection = rule.said !== undefined && sha256OfJson(bypass) !== sha256OfJson(rule.bypass);
    return rule.bypass === null || isCorrection ? theirs >= ours : theirs > ours;
  });
  const before = protection.sent?.filter((list) => !news.some(({ id }) => id === list.id)) ?? [];
  return { hasNews: news.length > 0, sent: [...before, ...news] };
}

/** An owner's list is of this ruleset only if GitHub says that the ruleset last changed at the same time. */
export function withSentList(rule: BranchRule, sent: SentList[] = []): BranchRule {
  const isSame = ({ id, updated }: SentList) =>
    id === rule.id && Date.parse(updated) === Date.parse(rule.updated ?? '');
  const list = rule.bypass === null && sent.find(isSame);
  return list ? { ...rule, bypass: list.bypass, said: list.said } : rule;
}

type Rules = BranchRule[] | null;

function compareRules(
  repo: string,
  [before, after]: [Rules, Rules],
  hasMoved: boolean,
): { changes: FoundChange[]; known: Rules; now: Rules } {
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
    changes: all.flatMap(({ was, rule }) => compareRule(repo, was, rule)),
    known: all.map(({ was, rule }) => withKnownList(rule, was)),
    now,
  };
}

/** A ruleset that didn't change since we knew its list still has that list. */
function withUnchangedList(rule: BranchRule, before: BranchRule[]): BranchRule {
  const was = before.find((one) => isSameRule(one, rule));
  const isUnchanged = rule.updated !== null && was?.updated === rule.updated;
  return rule.bypass === null && isUnchanged && was ? { ...rule, bypass: was.bypass, said: was.said } : rule;
}

/** Keeps the list that we knew, with its own time: it says nothing about the ruleset after a later change. */
const withKnownList = (rule: BranchRule, was: BranchRule | undefined): BranchRule =>
  rule.bypass === null && was?.bypass
    ? { ...rule, bypass: was.bypass, said: was.said, updated: was.updated }
    : rule;

const isSameRule = (one: BranchRule, other: BranchRule) => one.source === other.source && one.id === other.id;

/** A rule that was deleted and created again under its name is compared with the deleted one. */
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

/**
 * Compares a rule with what it was. A change of an organization's ruleset is the organization's, but for the branches that
 * it covers. A strengthening is about the rule before, whose weakening it undoes, even if the rule was created again.
 */
const compareRule = (repo: string, was: BranchRule | undefined, rule: BranchRule): FoundChange[] =>
  changesOfRule(was, rule).map(({ change, about, person }) => {
    const isOfRepository = rule.source !== 'organizationRuleset' || change.kind === 'ruleCoversLess';
    return {
      change: isOfRepository ? { ...change, repo } : change,
      about: aboutRule(change.isWeaker ? rule : (was ?? rule)) + about,
      person,
    };
  });

/** The changes of a rule, each about a part of it or nothing more. A rule that doesn't hold any more says it all. */
function changesOfRule(was: BranchRule | undefined, rule: BranchRule): FoundChange[] {
  const [isOn, wasOn] = [rule.state === 'active', was?.state === 'active'];
  const change = (kind: WeakeningKind, both: [State, State]) =>
    changeOf({ kind, subject: rule.name, about: '' }, both);
  const kind = KINDS[(isOn ? was?.state : rule.state) ?? 'active'];
  const ofState = change(kind, [STATES[was?.state ?? 'noRule'], STATES[rule.state]]);
  if (!was) return isOn ? ofState : [];
  if (wasOn && !isOn) return ofState;
  const source = ({ isOurs }: BranchRule) => STATES[isOurs ? 'ourSource' : 'anySource'];
  const pull = ({ needsPull }: BranchRule) => STATES[needsPull ? 'pullNeeded' : 'pullNotNeeded'];
  const ofSource = change('checkFromAnySource', [source(was), source(rule)]);
  const ofPull = change('pullRequestNotRequired', [pull(was), pull(rule)]);
  return [
    ...(isOn ? [...ofState, ...ofSource] : []),
    ...(was.state === rule.state || was.needsPull ? ofPull : []),
    ...(isOn || (was.needsPull && rule.needsPull) ? compareBypass(was, rule) : []),
  ];
}

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
  const isSeen = changes.some((one) => one.change.isWeaker && `${one.about}/`.startsWith(`${about}/`));
  if (!weakened || !rule || !shown || isSeen) return null;
  const { kind } = weakened;
  if (kind === 'pullRequestNotRequired' && !rule.needsPull) return null;
  const repo = rule.source === 'organizationRuleset' ? {} : { repo: name };
  const isOfRule = kind !== 'administratorsFree';
  if (!isOfRule && rule.bypass?.length !== 0) return null;
  const thing = isOfRule
    ? { subject: rule.name, about }
    : { subject: `administrators in ${rule.name}`, about: about + aboutActor(ADMINISTRATORS) };
  const lasting = STATES[isOfRule ? 'active' : 'noBypass'];
  return changeOf({ ...repo, kind, ...thing }, [lasting, MOMENTS[kind]])[0] ?? null;
}

const ADMINISTRATORS = { type: 'administrators', id: null, name: 'administrators' } as const;

const aboutActor = (actor: Pick<BypassActor, 'type' | 'id' | 'name'>) =>
  `/${actor.type}:${actor.id ?? nameInRecords(actor)}`;

function compareBypass(was: BranchRule, rule: BranchRule): FoundChange[] {
  if (!was.bypass || !rule.bypass) return [];
  const [before, now] = [was.bypass, rule.bypass];
  const state = (actor: BypassActor | undefined) => STATES[actor?.mode ?? 'noBypass'];
  const added = rule.source === 'branchProtection' ? 'administratorsFree' : 'bypassAdded';
  const all = [...now, ...before.filter((one) => !now.some((other) => isSameActor(one, other)))];
  return all.flatMap((actor) => {
    const [old, current] = [before, now].map((list) => list.find((one) => isSameActor(one, actor)));
    const kind = old && current ? 'bypassLoosened' : added;
    const subject = `${actor.name} in ${rule.name}`;
    return changeOf({ kind, subject, about: aboutActor(actor) }, [state(old), state(current)]);
  });
}

/** Compares two lists of what makes something weaker while it's there; no change if one of them isn't known. */
function compareLists<T extends { id: number }>(
  before: T[] | null | undefined,
  after: T[] | null,
  [there, gone]: [State, State],
  comparedOf: (item: T) => Compared,
): FoundChange[] {
  if (!before || !after) return [];
  const change = (item: T, both: [State, State]) => changeOf(comparedOf(item), both);
  return [
    ...without(after, before).flatMap((item) => change(item, [gone, there])),
    ...without(before, after).flatMap((item) => change(item, [there, gone])),
  ];
}

const without = <T extends { id: number }>(list: T[], other: T[]) =>
  list.filter(({ id }) => !other.some((one) => one.id === id));

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
  const app = { subject: 'OTP Guard', about: ABOUT_APP };
  const installed = ({ isRemoved }: AccountProtection) => STATES[isRemoved ? 'appRemoved' : 'appInstalled'];
  const active = ({ isSuspended }: AccountProtection) => STATES[isSuspended ? 'appSuspended' : 'appActive'];
  const changes = [
    ...changeOf({ ...app, kind: 'appRemoved' }, [installed(before), installed(after)]),
    ...changeOf({ ...app, kind: 'appSuspended' }, [active(before), active(after)]),
    ...compareLists(before.owners, after.owners, [STATES.owner, STATES.noOwner], (person) => ({
      kind: 'ownerAdded',
      // The names of people are where they can be erased.
      subject: '',
      about: aboutPerson(person.id),
      person,
    })),
    ...comparePermissions(before.permissions, after.permissions),
    ...compareSelection(before, after),
  ];
  return { changes, known };
}

function comparePermissions(
  before: Record<string, string> | null,
  after: Record<string, string> | null,
): FoundChange[] {
  if (!before || !after) return [];
  return Object.keys({ ...before, ...after }).flatMap((name) => {
    const about = `${ABOUT_APP}/permission:${name}`;
    const both: [State, State] = [levelState(before[name]), levelState(after[name])];
    return changeOf({ kind: 'permissionsReduced', subject: name, about }, both);
  });
}

/** More repositories than this together are one change for the ones that it doesn't name. */
const MOST_NAMED = 20;

function compareSelection(before: AccountProtection, after: AccountProtection): FoundChange[] {
  const [was, is] = [before.repositorySelection, after.repositorySelection];
  if (!was || !is) return [];
  const kind = 'repositoriesReduced';
  const about = `${ABOUT_APP}/repositories`;
  if (was !== is)
    return changeOf({ kind, subject: 'repositories', about }, [selectionState(was), selectionState(is)]);
  if (!before.repositories || !after.repositories) return [];
  const change = (items: { id: number; name: string }[], both: [State, State]) => {
    const things = items
      .slice(0, MOST_NAMED)
      .map(({ id, name }) => ({ subject: name, about: `${ABOUT_APP}/repository:${id}` }));
    const others = items.slice(MOST_NAMED);
    if (others[0])
      things.push({ subject: `${others.length} other repositories`, about: `${about}:${others[0].id}` });
    return things.flatMap((thing) => changeOf({ kind, ...thing }, both));
  };
  const [none, selected] = [selectionState('none'), selectionState('selected')];
  return [
    ...change(without(before.repositories, after.repositories), [selected, none]),
    ...change(without(after.repositories, before.repositories), [none, selected]),
  ];
}

const OF_A_RULE = new Set<ProtectionChange['kind']>([
  'checkNotRequired',
  'ruleNotActive',
  'ruleCoversLess',
  'protectionRemoved',
]);

/** Tells whether a strengthening undoes a weakening of the same repository or of the organization. */
export function undoes(strengthening: FoundChange, weakening: FoundChange): boolean {
  const [one, other] = [strengthening.change, weakening.change];
  const isSameKind =
    one.kind === other.kind ||
    (OF_A_RULE.has(one.kind) && OF_A_RULE.has(other.kind)) ||
    // An actor who can't bypass any more can't do so more freely either.
    (one.kind === 'bypassAdded' && other.kind === 'bypassLoosened');
  const isSamePlace = (one.repo === undefined) === (other.repo === undefined);
  const isSameThing = strengthening.about === weakening.about;
  return !one.isWeaker && other.isWeaker && isSameKind && isSamePlace && isSameThing;
}
