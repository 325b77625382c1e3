import type { RulesetActor } from '../../contract/bypass-lists.ts';
import type { BranchRule, BypassActor, RuleState } from '../../contract/protection.ts';
import { branchProtectionName } from '../../contract/protection-words.ts';
import type { Installations, OrganizationRef, RepositoryRef } from '../../organizations/ports.ts';
import { withSentList } from '../../protection/compare.ts';
import type { AccountProtection, Protections, RepositoryProtection } from '../../protection/ports.ts';
import { toBypassActor } from '../../protection/ruleset-actor.ts';
import { AppError } from '../../shared/app-error.ts';
import { groupBy } from '../../shared/group-by.ts';
import type { GitHubApp, Octokit } from './app.ts';
import { read, readList } from './conditional-reads.ts';
import { readEnvironments } from './environments.ts';
import { fromGitHub, NOT_READABLE, UnusableAnswer } from './from-github.ts';
import { listRepositories, readRepository } from './installations.ts';
import {
  bindsToPulls,
  bypassOfProtection,
  cut,
  type GitHubRule,
  type RequiredStatusChecks,
  requiredBy,
  rulesetUrl,
  type StatusCheck,
  statusChecksIn,
  statusChecksOf,
} from './protection-payload.ts';
import { type GitHubBudget, requireBudget } from './rate-limits.ts';

type Config = { appId: number; serverUrl: string };
type At = { octokit: Octokit; owner: string; repo: string; branch: string } & Config;

const MOST_LOGINS = 20;

/** Reads with the App's own permissions. A part that the App may not read, or GitHub doesn't show, is null. */
export function createProtections(
  app: Pick<GitHubApp, 'asInstallation'> & { budget: GitHubBudget },
  installations: Pick<Installations, 'get' | 'list'>,
  config: Config,
): Protections {
  const at = async ({ installation, owner, name }: RepositoryRef, branch: string): Promise<At> => {
    requireBudget(app.budget, installation);
    return { octokit: await app.asInstallation(installation), owner, repo: name, branch, ...config };
  };
  return {
    async repository(repo, branch, known = null, canGate = false) {
      const branchAt = await at(repo, branch);
      const [rulesets, branchProtection, deployKeys, environments] = await Promise.all([
        readRulesets(branchAt, known?.rulesets ?? []),
        readProtection(branchAt, known),
        readDeployKeys(branchAt),
        canGate ? readEnvironments(branchAt, known?.environments) : undefined,
      ]);
      const lists = rulesets?.map((rule) => withSentList(rule, known?.sent)) ?? null;
      const found = { defaultBranch: branch, rulesets: lists, branchProtection, deployKeys, environments };
      return nameAdministrators(branchAt, found);
    },

    async account(org) {
      const installation = await installations.get(org.installationId);
      // One 404 could be anything, and this answer says that nothing is protected any more.
      if (!installation && (await installations.list()).some(({ id }) => id === org.installationId))
        throw new AppError('githubUnavailable', {
          reason: 'It lists an installation that it says is removed.',
        });
      if (!installation) return { ...NOTHING, isSuspended: false, isRemoved: true };
      const { permissions, repositorySelection, suspended } = installation;
      const known = { permissions, repositorySelection, isRemoved: false, isSuspended: suspended };
      if (suspended) return { ...NOTHING, ...known };
      requireBudget(app.budget, org.installationId);
      const octokit = await app.asInstallation(org.installationId);
      const [owners, repositories] = await Promise.all([
        readOwners(octokit, org),
        repositorySelection === 'selected' ? fromGitHub(listRepositories(octokit), NOT_READABLE) : null,
      ]);
      const selected = repositories?.map(({ id, name }) => ({ id, name })) ?? null;
      return { ...known, owners, repositories: selected };
    },
  };
}

const NOTHING = {
  owners: null,
  permissions: null,
  repositorySelection: null,
  repositories: null,
} satisfies Partial<AccountProtection>;

/** GitHub sent something else if it isn't a list: an empty one would mean that there is nothing. */
function requireList<T>(list: T[]): T[] {
  if (!Array.isArray(list)) throw new UnusableAnswer('GitHub answered without a list');
  return list;
}

/** GitHub sends these members always: without them, something is only a part of its answer. */
function requireMember<T>(member: T | undefined): T {
  if (member === undefined) throw new UnusableAnswer('GitHub answered with a part');
  return member;
}

/** The branch's rulesets with their details, and each known ruleset that isn't among them any more, with the reason. */
async function readRulesets(at: At, known: BranchRule[]): Promise<BranchRule[] | null> {
  const { octokit, owner, repo, branch } = at;
  const request = readList(octokit.rest.repos.getBranchRules, { owner, repo, branch }, (rules) =>
    requireList(rules).map(toActiveRule),
  );
  const found = await fromGitHub(request, NOT_READABLE);
  if (!found) return null;
  const ofEach = [...groupBy(found, ({ id }) => id).values()];
  const all = await Promise.all(ofEach.map((rules) => readActive(at, rules)));
  const active = all.filter((rule) => rule !== null);
  const gone = known.filter(({ id, state }) => state === 'active' && !active.some((rule) => rule.id === id));
  const ended = await Promise.all(gone.map((rule) => withReason(at, rule)));
  // A renamed default branch has no rules by its former name, and still has them all.
  if (ended.some(({ state }) => state === 'elsewhere') && !(await isDefaultBranch(at))) return null;
  return [...active, ...ended];
}

/** A rule of an active ruleset, as everyone can read it. */
type ActiveRule = ReturnType<typeof toActiveRule>;

const toActiveRule = (rule: GitHubRule) => ({
  id: requireMember(rule.ruleset_id),
  type: rule.ruleset_source_type ?? 'Repository',
  source: rule.ruleset_source ?? '',
  checks: statusChecksOf([rule]),
  needsPull: rule.type === 'pull_request',
});

/** The ruleset that has these rules, all of one; null if it requires neither the check nor a pull request. */
async function readActive(at: At, rules: [ActiveRule, ...ActiveRule[]]): Promise<BranchRule | null> {
  const { appId, serverUrl, owner, repo } = at;
  const [first] = rules;
  const checks = rules.flatMap((rule) => rule.checks);
  const required = requiredBy(checks, appId);
  const needsPull = rules.some((rule) => rule.needsPull);
  if (!required && !needsPull) return null;
  const { id, type } = first;
  const details = await readRuleset(at, id);
  const shown = details === 'gone' ? null : details;
  return {
    state: required ? 'active' : 'withoutCheck',
    source: type === 'Repository' ? 'repositoryRuleset' : 'organizationRuleset',
    id,
    name: shown?.name ?? `ruleset ${id}`,
    isOurs: required !== 'anySource',
    needsPull,
    bypass: shown?.bypass ?? null,
    updated: shown?.updated ?? null,
    url: rulesetUrl(serverUrl, { ...first, repository: `${owner}/${repo}` }),
  };
}

async function isDefaultBranch({ octokit, owner, repo, branch }: At): Promise<boolean> {
  return (await readRepository(octokit, { owner, repo }))?.defaultBranch === branch;
}

type RulesetDetails = {
  name: string;
  isEnforced: boolean;
  checks: StatusCheck[];
  bypass: BypassActor[] | null;
  updated: string | null;
};

/** Null if GitHub doesn't show it; `gone` if there is no such ruleset. `bypass_actors` is only for who may edit it. */
async function readRuleset(
  { octokit, owner, repo }: At,
  ruleset_id: number | null,
): Promise<RulesetDetails | 'gone' | null> {
  if (ruleset_id === null) return null;
  const request = read(
    octokit.rest.repos.getRepoRuleset,
    { owner, repo, ruleset_id },
    ({ name, enforcement, rules, bypass_actors, updated_at }) => ({
      name: cut(requireMember(name)),
      isEnforced: enforcement === 'active',
      checks: statusChecksOf((rules ?? []) as GitHubRule[]),
      bypass: Array.isArray(bypass_actors) ? (bypass_actors as RulesetActor[]).map(toBypassActor) : null,
      updated: updated_at ?? null,
    }),
  );
  return fromGitHub(request, { 404: 'gone', permission: null } as const);
}

const withReason = async (at: At, rule: BranchRule): Promise<BranchRule> => ({
  ...rule,
  needsPull: false,
  state: reasonIn(await readRuleset(at, rule.id), at.appId),
});

function reasonIn(details: RulesetDetails | 'gone' | null, appId: number): RuleState {
  if (details === 'gone') return 'removed';
  if (!details) return 'withoutCheck';
  if (!details.isEnforced) return 'notEnforced';
  return requiredBy(details.checks, appId) ? 'elsewhere' : 'withoutCheck';
}

/** Branch protection, GitHub's older form; null if we lack the permission to read settings. */
async function readProtection(at: At, known: RepositoryProtection | null): Promise<BranchRule[] | null> {
  const { octokit, appId, serverUrl, owner, repo, branch } = at;
  const request = read(
    octokit.rest.repos.getBranchProtection,
    { owner, repo, branch },
    ({ required_status_checks, enforce_admins, required_pull_request_reviews }) => ({
      checks: statusChecksIn(required_status_checks as RequiredStatusChecks),
      bypass: bypassOfProtection(requireMember(enforce_admins)),
      needsPull: bindsToPulls(required_pull_request_reviews),
    }),
  ).catch(noneIfUnprotected);
  const found = await fromGitHub(request, NOT_READABLE);
  if (!found) return null;
  const required = found === 'none' ? null : requiredBy(found.checks, appId);
  const rule = {
    source: 'branchProtection' as const,
    id: null,
    name: branchProtectionName(branch),
    updated: null,
    url: `${serverUrl}/${owner}/${repo}/settings/branches`,
  };
  if (found !== 'none' && (required !== null || found.needsPull)) {
    const { bypass, needsPull } = found;
    const state = required ? 'active' : 'withoutCheck';
    return [{ ...rule, state, isOurs: required !== 'anySource', needsPull, bypass }];
  }
  const before = known?.branchProtection?.find(({ state }) => state === 'active');
  if (!before) return [];
  const moved = known?.defaultBranch !== branch;
  return [
    {
      ...before,
      needsPull: false,
      state: moved ? 'elsewhere' : found === 'none' ? 'removed' : 'withoutCheck',
    },
  ];
}

/** Any other 404 says that GitHub doesn't show us the branch, which isn't "no protection". */
function noneIfUnprotected(error: unknown): 'none' {
  const { status, message = '' } = error as { status?: number; message?: string };
  if (status === 404 && message.startsWith('Branch not protected')) return 'none';
  throw error;
}

async function readDeployKeys({ octokit, owner, repo }: At): Promise<RepositoryProtection['deployKeys']> {
  const request = readList(octokit.rest.repos.listDeployKeys, { owner, repo }, (keys) =>
    requireList(keys).map(({ id, title, read_only }) => ({ id, title: cut(title), isReadOnly: read_only })),
  );
  const keys = await fromGitHub(request, NOT_READABLE);
  return keys?.filter(({ isReadOnly }) => !isReadOnly).map(({ id, title }) => ({ id, title })) ?? null;
}

/** Says who the administrators are, where a rule lets them through. */
async function nameAdministrators(at: At, protection: RepositoryProtection): Promise<RepositoryProtection> {
  const areFree = (rules: BranchRule[] | null) =>
    rules?.some(({ bypass }) => bypass?.some(({ type }) => type === 'administrators'));
  if (!areFree(protection.rulesets) && !areFree(protection.branchProtection)) return protection;
  const { octokit, owner, repo } = at;
  const wanted = { owner, repo, permission: 'admin' } as const;
  const request = readList(octokit.rest.repos.listCollaborators, wanted, (people) =>
    requireList(people).map(({ login }) => login),
  );
  const logins = await fromGitHub(request, NOT_READABLE);
  if (!logins) return protection;
  const people = { total: logins.length, logins: logins.slice(0, MOST_LOGINS) };
  const named = (rules: BranchRule[] | null) =>
    rules?.map((rule) => ({
      ...rule,
      bypass:
        rule.bypass?.map((actor) => (actor.type === 'administrators' ? { ...actor, people } : actor)) ?? null,
    })) ?? null;
  return {
    ...protection,
    rulesets: named(protection.rulesets),
    branchProtection: named(protection.branchProtection),
  };
}

/** An organization always has an owner, so an empty list is no answer. */
async function readOwners(octokit: Octokit, org: OrganizationRef): Promise<AccountProtection['owners']> {
  if (org.accountType === 'User') return null;
  const request = readList(octokit.rest.orgs.listMembers, { org: org.name, role: 'admin' }, (members) =>
    requireList(members).map(({ id, login }) => ({ id, login })),
  );
  const owners = await fromGitHub(request, NOT_READABLE);
  return owners && owners.length > 0 ? owners : null;
}
