import type { ListedPull, OpenHeads, ShownHeads, ShownRun } from '../approvals/ports.ts';
import type { KnownRepository } from '../organizations/ports.ts';
import type { GitHubApp } from './app.ts';
import { CHECK_NAME } from './check-runs.ts';
import { fromGitHub } from './from-github.ts';
import {
  type Answer,
  type Commit,
  OPEN_HEADS,
  type Pull,
  type Repository,
  type Run,
} from './open-heads-query.ts';
import type { RequestOptions } from './request-gate.ts';
import { shownReviewers, withoutReviewers } from './shown-reviewers.ts';
import { UnusableAnswer } from './unusable-answer.ts';

/**
 * GitHub counts a query in points, by the sizes of its pages: 1 point for 20 pull requests, 6 for 100
 * (docs.github.com, "Rate limits and query limits for the GraphQL API").
 */
const SMALL_PAGE = 20;
const LARGE_PAGE = 100;
/** A repository with fewer open pull requests gets a small page the next time. */
const FEW = 15;
const QUERY: RequestOptions = { isQuery: true };

/** Open pull requests with the runs on their heads, from GitHub's GraphQL API. */
export function createOpenHeads(app: GitHubApp, appId: number): OpenHeads {
  const small = new Set<number>();
  return {
    async read(repo) {
      const heads: ShownHeads = { pulls: [], runs: new Map() };
      const first = small.has(repo.id) ? SMALL_PAGE : LARGE_PAGE;
      let after: string | null = null;
      do {
        const found = await readPage(app, repo, { app: appId, first, after });
        if (!found) return null;
        for (const pull of nodesOf(found.pullRequests)) addPull(heads, found, pull);
        const { hasNextPage, endCursor } = found.pullRequests.pageInfo;
        after = hasNextPage ? endCursor : null;
      } while (after !== null);
      if (heads.pulls.length < FEW) small.add(repo.id);
      else small.delete(repo.id);
      return heads;
    },
  };
}

/** Null if the installation can't see the repository, or another repository has its name now. */
async function readPage(
  app: GitHubApp,
  { installation, id, owner, name }: KnownRepository,
  page: { app: number; first: number; after: string | null },
): Promise<Repository | null> {
  const request = app
    .asInstallation(installation)
    .then((octokit) =>
      octokit.graphql<Answer>(OPEN_HEADS, { owner, name, check: CHECK_NAME, ...page, request: QUERY }),
    )
    .catch((error: unknown) => {
      if (isNotFound(error)) return { repository: null };
      const shown = withoutReviewers<Answer>(error);
      if (shown) return shown;
      throw error;
    });
  const { repository } = await fromGitHub(request);
  return repository?.databaseId === id ? repository : null;
}

/** GitHub answers 200 to a query that failed, and says in the body what is wrong. */
function isNotFound(error: unknown): boolean {
  const { errors } = error as { errors?: { type?: string }[] };
  return Array.isArray(errors) && errors.length > 0 && errors.every(({ type }) => type === 'NOT_FOUND');
}

/** @throws UnusableAnswer if GitHub leaves an item out: a part of a list isn't the list. */
function nodesOf<T>({ nodes }: { nodes: (T | null)[] | null }): T[] {
  if (!nodes || nodes.includes(null)) throw new UnusableAnswer('GitHub left out a part of the list');
  return nodes as T[];
}

function addPull({ pulls, runs }: ShownHeads, repository: Repository, pull: Pull): void {
  pulls.push(toListedPull(repository, pull));
  const [last] = nodesOf(pull.commits);
  const run = last?.commit.oid === pull.headRefOid ? newestRun(last.commit) : undefined;
  if (run !== undefined) runs.set(pull.headRefOid, run);
}

function toListedPull({ databaseId, name, owner }: Repository, pull: Pull): ListedPull {
  return {
    number: pull.number,
    title: pull.title,
    author: pull.author && toAuthor(pull.author),
    open: true,
    merged: false,
    mergedBy: null,
    head: pull.headRefOid,
    base: pull.baseRefName,
    baseSha: pull.baseRefOid,
    repo: { id: databaseId, owner: owner.login, name, ownerId: owner.databaseId ?? 0 },
    createdAt: new Date(pull.createdAt),
    reviewers: shownReviewers(pull),
    size: null,
    updatedAt: new Date(pull.updatedAt),
  };
}

/** Null for an account without an id: a rule that excludes its author has to know who that is. */
function toAuthor({ __typename, login, avatarUrl, databaseId }: NonNullable<Pull['author']>) {
  if (!databaseId) return null;
  const isMachine = __typename === 'Bot';
  // As the REST API and webhooks name a bot.
  return { id: databaseId, login: isMachine ? `${login}[bot]` : login, avatarUrl, isMachine };
}

/** Null if there is none; undefined if GitHub doesn't say. */
function newestRun({ checkSuites }: Commit): ShownRun | null | undefined {
  if (!checkSuites) return undefined;
  const shown = nodesOf(checkSuites).map(({ checkRuns }) => checkRuns && nodesOf(checkRuns));
  if (shown.includes(null)) return undefined;
  const runs = shown.flatMap((each) => each ?? []).map(toRun);
  if (runs.some((run) => run === null)) return undefined;
  return runs.reduce((newest, run) => (newest && run && newest.id > run.id ? newest : run), null);
}

/** Null if GitHub doesn't say which run it is. */
function toRun({ databaseId, resourcePath, status, conclusion }: Run): ShownRun | null {
  const id = databaseId ?? idIn(resourcePath);
  if (id === null) return null;
  return { id, status: status.toLowerCase(), conclusion: conclusion?.toLowerCase() ?? null };
}

function idIn(path: string): number | null {
  const id = Number(/^\/[^/]+\/[^/]+\/runs\/(\d+)(?:\?|$)/.exec(path)?.[1]);
  return Number.isSafeInteger(id) ? id : null;
}
