import type { ListedPull, OpenHeads, PullRequest, ShownHeads, ShownRun } from '../../approvals/ports.ts';
import type { KnownRepository } from '../../organizations/ports.ts';
import { type Clock, systemClock } from '../../shared/clock.ts';
import { createExpiringMap } from '../../shared/expiring-map.ts';
import type { GitHubApp } from './app.ts';
import { CHECK_NAME } from './check-runs.ts';
import { fromGitHub, UnusableAnswer } from './from-github.ts';
import type { RequestOptions } from './octokit.ts';
import {
  type Answer,
  type Commit,
  OPEN_HEADS,
  type Pull,
  type Repository,
  type Run,
} from './open-heads-query.ts';

/**
 * GitHub counts a query in points, by the sizes of its pages: 1 point for 20 pull requests, 6 for 100
 * (docs.github.com, "Rate limits and query limits for the GraphQL API").
 */
const SMALL_PAGE = 20;
/** GitHub gives up a query that takes too long. Then the repository's pages have the next of these sizes for a while. */
const PAGES = [100, 30, 10];
const LARGE_PAGE = 100;
const SMALLER_MS = 2 * 60 * 60_000;
/** A repository with fewer open pull requests gets a small page the next time. */
const FEW = 15;
/** A query that fails isn't sent again as it is, but with a smaller page. */
const QUERY: RequestOptions = { isQuery: true, retries: 0 };

/** Open pull requests with the runs on their heads, from GitHub's GraphQL API. */
export function createOpenHeads(app: GitHubApp, appId: number, clock: Clock = systemClock): OpenHeads {
  const small = new Set<number>();
  /** The largest page that GitHub answers, by repository, where it gave up a larger one. */
  const sizes = createExpiringMap<number>(clock);
  const readNext = async (repo: KnownRepository, after: string | null): Promise<Repository | null> => {
    const usual = small.has(repo.id) ? SMALL_PAGE : LARGE_PAGE;
    const first = Math.min(usual, sizes.get(String(repo.id)) ?? usual);
    try {
      return await readPage(app, repo, { app: appId, first, after });
    } catch (error) {
      const smaller = PAGES.find((size) => size < first);
      if (!isGivenUp(error) || smaller === undefined) throw error;
      sizes.set(String(repo.id), smaller, SMALLER_MS);
      return readNext(repo, after);
    }
  };
  return {
    async read(repo) {
      const heads: ShownHeads = { pulls: [], runs: new Map() };
      let after: string | null = null;
      do {
        const found = await readNext(repo, after);
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

/** An error of GitHub, or no answer in time. GitHub can answer 200 to a query that it gave up, and say so in the body. */
function isGivenUp(error: unknown): boolean {
  const { cause } = error as { cause?: { status?: number; message?: string } };
  return (
    (cause?.status ?? 0) >= 500 ||
    /Something went wrong while executing your query/.test(cause?.message ?? '')
  );
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

/** GitHub answers 200 to a query that failed, and names the fault in the body. */
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
    mergeCommit: null,
    head: pull.headRefOid,
    headBranch: null,
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
  // The REST API and webhooks name a bot like this.
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

/**
 * The requested reviewers. Null if GitHub shows only some of them, or one that we can't name as the REST API does: then
 * the reviewers that a webhook named stay.
 */
function shownReviewers({ reviewRequests }: Pull): PullRequest['reviewers'] {
  const { totalCount, nodes } = reviewRequests ?? {};
  if (!nodes || nodes.length !== totalCount) return null;
  const all = nodes.map((node) => node?.requestedReviewer);
  const people = all.flatMap((reviewer) => reviewer?.databaseId ?? []);
  const teams = all.flatMap((reviewer) => reviewer?.slug ?? []);
  return people.length + teams.length === all.length ? { people, teams } : null;
}

type Failure = { errors?: { path?: unknown[] }[]; data?: unknown };

/** GitHub's answer, if it refused to show nothing but reviewers: teams need a permission of their own. */
function withoutReviewers<T>(error: unknown): T | null {
  const { errors, data } = error as Failure;
  if (!data || !Array.isArray(errors) || errors.length === 0) return null;
  return errors.every(({ path }) => path?.includes('reviewRequests')) ? (data as T) : null;
}
