import { type Answer, OPEN_HEADS, type Pull, type Run } from '../../github/open-heads-query.ts';
import type { ScratchPull } from './open-pull.ts';
import type { Seen } from './outcome.ts';
import { completed, createRun, TRIED_CHECK } from './runs.ts';
import { poll, type Scratch } from './scratch.ts';

const PATIENCE_MS = 30_000;
/** The largest id that fits into the type of `databaseId`. */
const LARGEST_INT = 2 ** 31 - 1;

const ONLY_SEEN_ELSEWHERE = {
  'details-url': 'Only GitHub’s page has the link. The API answers with the address that the App wrote.',
  'sender-pushed': 'A second person has to push: the command has the token of one, who is the author too.',
  'sign-in-after-sso': 'A person has to sign in with a browser, in an organization with single sign-on.',
} as const;

/** What the query and the list of files say about the pull request. */
export async function tryReads(scratch: Scratch, { number, head }: ScratchPull): Promise<Seen[]> {
  const { installation, at, appId } = scratch;
  const variables = {
    owner: at.owner,
    name: at.repo,
    app: appId,
    check: TRIED_CHECK,
    first: 10,
    after: null,
  };
  const query = () =>
    installation.graphql<Answer>(OPEN_HEADS, variables).then(
      ({ repository }) => repository?.pullRequests.nodes?.find((pull) => pull?.number === number),
      () => undefined,
    );
  const isShown = (await query()) !== undefined;
  const { data: files } = await installation.rest.pulls.listFiles({ ...at, pull_number: number });
  const named = files.map(({ contents_url: url }) => new URL(url).searchParams.get('ref'));
  const run = await createRun(scratch, head, completed('cancelled'));
  const shownRun = await poll(scratch, PATIENCE_MS, async () => runIn(await query()));
  return [
    { id: 'query-without-contents', seen: isShown ? 'shown' : 'refused' },
    { id: 'files-name-head', seen: named.every((ref) => ref === head) ? 'the head' : 'something else' },
    { id: 'long-run-ids', ...nameOfRun(run, shownRun) },
    ...Object.entries(ONLY_SEEN_ELSEWHERE).map(([id, notTried]) => ({
      id: id as keyof typeof ONLY_SEEN_ELSEWHERE,
      notTried,
    })),
  ];
}

function runIn(pull: Pull | null | undefined): Run | undefined {
  const suites = pull?.commits.nodes?.[0]?.commit.checkSuites?.nodes ?? [];
  return suites.flatMap((suite) => suite?.checkRuns?.nodes ?? []).find((run) => run !== null);
}

/** How the query names the run with this id. */
export function nameOfRun(id: number, shown: Run | undefined): { seen: string } | { notTried: string } {
  if (id <= LARGEST_INT) return { notTried: 'GitHub chooses the ids of runs, and they are short here.' };
  if (!shown) return { seen: 'not shown' };
  if (shown.databaseId !== null) return { seen: 'its databaseId is a number' };
  return {
    seen: shown.resourcePath.endsWith(`/runs/${id}`) ? 'named by its path' : 'the path is another one',
  };
}
