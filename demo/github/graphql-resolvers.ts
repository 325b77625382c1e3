import { GraphQLError } from 'graphql';
import { FORBIDDEN, isGranted } from './administration.ts';
import { asBot, isBot } from './bots.ts';
import { readStoredHead, STORED_STALE_CONCLUSION } from './checks.ts';
import type { Account, CheckRun, Installation, Pull, Repository } from './github-objects.ts';
import { readRepository } from './repositories.ts';
import type { RouteDeps } from './route-deps.ts';

type ListedPull = Pull & {
  created_at: string;
  updated_at: string;
  requested_reviewers: Account[];
  requested_teams: { slug: string }[];
};
type Filter = { first?: number; filterBy?: { appId?: number; checkName?: string; checkType?: string } };
type Page = { first?: number; after?: string | null };
type Names = { owner: string; name: string };
type ResolverDeps = Pick<RouteDeps, 'emulator' | 'checks' | 'formerNames'>;

const actorOf = (account: (Account & { avatar_url?: string }) | null) =>
  account && {
    __typename: isBot(account) ? 'Bot' : 'User',
    databaseId: asBot(account).id,
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
  { emulator, checks, formerNames }: ResolverDeps,
  installation: Pick<Installation, 'account' | 'permissions' | 'events'>,
) {
  /** Refuses a field as GitHub does: the others of the answer are there, and this one or what holds it is null. */
  const require = (repo: Repository, permission: string) => {
    if (!repo.private || isGranted(installation, permission, 'read')) return;
    throw new GraphQLError(FORBIDDEN, { extensions: { type: 'FORBIDDEN' } });
  };

  const conclusionOf = ({ id, conclusion }: CheckRun) =>
    checks.isStale(id) && conclusion === STORED_STALE_CONCLUSION ? 'stale' : conclusion;

  const runOf = (repo: Repository, run: CheckRun) => ({
    databaseId: run.id,
    resourcePath: `/${repo.full_name}/runs/${run.id}`,
    status: run.status.toUpperCase(),
    conclusion: conclusionOf(run)?.toUpperCase() ?? null,
  });

  const isOf = (run: CheckRun, { appId, checkName = run.name }: Filter['filterBy'] = {}) =>
    run.name === checkName && (appId === undefined || appId === readStoredHead(run).app);

  const suiteOf = (repo: Repository, newestFirst: readonly CheckRun[]) => ({
    checkRuns({ first, filterBy = {} }: Filter) {
      const isNewest = (run: CheckRun, at: number) =>
        newestFirst.findIndex(({ name }) => name === run.name) === at;
      const shown = filterBy.checkType === 'ALL' ? newestFirst : newestFirst.filter(isNewest);
      const nodes = shown.filter((run) => isOf(run, filterBy)).slice(0, first);
      return { nodes: nodes.map((run) => runOf(repo, run)) };
    },
  });

  const commitOf = (repo: Repository, oid: string) => ({
    oid,
    /** One of each App that has runs on the commit, which can be in a fork. */
    async checkSuites({ first, filterBy }: Filter) {
      require(repo, 'checks');
      const runs = await checks.runsOf(repo.full_name, oid);
      const suites = [...new Set(runs.map((run) => run.head_sha))].map((stored) =>
        runs.filter((run) => run.head_sha === stored),
      );
      const shown = suites.filter((ofApp) => ofApp.some((run) => isOf(run, filterBy)));
      return { nodes: shown.slice(0, first).map((ofApp) => suiteOf(repo, ofApp)) };
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
