import type { BranchRule, Bypass, BypassActor } from '../contract/protection.ts';
import { groupBy } from '../shared/group-by.ts';
import {
  activeRules,
  aroundAll,
  aroundPulls,
  bypassOf,
  closing,
  isSameActor,
  pullRules,
  requirementOf,
  requiringPull,
  tightestFirst,
} from './bypass.ts';
import type { RepositoryProtection } from './ports.ts';

/** One repository, as an owner's token shows it. */
export type ReadRepository = {
  name: string;
  protection: RepositoryProtection;
  /** Rulesets that require the check from our App, which GitHub doesn't enforce or which leave the default branch out. */
  idle: BranchRule[] | null;
};

/** An App that is installed in the organization. */
export type ReadApp = {
  id: number;
  slug: string;
  contents: string | undefined;
  /** True if it can change rules of the organization or of repositories. */
  canChangeRules: boolean;
  isSuspended: boolean;
  hasAllRepositories: boolean;
  url: string;
};

/** All that an owner's token shows of an organization. */
export type ReadOrganization = {
  org: string;
  githubUrl: string;
  appId: number;
  /** True if the organization's plan has rulesets for all its repositories. */
  hasOrganizationRulesets: boolean;
  repositories: ReadRepository[];
  /** Logins; null if GitHub doesn't show them. */
  owners: string[] | null;
  /** Null if GitHub doesn't show them. */
  apps: ReadApp[] | null;
  /** Names of the custom roles that may go around branch protection; null if GitHub doesn't show them. */
  bypassingRoles: string[] | null;
  /** The parts that couldn't be read, each as a sentence. */
  unread: string[];
};

/** A way to merge, release or deploy without an approval. */
export type Way = {
  kind: 'notRequired' | 'anySource' | 'bypass' | 'push' | 'deployKey' | 'app';
  /** Without the owner; null for the whole organization. */
  repo: string | null;
  who: string;
  how: string;
  why: string;
  /** The people and groups of `who` that a rule names. */
  actors: BypassActor[];
  /** The one change that closes this way alone, and the page on GitHub for it. */
  change: string;
  url: string;
};

/** `closes` has the places in the list of ways, from 0. */
export type Change = { change: string; url: string; closes: number[] };

/** `changers` are owners and Apps that can change the rules: nothing closes that. */
export type Ways = { ways: Way[]; changes: Change[]; unread: string[]; changers: string[] };

/** Lists each way around an approval, and the fewest changes that close them all, the most effective first. */
export function findWays(organization: ReadOrganization): Ways {
  const found = organization.repositories.map((repository) => ofRepository(organization, repository));
  const merging = found.flatMap(({ open }) => open);
  const keys = organization.repositories.flatMap((repository) => ofDeployKeys(organization, repository));
  const apps = (organization.apps ?? []).flatMap((app) => ofApp(app));
  const ways = [...merging.map(({ way }) => way), ...keys, ...apps];
  const unread = [...organization.unread, ...found.flatMap((one) => one.unread)];
  if (!organization.apps) unread.push('The installed Apps: some may write code without an approval.');
  const changes = coverAll(organization, merging);
  for (const way of [...keys, ...apps])
    changes.push({ change: way.change, url: way.url, closes: [ways.indexOf(way)] });
  if (!organization.owners) unread.push('The owners, who can change the rules.');
  const changing = (organization.apps ?? []).filter(
    ({ canChangeRules, isSuspended }) => canChangeRules && !isSuspended,
  );
  const changers = [
    ...(organization.owners ?? []).map((login) => `the owner ${login}`),
    ...changing.map(({ slug }) => `the App ${slug}`),
  ];
  return { ways, changes, unread, changers };
}

/**
 * A way to merge into a default branch, and the existing rules that could close it: those of our App, or, against a push,
 * rules that require a pull request.
 */
type Open = { way: Way; repo: string; rules: BranchRule[] };

function ofRepository(
  organization: ReadOrganization,
  repository: ReadRepository,
): { open: Open[]; unread: string[] } {
  const { name, protection, idle } = repository;
  const unread = unreadParts(repository);
  const named = {
    ...protection,
    branchProtection: withRoles(protection.branchProtection, organization.bypassingRoles),
  };
  const rules = activeRules(named);
  const required = requirementOf(named);
  const open = (way: Pick<Way, 'kind' | 'who' | 'how' | 'why'> & Partial<Way>): Open => {
    const closable = [...rules.filter(({ isOurs, bypass }) => isOurs && bypass), ...(idle ?? [])];
    const url = `${organization.githubUrl}/${organization.org}/${name}/settings/rules`;
    const [first] = closable;
    const own = first ? mending(first, [name]) : requiring(organization, name);
    const alone = { change: own, url: first?.url ?? url };
    return { way: { repo: name, actors: [], ...alone, ...way }, repo: name, rules: closable };
  };
  const main = protection.defaultBranch;
  if (required === 'unknown') return { open: [], unread };
  if (required === 'no') {
    const how = (idle ?? []).map(({ name: rule, state }) =>
      state === 'notEnforced'
        ? `The ruleset ${rule} requires the check, but GitHub doesn’t enforce it.`
        : `The ruleset ${rule} requires the check, but it leaves ${main} out.`,
    );
    const way = open({
      kind: 'notRequired',
      who: 'Everybody who can write',
      how: how[0] ?? `Nothing requires the check on ${main}.`,
      why: 'GitHub merges without waiting for an approval.',
    });
    return { open: [way], unread };
  }
  if (required === 'anySource') {
    const way = open({
      kind: 'anySource',
      who: 'Everybody and every App that can write statuses or checks',
      how: `${titleOf(rules)} requires the check by its name, from any source.`,
      why: 'They can write a green check of that name themselves.',
    });
    return { open: [way], unread };
  }
  const ours = rules.filter(({ isOurs }) => isOurs);
  const bypass = aroundAll(ours);
  const push = ofPush(name, { protection: named, bypass });
  if (bypass.state === 'nobody') {
    const lists = pullRules(named).filter((rule) => push.state === 'unknown' && rule.bypass === null);
    return { open: push.open, unread: [...unread, ...lists.map((rule) => hiddenList(name, rule))] };
  }
  const hidden = ours.filter((rule) => rule.bypass === null);
  if (hidden.length > 0)
    return { open: push.open, unread: [...unread, ...hidden.map((rule) => hiddenList(name, rule))] };
  const { actors } = bypass;
  const isExempt = actors.some(({ mode }) => mode === 'exempt');
  const way = open({
    kind: 'bypass',
    who: actors.length > 0 ? sentence(actors.map(describe)) : 'Whoever is in the bypass lists of all rules',
    how: `They may bypass ${sentence(ours.map(nameOf))}.`,
    why: isExempt
      ? 'GitHub leaves no audit entry when somebody exempt merges.'
      : 'They merge without an approval, for example with gh pr merge --admin.',
    actors,
    change: bypass.change,
    url: bypass.url,
  });
  return { open: [way, ...push.open], unread };
}

const hiddenList = (name: string, rule: BranchRule) => `${name}: who may bypass ${nameOf(rule)}.`;

/** The way of a push with a commit whose check passed for another branch, except of who may bypass the check anyway. */
function ofPush(
  repo: string,
  { protection, bypass }: { protection: RepositoryProtection; bypass: ReturnType<typeof aroundAll> },
): { state: Bypass['state']; open: Open[] } {
  const { state, change, url, ...push } = aroundPulls(protection);
  const actors = push.actors.filter((one) => !bypass.actors.some((other) => isSameActor(one, other)));
  if (state !== 'some' || actors.length === 0) return { state, open: [] };
  const requiring = pullRules(protection);
  const isEverybody = requiring.length === 0;
  const way: Way = {
    kind: 'push',
    repo,
    actors,
    change,
    url,
    who: isEverybody ? 'Everybody who can push' : sentence(actors.map(describe)),
    how: isEverybody
      ? `Nothing requires a pull request on ${protection.defaultBranch}.`
      : `They may bypass ${sentence(requiring.map(nameOf))}, and so push without a pull request.`,
    why: 'GitHub accepts a push of a commit whose check passed for another branch.',
  };
  return {
    state,
    open: [{ way, repo, rules: isEverybody ? tightestFirst(protection).slice(0, 1) : requiring }],
  };
}

const MODES: Record<BypassActor['mode'], string[]> = {
  always: [],
  pullRequest: ['in pull requests'],
  exempt: ['exempt'],
};

const MOST_NAMES = 3;

function describe({ name, people, mode }: BypassActor): string {
  const logins = people?.logins.slice(0, MOST_NAMES) ?? [];
  const more = people && people.total > logins.length ? [`and ${people.total - logins.length} more`] : [];
  const details = [...logins, ...more, ...MODES[mode]];
  return details.length > 0 ? `${name} (${details.join(', ')})` : name;
}

const nameOf = ({ source, name }: BranchRule) =>
  source === 'branchProtection' ? name : `the ruleset ${name}`;

const titleOf = (rules: BranchRule[]) => sentence(rules.map(nameOf)).replace(/^t/, 'T');

const sentence = (parts: string[]) =>
  parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}` : (parts[0] ?? '');

/** Where branch protection doesn't bind administrators, it doesn't bind custom roles that may go around it either. */
function withRoles(rules: BranchRule[] | null, roles: string[] | null): BranchRule[] | null {
  const actors = (roles ?? []).map(
    (name): BypassActor => ({
      type: 'role',
      id: null,
      name: `people with the role ${name}`,
      mode: 'always',
    }),
  );
  return (
    rules?.map((rule) => ({
      ...rule,
      bypass: rule.bypass && rule.bypass.length > 0 ? [...rule.bypass, ...actors] : rule.bypass,
    })) ?? null
  );
}

function unreadParts({ name, protection, idle }: ReadRepository): string[] {
  const { rulesets, branchProtection, deployKeys } = protection;
  // One rule that nobody may bypass is enough.
  const isClosed = bypassOf(protection)?.state === 'nobody';
  const missing = [
    !isClosed && rulesets === null && 'its rulesets',
    !isClosed && branchProtection === null && 'its branch protection',
    !isClosed && idle === null && 'its rulesets that aren’t active',
    deployKeys === null && 'its deploy keys',
  ].filter((part) => part !== false);
  return missing.length > 0 ? [`${name}: ${sentence(missing)}.`] : [];
}

function ofDeployKeys({ org, githubUrl }: ReadOrganization, { name, protection }: ReadRepository): Way[] {
  return (protection.deployKeys ?? []).map(({ title }) => ({
    kind: 'deployKey',
    repo: name,
    who: `The deploy key ${title}`,
    how: 'It has write access.',
    why: 'Whoever holds it pushes branches and tags that no rule covers, which can release or deploy.',
    actors: [],
    change: `Delete the deploy key ${title} of ${name}, or add it again without write access.`,
    url: `${githubUrl}/${org}/${name}/settings/keys`,
  }));
}

function ofApp({ slug, contents, isSuspended, url }: ReadApp): Way[] {
  if (isSuspended || contents !== 'write') return [];
  return [
    {
      kind: 'app',
      repo: null,
      who: `The App ${slug}`,
      how: 'It has the permission contents: write.',
      why: 'It pushes branches and tags that no rule covers, and publishes releases.',
      actors: [],
      change: `Uninstall the App ${slug}, or take contents: write from it.`,
      url,
    },
  ];
}

const requiring = ({ appId }: ReadOrganization, names: string) =>
  `Require the check OTP Guard from the App ${appId} and a pull request on the default branch of ${names}, with an empty bypass list.`;

/** The change to an existing rule that makes it close these repositories. */
function mending(rule: BranchRule, repositories: string[]): string {
  if (rule.state === 'active' || rule.state === 'withoutCheck') return closing(rule);
  const where = `the default branch of ${sentence(repositories)}`;
  const list =
    (rule.needsPull ? '' : ', with a pull request required') +
    (rule.bypass?.length === 0 ? '' : ', with an empty bypass list');
  return rule.state === 'notEnforced'
    ? `Set the ruleset ${rule.name} to Active for ${where}${list}.`
    : `Let the ruleset ${rule.name} cover ${where}${list}.`;
}

type Candidate = { opens: Open[]; text(repos: string[]): string; url: string };

/**
 * The fewest changes that close these ways: again and again the change that closes most, existing rules before new
 * ones.
 */
function coverAll(organization: ReadOrganization, open: Open[]): Change[] {
  const candidates = candidatesFor(organization, open);
  const changes: Change[] = [];
  let left = open;
  while (left.length > 0) {
    const closedBy = ({ opens }: Candidate) => left.filter((one) => opens.includes(one));
    const best = candidates.reduce((one, other) =>
      closedBy(other).length > closedBy(one).length ? other : one,
    );
    const closed = closedBy(best);
    const repos = [...new Set(closed.map(({ repo }) => repo))];
    changes.push({ change: best.text(repos), url: best.url, closes: closed.map((one) => open.indexOf(one)) });
    left = left.filter((one) => !closed.includes(one));
  }
  return changes;
}

/** In a repository that the App can't see, nobody could ever complete the check. */
const isEverywhere = ({ apps, appId }: ReadOrganization) =>
  apps === null || apps.some(({ id, hasAllRepositories }) => id === appId && hasAllRepositories);

function candidatesFor(organization: ReadOrganization, open: Open[]): Candidate[] {
  const { org, githubUrl } = organization;
  const pairs = open.flatMap((one) =>
    one.rules.map((rule) => ({ one, rule, lacksPull: one.way.kind === 'push' && !rule.needsPull })),
  );
  // Branch protection has no number, so it's one for each repository.
  const keyOf = ({ one, rule, lacksPull }: (typeof pairs)[number]) =>
    `${lacksPull} ${rule.source} ${rule.id ?? one.repo}`;
  const ofRules = [...groupBy(pairs, keyOf).values()].map((same): Candidate => {
    const [{ rule, lacksPull }] = same;
    const text = (repos: string[]) => (lacksPull ? requiringPull(rule) : mending(rule, repos));
    return { opens: same.map(({ one }) => one), text, url: rule.url };
  });
  const ofEach = open.map(({ repo }) => ({
    opens: open.filter((one) => one.repo === repo),
    text: () => requiring(organization, repo),
    url: `${githubUrl}/${org}/${repo}/settings/rules`,
  }));
  const ofAll = {
    opens: open,
    text: (repos: string[]) =>
      repos.length === 1
        ? requiring(organization, String(repos[0]))
        : `${isEverywhere(organization) ? '' : 'Let OTP Guard see all repositories first: nobody could merge into another one. '}Import the organization’s ruleset from OTP Guard’s page “Roll-out”: it requires the check from the App ${organization.appId} and a pull request on the default branch of every repository, and nobody may bypass it.`,
    url: `${githubUrl}/organizations/${org}/settings/rules`,
  };
  return [...ofRules, ...ofEach, ...(organization.hasOrganizationRulesets ? [ofAll] : [])];
}
