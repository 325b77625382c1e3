import type { RepositoryEnvironment, RepositoryEnvironments } from '../../contract/organization-health.ts';
import type { Octokit } from './app.ts';
import { read } from './conditional-reads.ts';
import { fromGitHub, NOT_READABLE, UnusableAnswer } from './from-github.ts';
import { readRepository } from './installations.ts';
import { FULL_PAGE } from './pages.ts';

type Repos = Octokit['rest']['repos'];
type At = { octokit: Octokit; owner: string; repo: string; appId: number };

/** The rules of each cost a request. Some repositories have an environment for each pull request. */
const MOST_READ = 20;

/** Tells whether the environment has this App's rule; null if GitHub doesn't say. GitHub lists at most six. */
export async function readIsGated(
  repos: Repos,
  environment: { owner: string; repo: string; environment_name: string },
  appId: number,
): Promise<boolean | null> {
  const request = read(
    repos.getAllDeploymentProtectionRules,
    environment,
    ({ custom_deployment_protection_rules: rules }) =>
      rules?.some(({ enabled, app }) => enabled && app.id === appId) ?? null,
  );
  return fromGitHub(request, NOT_READABLE);
}

/** Reads the repository's environments: the rules of those that had this App's rule before, then of others. */
export async function readEnvironments(
  { octokit, owner, repo, appId }: At,
  known: RepositoryEnvironments | undefined,
): Promise<RepositoryEnvironments> {
  const { repos } = octokit.rest;
  const at = { owner, repo };
  const list = read(
    repos.getAllEnvironments,
    { ...at, per_page: FULL_PAGE },
    ({ total_count, environments }) => {
      if (total_count === undefined || !environments) throw new UnusableAnswer('GitHub answered with a part');
      return { total: total_count, environments: environments.map(toEnvironment) };
    },
  );
  const found = await fromGitHub(list, NOT_READABLE);
  if (!found) return { total: null, first: [], isPrivate: false };
  const wasGated = ({ name }: RepositoryEnvironment) =>
    known?.first.some((one) => one.isGated && one.name === name) ?? false;
  const sorted = found.environments.toSorted((one, other) => Number(wasGated(other)) - Number(wasGated(one)));
  const first = await Promise.all(
    sorted.map(async (one, place) => {
      if (place >= MOST_READ) return one;
      return { ...one, isGated: await readIsGated(repos, { ...at, environment_name: one.name }, appId) };
    }),
  );
  const hasRule = first.some(({ isGated }) => isGated);
  const isPrivate = hasRule && (await readRepository(octokit, at))?.isPrivate !== false;
  return { total: found.total, first, isPrivate };
}

/** GitHub sends `can_admins_bypass`, and doesn't document it. */
const toEnvironment = (raw: { name: string; can_admins_bypass?: boolean }): RepositoryEnvironment => ({
  name: raw.name,
  isGated: null,
  canAdminsBypass: raw.can_admins_bypass ?? null,
});
