import type { ListedPull, PullRequest, ShownRun } from '../../approvals/ports.ts';
import type { OpenHeads, ShownHeads } from '../../approvals/reconcile/ports.ts';
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
  const sizes = createExpiringMap<number>(clock, SMALLER_MS);
  const readNext = async (repo: KnownRepository, after: string | null): Promise<Page | null> => {
    const usual = small.has(repo.id) ? SMALL_PAGE : LARGE_PAGE;
    const first = Math.min(usual, sizes.get(String(repo.id)) ?? usual);
    try {
      const found = await readPage(app, repo, { app: appId, first, after });
      return found && toPage(found);
    } catch (error) {
      const smaller = PAGES.find((size) => size < first);
      if (!isGivenUp(error) || smaller === undefined) throw error;
      sizes.set(String(repo.id), smaller);
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
        heads.pulls.push(...found.pulls);
        for (const [head, run] of found.runs) heads.runs.set(head, run);
        after = found.next;
      } while (after !== null);
      if (heads.pulls.length < FEW) small.add(repo.id);
      else small.delete(repo.id);
      return heads;
    },
  };
}

/**
 * An error of GitHub, no answer in time, or an answer that leaves something out. GitHub can answer 200 to a query that it
 * gave up, and say so in the body.
 */
function isGivenUp(error: unknown): boolean {
  const { status = 0, message = '', errors } = ((error as Error).cause ?? error) as Failure;
  return (
    status >= 500 ||
    /Something went wrong while executing your query/.test(message) ||
    Boolean(errors?.some(({ type }) => type === 'RESOURCE_LIMITS_EXCEEDED'))
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
      const shown = withoutHidden(error);
      if (shown) return shown;
      throw error;
    });
  const { repository } = await fromGitHub(request);
  return repository?.databaseId === id ? repository : null;
}

/** GitHub answers 200 to a query that failed, and names the fault in the body. */
function isNotFound(error: unknown): boolean {
  const { errors } = error as Failure;
  return Array.isArray(errors) && errors.length > 0 && errors.every(({ type }) => type === 'NOT_FOUND');
}

/** @throws UnusableAnswer if GitHub leaves an item out: a part of a list isn't the list. */
function nodesOf<T>({ nodes }: { nodes: (T | null)[] | null }): T[] {
  if (!nodes || nodes.includes(null)) throw new UnusableAnswer('GitHub left out a part of the list');
  return nodes as T[];
}

type Page = ShownHeads & { /** The cursor of the next page; null if there is none. */ next: string | null };

function toPage(repository: Repository): Page {
  const shown = nodesOf(repository.pullRequests);
  const runs: Page['runs'] = new Map();
  for (const { commits, headRefOid } of shown) {
    const commit = commits?.nodes?.[0]?.commit;
    const run = commit?.oid === headRefOid ? newestRun(commit) : undefined;
    if (run !== undefined) runs.set(headRefOid, run);
  }
  const { hasNextPage, endCursor } = repository.pullRequests.pageInfo;
  const pulls = shown.map((pull) => toListedPull(repository, pull));
  return { pulls, runs, next: hasNextPage ? endCursor : null };
}

function toListedPull({ databaseId, name, owner }: Repository, pull: Pull): ListedPull {
  return {
    number: pull.number,
    title: pull.title,
    author: pull.author && toAuthor(pull.author),
    open: true,
    merged: false,
    mergedAt: null,
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
  const shown = checkSuites?.nodes?.flatMap((suite) => suite?.checkRuns?.nodes ?? [null]);
  const runs = shown?.map((run) => run && toRun(run));
  if (!runs || runs.includes(null)) return undefined;
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

type Failure = {
  status?: number;
  message?: string;
  errors?: { type?: string; path?: unknown[] }[];
  data?: Answer | null;
};

/** The fields that GitHub may hide from the App: teams, and in a private repository commits, need further permissions. */
const MAY_BE_HIDDEN = ['reviewRequests', 'commits'];

/** GitHub's answer, if it refused to show nothing but such fields, and shows each pull request. */
function withoutHidden(error: unknown): Answer | null {
  const { errors, data } = error as Failure;
  const isHidden = ({ type, path }: { type?: string; path?: unknown[] }) =>
    type === 'FORBIDDEN' && MAY_BE_HIDDEN.some((field) => path?.includes(field));
  if (!Array.isArray(errors) || errors.length === 0 || !errors.every(isHidden)) return null;
  const pulls = data?.repository?.pullRequests?.nodes;
  return data && pulls && !pulls.includes(null) ? data : null;
}
