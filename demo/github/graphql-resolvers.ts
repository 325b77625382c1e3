import { GraphQLError } from 'graphql';
import { FORBIDDEN, isGranted } from './administration.ts';
import { STORED_STALE_CONCLUSION } from './app-check-runs.ts';
import { APP } from './credentials.ts';
import type { Account, CheckRun, Installation, Pull, Repository } from './github-objects.ts';
import { readRepository } from './repositories.ts';
import type { RouteDeps } from './route-deps.ts';

type ListedPull = Pull & {
  created_at: string;
  updated_at: string;
  requested_reviewers: Account[];
  requested_teams: { slug: string }[];
};
type Filter = { filterBy?: { appId?: number; checkName?: string } };
type Page = { first?: number; after?: string | null };
type Names = { owner: string; name: string };
type ResolverDeps = Pick<RouteDeps, 'emulator' | 'runs' | 'formerNames'>;

const actorOf = (account: (Account & { avatar_url?: string }) | null) =>
  account && {
    __typename: account.login.endsWith('[bot]') ? 'Bot' : 'User',
    databaseId: account.id,
    // GraphQL names a bot without the suffix.
    login: account.login.replace(/\[bot\]$/, ''),
    avatarUrl: account.avatar_url ?? '',
  };

function reviewRequestsOf({ requested_reviewers: people, requested_teams: teams }: ListedPull) {
  const all = [...people.map(actorOf), ...teams.map(({ slug }) => ({ __typename: 'Team', slug }))];
  return { nodes: all.map((requestedReviewer) => ({ requestedReviewer })), totalCount: all.length };
}

/** Answers queries about an installation's repositories by name or former name, their open pull requests and runs. */
export function createGraphqlRoot(
  { emulator, runs, formerNames }: ResolverDeps,
  installation: Pick<Installation, 'account' | 'permissions' | 'events'>,
) {
  /** Refuses a field as GitHub does: the others of the answer are there, and this one or what holds it is null. */
  const require = (repo: Repository, permission: string) => {
    if (!repo.private || isGranted(installation, permission, 'read')) return;
    throw new GraphQLError(FORBIDDEN, { extensions: { type: 'FORBIDDEN' } });
  };

  const conclusionOf = ({ id, conclusion }: CheckRun) =>
    runs.isStale(id) && conclusion === STORED_STALE_CONCLUSION ? 'stale' : conclusion;

  const runOf = (repo: Repository, run: CheckRun) => ({
    databaseId: run.id,
    resourcePath: `/${repo.full_name}/runs/${run.id}`,
    status: run.status.toUpperCase(),
    conclusion: conclusionOf(run)?.toUpperCase() ?? null,
  });

  /** The newest run of the App on the commit, also if that is in a fork. */
  const newestRun = async (repo: Repository, sha: string, { filterBy = {} }: Filter) => {
    if (filterBy.appId !== undefined && filterBy.appId !== APP.id) return undefined;
    const newestFirst = runs.of(sha).toSorted((one, other) => other.id - one.id);
    for (const { id } of newestFirst) {
      const run = await emulator.get<CheckRun>(`/repos/${repo.full_name}/check-runs/${id}`);
      if (run && (filterBy.checkName ?? run.name) === run.name) return runOf(repo, run);
    }
    return undefined;
  };

  const commitOf = (repo: Repository, oid: string) => ({
    oid,
    async checkSuites(filter: Filter) {
      require(repo, 'checks');
      const newest = await newestRun(repo, oid, filter);
      return { nodes: newest ? [{ checkRuns: { nodes: [newest] } }] : [] };
    },
  });

  const pullOf = (repo: Repository, pull: ListedPull) => ({
    number: pull.number,
    title: pull.title,
    createdAt: pull.created_at,
    updatedAt: pull.updated_at,
    headRefOid: pull.head.sha,
    baseRefName: pull.base.ref,
    baseRefOid: pull.base.sha,
    author: actorOf(pull.user),
    reviewRequests: reviewRequestsOf(pull),
    commits: {
      nodes: [
        {
          commit() {
            require(repo, 'contents');
            return commitOf(repo, pull.head.sha);
          },
        },
      ],
    },
  });

  const pullRequestsOf = async (repo: Repository, { first = 30, after }: Page) => {
    const open = await emulator.list<ListedPull>(`/repos/${repo.full_name}/pulls?state=open`);
    const newestFirst = open.sort((one, other) => other.number - one.number);
    // A cursor names an item, so closing another one moves nothing.
    const rest = after ? newestFirst.filter(({ number }) => number < Number(after)) : newestFirst;
    const nodes = rest.slice(0, first);
    const pageInfo = { hasNextPage: rest.length > first, endCursor: String(nodes.at(-1)?.number ?? '') };
    return { nodes: nodes.map((pull) => pullOf(repo, pull)), pageInfo };
  };

  const findRepository = async ({ owner, name }: Names) => {
    const id = formerNames.get(`${owner}/${name}`.toLowerCase());
    const found = await readRepository(emulator, { owner, repo: name });
    return found ?? (id === undefined ? undefined : emulator.get<Repository>(`/repositories/${id}`));
  };

  return {
    async repository(names: Names) {
      const repo = await findRepository(names);
      if (repo?.owner.id !== installation.account.id) {
        const message = `Could not resolve to a Repository with the name '${names.owner}/${names.name}'.`;
        throw new GraphQLError(message, { extensions: { type: 'NOT_FOUND' } });
      }
      const { id: databaseId, login, type } = repo.owner;
      return {
        databaseId: repo.id,
        name: repo.name,
        owner: { __typename: type === 'User' ? 'User' : 'Organization', databaseId, login },
        pullRequests(page: Page) {
          require(repo, 'pull_requests');
          return pullRequestsOf(repo, page);
        },
      };
    },
  };
}
