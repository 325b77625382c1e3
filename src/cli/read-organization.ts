import pMap from 'p-map';
import type { ProbotOctokit } from 'probot';
import type { Kept } from '../adapters/github/conditional-reads.ts';
import { readList } from '../adapters/github/conditional-reads.ts';
import { fromGitHub, NOT_READABLE } from '../adapters/github/from-github.ts';
import { lastPageIn } from '../adapters/github/pages.ts';
import { createProtections } from '../adapters/github/protection.ts';
import { requiredBy, rulesetUrl, statusChecksOf } from '../adapters/github/protection-payload.ts';
import type { RulesetActor } from '../contract/bypass-lists.ts';
import type { BranchRule, BypassActor } from '../contract/protection.ts';
import { bypassOf } from '../protection/bypass.ts';
import type { RepositoryProtection } from '../protection/ports.ts';
import { toBypassActor } from '../protection/ruleset-actor.ts';
import type { ReadApp, ReadOrganization, ReadRepository } from '../protection/ways.ts';
import { AppError } from '../shared/app-error.ts';
import { createClient } from './github-checkpoints.ts';
import { UncheckedError, UsageError } from './usage-error.ts';

type Source = { org: string; token: string; apiUrl: string; githubUrl: string; appId: number };

const AT_ONCE = 4;
const BYPASS_PERMISSION = 'bypass_branch_protection';

type Octokit = ProbotOctokit;
/** Reads one part: null, and noted as unread, if GitHub doesn't show it. */
type ReadPart = <T>(what: string, request: Promise<T>) => Promise<T | null>;

/**
 * Reads all that an owner's token shows about the ways around the check. It only reads.
 *
 * @throws UsageError if the token shows no such organization; UncheckedError if GitHub refuses the token.
 */
export async function readOrganization(source: Source): Promise<ReadOrganization> {
  const { org, githubUrl, appId } = source;
  const octokit = createKeepingClient(source);
  const about = await octokit.rest.orgs.get({ org }).catch((error) => explain(error, org));
  const unread: string[] = [];
  const readPart: ReadPart = (what, request) =>
    orNull(request).then((found) => {
      if (found === null) unread.push(what);
      return found;
    });
  const [apps, owners, roles, teams] = await Promise.all([
    readApps(octokit, source),
    readOwners(octokit, org),
    readRoles(octokit, org),
    readTeams(octokit, org),
  ]);
  const repositories = await readPart('The list of repositories.', readRepositories(octokit, org));
  const nameOf = naming({ apps, roles, teams });
  const protections = createProtections(
    { asInstallation: async () => octokit, budget: { lowUntil: () => null } },
    { get: async () => null, list: async () => [] },
    { appId, serverUrl: githubUrl },
  );
  const readIdle = createIdleReader(octokit, source);
  const read = await pMap(
    repositories ?? [],
    async ({ name, branch }): Promise<ReadRepository | null> => {
      const at = { installation: 0, owner: org, name };
      const protection = await readPart(`${name}: its rules.`, protections.repository(at, branch));
      if (!protection) return null;
      const isClosed = bypassOf(protection)?.state === 'nobody';
      const idle = isClosed ? [] : await orNull(readIdle(name, protection));
      return { name, idle, protection: withNames(protection, nameOf) };
    },
    { concurrency: AT_ONCE },
  );
  return {
    org: about.data.login,
    githubUrl,
    appId,
    hasOrganizationRulesets: about.data.plan?.name !== 'free',
    repositories: read.filter((one) => one !== null),
    apps,
    owners,
    bypassingRoles: roles?.filter(({ canBypass }) => canBypass).map(({ name }) => name) ?? null,
    unread,
  };
}

/** The adapter's reads want the part of an answer that they keep; here, nothing is kept for a second request. */
function createKeepingClient(source: Source): Octokit {
  const octokit = createClient(source);
  octokit.hook.wrap('request', async (request, options) => {
    const { keep } = options.request as { keep?: (data: unknown) => unknown };
    const answer = await request(options);
    if (!keep) return answer;
    const last = lastPageIn(answer.headers.link, Number(options.page ?? 1));
    const kept: Kept = { data: keep(answer.data), etag: '', last, at: performance.now(), since: 0 };
    return { ...answer, kept };
  });
  return octokit;
}

/** @throws UsageError or UncheckedError always. */
function explain(error: unknown, org: string): never {
  const { status } = error as { status?: number };
  if (status === 401)
    throw new UncheckedError('GitHub refuses the token: set GITHUB_TOKEN, or sign in with gh.');
  if (status === 404)
    throw new UsageError(
      `GitHub shows this token no organization ${org}: check its name and the token’s access.`,
    );
  throw new UncheckedError(`GitHub can’t be read${status ? `: it answered ${status}` : ''}.`, {
    cause: error,
  });
}

/** Leaves out archived repositories: nobody can merge into them. */
async function readRepositories(octokit: Octokit, org: string): Promise<{ name: string; branch: string }[]> {
  const all = await readList(octokit.rest.repos.listForOrg, { org, type: 'all' }, (repositories) =>
    repositories.map(({ name, default_branch, archived, disabled }) => ({
      name,
      branch: default_branch ?? 'main',
      isActive: !archived && !disabled,
    })),
  );
  return all.filter(({ isActive }) => isActive).toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** Returns null if GitHub doesn't show them: only owners see them. */
const readApps = (octokit: Octokit, { org, githubUrl }: Source): Promise<ReadApp[] | null> =>
  orNull(
    readList(octokit.rest.orgs.listAppInstallations, { org }, ({ installations }) =>
      installations.map(({ id, app_id, app_slug, permissions, repository_selection, suspended_at }) => ({
        id: app_id,
        slug: app_slug,
        url: `${githubUrl}/organizations/${org}/settings/installations/${id}`,
        contents: permissions.contents,
        canChangeRules: [permissions.administration, permissions.organization_administration].includes(
          'write',
        ),
        isSuspended: Boolean(suspended_at),
        hasAllRepositories: repository_selection === 'all',
      })),
    ),
  );

const readOwners = (octokit: Octokit, org: string) =>
  orNull(
    readList(octokit.rest.orgs.listMembers, { org, role: 'admin' }, (members) =>
      members.map(({ login }) => login),
    ),
  );

/** Returns null also for an organization whose plan has no custom roles. */
const readRoles = (octokit: Octokit, org: string) =>
  orNull(
    octokit.request('GET /orgs/{org}/custom-repository-roles', { org }).then(({ data }) =>
      (data as { custom_roles: { id: number; name: string; permissions?: string[] }[] }).custom_roles.map(
        ({ id, name, permissions = [] }) => ({
          id,
          name,
          canBypass: permissions.includes(BYPASS_PERMISSION),
        }),
      ),
    ),
  );

const readTeams = (octokit: Octokit, org: string) =>
  orNull(readList(octokit.rest.teams.list, { org }, (teams) => teams.map(({ id, slug }) => ({ id, slug }))));

/** A list of what is open is still worth something if GitHub doesn't answer about a part of it. */
const orNull = <T>(request: Promise<T>): Promise<T | null> =>
  fromGitHub(request, NOT_READABLE).catch((error: unknown) => {
    if (error instanceof AppError) return null;
    throw error;
  });

type Names = {
  apps: ReadApp[] | null;
  roles: Awaited<ReturnType<typeof readRoles>>;
  teams: Awaited<ReturnType<typeof readTeams>>;
};

const naming =
  ({ apps, roles, teams }: Names) =>
  (actor: BypassActor): BypassActor => {
    const find = <T extends { id: number }>(list: T[] | null) => list?.find(({ id }) => id === actor.id);
    const names: Partial<Record<BypassActor['type'], string | undefined>> = {
      app: find(apps) && `the App ${find(apps)?.slug}`,
      team: find(teams) && `the team ${find(teams)?.slug}`,
      role: find(roles) && `people with the role ${find(roles)?.name}`,
    };
    return { ...actor, name: names[actor.type] ?? actor.name };
  };

function withNames(
  protection: RepositoryProtection,
  nameOf: (actor: BypassActor) => BypassActor,
): RepositoryProtection {
  const named = (rules: BranchRule[] | null) =>
    rules?.map((rule) => ({ ...rule, bypass: rule.bypass?.map(nameOf) ?? null })) ?? null;
  return {
    ...protection,
    rulesets: named(protection.rulesets),
    branchProtection: named(protection.branchProtection),
  };
}

/** Reads the rulesets that would require the check from our App, if GitHub enforced them, or on other branches. */
function createIdleReader(octokit: Octokit, { org, appId, githubUrl }: Source) {
  const ofOrganization = new Map<number, ReturnType<typeof readRuleset>>();
  const readRuleset = (repo: string, ruleset_id: number) =>
    octokit.rest.repos.getRepoRuleset({ owner: org, repo, ruleset_id }).then(({ data }) => data);
  return async (repo: string, { rulesets }: RepositoryProtection): Promise<BranchRule[]> => {
    const wanted = { owner: org, repo, targets: 'branch' };
    const all = await readList(octokit.rest.repos.getRepoRulesets, wanted, (found) =>
      found.map(({ id, source_type }) => ({ id, type: source_type ?? 'Repository' })),
    );
    const others = all.filter(({ id }) => !rulesets?.some((rule) => rule.id === id));
    const rules = others.map(async ({ id, type }): Promise<BranchRule | null> => {
      const reading = (type === 'Repository' ? undefined : ofOrganization.get(id)) ?? readRuleset(repo, id);
      if (type !== 'Repository') ofOrganization.set(id, reading);
      const { name, source, enforcement, bypass_actors, updated_at, rules: its } = await reading;
      if (requiredBy(statusChecksOf((its ?? []) as { type: string }[]), appId) !== 'thisApp') return null;
      return {
        id,
        name,
        isOurs: true,
        updated: updated_at ?? null,
        needsPull: (its ?? []).some((rule) => rule.type === 'pull_request'),
        state: enforcement === 'active' ? 'elsewhere' : 'notEnforced',
        source: type === 'Repository' ? 'repositoryRuleset' : 'organizationRuleset',
        bypass: bypass_actors ? (bypass_actors as RulesetActor[]).map(toBypassActor) : null,
        url: rulesetUrl(githubUrl, { id, repository: `${org}/${repo}`, source, type }),
      };
    });
    return (await Promise.all(rules)).filter((rule) => rule !== null);
  };
}
