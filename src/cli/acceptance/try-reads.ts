import { type Answer, OPEN_HEADS } from '../../github/open-heads-query.ts';
import type { ScratchPull } from './open-pull.ts';
import type { Seen } from './outcome.ts';
import { TRIED_CHECK } from './runs.ts';
import type { Scratch } from './scratch.ts';

const ONLY_SEEN_ELSEWHERE = {
  'tip-has-suite': 'All branches that the command may use are newer than the installation.',
  'long-run-ids': 'GitHub chooses the ids of runs.',
  'details-url': 'Only GitHub’s page shows it.',
  'sender-pushed': 'It needs a second person who pushes.',
  'sign-in-after-sso': 'It needs an organization with single sign-on, and a person who signs in.',
} as const;

/** What the query and the list of files say about the pull request. */
export async function tryReads(
  { installation, at, appId }: Scratch,
  { number, head }: ScratchPull,
): Promise<Seen[]> {
  const variables = {
    owner: at.owner,
    name: at.repo,
    app: appId,
    check: TRIED_CHECK,
    first: 10,
    after: null,
  };
  const isShown = await installation.graphql<Answer>(OPEN_HEADS, variables).then(
    ({ repository }) => repository?.pullRequests.nodes?.some((pull) => pull?.number === number) ?? false,
    () => false,
  );
  const { data: files } = await installation.rest.pulls.listFiles({ ...at, pull_number: number });
  const named = files.map(({ contents_url: url }) => new URL(url).searchParams.get('ref'));
  return [
    { id: 'query-without-contents', seen: isShown ? 'shown' : 'refused' },
    { id: 'files-name-head', seen: named.every((ref) => ref === head) ? 'the head' : 'something else' },
    ...Object.entries(ONLY_SEEN_ELSEWHERE).map(([id, notTried]) => ({
      id: id as keyof typeof ONLY_SEEN_ELSEWHERE,
      notTried,
    })),
  ];
}
