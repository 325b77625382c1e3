// Each function tries some of what docs/assumptions.md lists, and answers with what it saw of each.
import {
  commitFile,
  completed,
  createBranch,
  createRun,
  findWebhook,
  PENDING,
  poll,
  readRun,
  TRIED_CHECK,
  tipOf,
  updateRun,
} from './scratch.js';

const LIST_PATIENCE_MS = 60_000;
const ASSUMED_LAG_MS = 30_000;
const PATIENCE_MS = 30_000;
/** The largest id that fits into the type of `databaseId`. */
const LARGEST_INT = 2 ** 31 - 1;
/** As `src/bot/merge-group.ts` reads it. */
const QUEUE_REF = /^refs\/heads\/gh-readonly-queue\/.+\/pr-[1-9][0-9]*-([0-9a-f]{40,64})$/;
const NO_GROUP =
  'No merge group of this repository is among the newest 100 webhooks. Put a pull request in its merge queue, then try again.';
const ONLY_SEEN_ELSEWHERE = {
  'details-url': 'Only GitHub’s page has the link. The API answers with the address that the App wrote.',
  'sender-pushed': 'A second person has to push: the script has the token of one, who is the author too.',
  'sign-in-after-sso': 'A person has to sign in with a browser, in an organization with single sign-on.',
};

/** Looks at a merge group that came before: only a person can put a pull request in the queue that may pass it. */
export async function tryMergeGroup(scratch) {
  const id = 'merge-group-webhook';
  const event = { event: 'merge_group', action: 'checks_requested', matches: () => true };
  const sent = await findWebhook(scratch, event);
  if (!sent) return [{ id, notTried: NO_GROUP }];
  const group = sent.payload.merge_group ?? {};
  const [, below] = QUEUE_REF.exec(String(group.head_ref)) ?? [];
  const isSame = below !== undefined && below === group.base_sha && 'installation' in sent.payload;
  return [{ id, seen: isSame ? 'the ref has this form' : 'the ref has another form' }];
}

/** How long the list of open pull requests and the webhook of a new one take. */
export async function tryLists(scratch, pull) {
  const { installation, at } = scratch;
  const listed = await poll(scratch, LIST_PATIENCE_MS, async () => {
    const { data } = await installation.rest.pulls.list({ ...at, state: 'open', per_page: 100 });
    return data.some(({ number }) => number === pull.number) ? new Date() : undefined;
  });
  const matches = ({ number }) => number === pull.number;
  const opened = { event: 'pull_request', action: 'opened', matches };
  const sent = await poll(scratch, LIST_PATIENCE_MS, () => findWebhook(scratch, opened));
  return [
    { id: 'list-lag', ...after(pull.askedAt, listed) },
    { id: 'webhook-lag', ...after(pull.askedAt, sent?.at) },
  ];
}

function after(asked, at) {
  if (!at) return { seen: 'not within a minute' };
  // GitHub's clock can be a little behind ours.
  const ms = Math.max(0, at.getTime() - asked.getTime());
  const seen = ms <= ASSUMED_LAG_MS ? 'within 30 seconds' : 'later than 30 seconds';
  return { seen, more: `${(ms / 1000).toFixed(1)} s` };
}

/** Whether a branch's list of check suites shows its tip: after a push, and after the App made a suite for it. */
export async function trySuites(scratch, { head, branch }) {
  const shown = () => isShown(scratch, branch, head);
  const pushed = await poll(scratch, PATIENCE_MS, async () => (await shown()) || undefined);
  return [{ id: 'tip-has-suite', seen: pushed ? 'a suite' : 'no suite' }, await tryMadeSuite(scratch)];
}

async function tryMadeSuite(scratch) {
  const { installation, at, prefix } = scratch;
  const id = 'made-suite-is-listed';
  const branch = `${prefix}-quiet`;
  await createBranch(scratch, branch, await tipOf(scratch));
  // GitHub makes no suite for a push with this message.
  const head = await commitFile(scratch, branch, `Add ${branch}\n\n\nskip-checks: true`);
  if (await isShown(scratch, branch, head))
    return {
      id,
      notTried: 'GitHub made a suite itself, although the commit’s message says skip-checks: true.',
    };
  const made = await installation.rest.checks.createSuite({ ...at, head_sha: head }).catch((error) => {
    if (error.status === 422) return null;
    throw error;
  });
  if (!made) return { id, seen: 'GitHub makes none' };
  return { id, seen: (await isShown(scratch, branch, head)) ? 'listed' : 'not listed' };
}

/** Reads the list as `src/adapters/github/branches.ts` does. */
async function isShown({ installation, at }, branch, commit) {
  const query = { ...at, ref: `heads/${branch}`, per_page: 1 };
  const { data } = await installation.rest.checks.listSuitesForRef(query);
  return data.check_suites[0]?.head_sha === commit;
}

/** The query for open pull requests, and the list of files. */
export async function tryReads(scratch, { number, head }) {
  const { installation, at, appId, openHeads } = scratch;
  const more = { app: appId, check: TRIED_CHECK, first: 10, after: null };
  const query = () =>
    installation.graphql(openHeads, { owner: at.owner, name: at.repo, ...more }).then(
      ({ repository }) => pullIn(repository),
      // GitHub's answer comes with the error if it hides a part.
      ({ data }) => pullIn(data?.repository),
    );
  const pullIn = (repository) => repository?.pullRequests?.nodes?.find((pull) => pull?.number === number);
  const { data: repository } = await installation.rest.repos.get(at);
  const inAnswer = await query();
  const shownOf = (pull) => (pull.commits?.nodes?.[0] ? 'commits, too' : 'no commits');
  const { data: files } = await installation.rest.pulls.listFiles({ ...at, pull_number: number });
  const named = files.map(({ contents_url: url }) => new URL(url).searchParams.get('ref'));
  const run = await createRun(scratch, head, completed('cancelled'));
  const shownRun = await poll(scratch, PATIENCE_MS, async () => runIn(await query()));
  return [
    {
      id: 'query-without-contents',
      ...(repository.private
        ? { seen: inAnswer ? shownOf(inAnswer) : 'refused' }
        : { notTried: 'in a public repository everybody may read code' }),
    },
    { id: 'files-name-head', seen: named.every((ref) => ref === head) ? 'the head' : 'something else' },
    { id: 'long-run-ids', ...nameOfRun(run, shownRun) },
    ...Object.entries(ONLY_SEEN_ELSEWHERE).map(([id, notTried]) => ({ id, notTried })),
  ];
}

function runIn(pull) {
  const suites = pull?.commits?.nodes?.[0]?.commit?.checkSuites?.nodes ?? [];
  return suites.flatMap((suite) => suite?.checkRuns?.nodes ?? []).find((run) => run !== null);
}

/** How the query names the run with this id. */
function nameOfRun(id, shown) {
  if (id <= LARGEST_INT) return { notTried: 'GitHub chooses the ids of runs, and they are short here.' };
  if (!shown) return { seen: 'not shown' };
  if (shown.databaseId !== null) return { seen: 'its databaseId is a number' };
  const isNamed = shown.resourcePath.endsWith(`/runs/${id}`);
  return { seen: isNamed ? 'named by its path' : 'the path is another one' };
}

/** Whether a completed run can be changed, and what a re-run does. No rule requires these runs. */
export async function tryRuns(scratch, pull) {
  const id = await createRun(scratch, pull.head, completed('failure'), `${TRIED_CHECK}: changes`);
  const answered = await updateRun(scratch, id, PENDING);
  const kept = await readRun(scratch, id);
  const isTrue = answered.status === kept.status && answered.conclusion === kept.conclusion;
  const more = kept.status === 'completed' ? 'it stays completed' : 'it is reopened';
  return [
    { id: 'answer-shows-state', seen: isTrue ? 'the answer is true' : 'the answer is wrong', more },
    await tryRerun(scratch, pull),
    ...(await tryTwoRuns(scratch, pull)),
  ];
}

/** Whether a second run, made when a second branch has the commit, is in the same suite, and which one a list begins with. */
async function tryTwoRuns(scratch, { head }) {
  const { installation, at, prefix, appId } = scratch;
  const name = `${TRIED_CHECK}: two`;
  const older = await createRun(scratch, head, completed('failure'), name);
  await createBranch(scratch, `${prefix}-second`, head);
  const newer = await createRun(scratch, head, completed('failure'), name);
  const query = { ref: head, check_name: name, app_id: appId, per_page: 1, filter: 'latest' };
  const { data } = await installation.rest.checks.listForRef({ ...at, ...query });
  const runs = await Promise.all([older, newer].map((id) => readRun(scratch, id)));
  const suites = new Set(runs.map((run) => run.check_suite?.id));
  return [
    suites.has(undefined)
      ? { id: 'one-suite', notTried: 'GitHub shows no suites of runs here.' }
      : { id: 'one-suite', seen: suites.size === 1 ? 'one suite' : 'two suites' },
    { id: 'latest-is-newest', seen: data.check_runs[0]?.id === newer ? 'the newest' : 'another one' },
  ];
}

async function tryRerun(scratch, { head }) {
  const id = await createRun(scratch, head, completed('success'), `${TRIED_CHECK}: re-run`);
  await scratch.installation.rest.checks.rerequestRun({ ...scratch.at, check_run_id: id });
  const matches = ({ check_run: run }) => run?.id === id && run.head_sha === head;
  const rerequested = { event: 'check_run', action: 'rerequested', matches };
  const sent = await poll(scratch, LIST_PATIENCE_MS, () => findWebhook(scratch, rerequested));
  const { status, conclusion } = await readRun(scratch, id);
  const more = `the run is ${conclusion ?? status} then`;
  return { id: 'rerun-webhook', seen: sent ? 'the webhook comes' : 'no webhook comes', more };
}

/** Renames the repository and back: where its former name leads, and whether runs keep their link. */
export async function tryRename(scratch, pull) {
  const { person, at, undo, prefix, signal } = scratch;
  const run = await createRun(scratch, pull.head, completed('cancelled'), `${TRIED_CHECK}: rename`);
  const before = await readRun(scratch, run);
  const other = `${at.repo}-${prefix}`;
  let isBack = false;
  const back = async () => {
    if (!isBack) await person.rest.repos.update({ owner: at.owner, repo: other, name: at.repo });
    isBack = true;
  };
  undo.add(`the name ${at.repo}: the repository is ${at.owner}/${other} now`, back);
  signal.throwIfAborted();
  await person.rest.repos.update({ ...at, name: other });
  const seen = await seenAfterRename(scratch, run, before.details_url);
  await back();
  return [{ id: 'rename-keeps-details', seen }];
}

async function seenAfterRename(scratch, run, details) {
  try {
    const renamed = await readRun(scratch, run);
    await updateRun(scratch, run, completed('cancelled'));
    return renamed.details_url === details ? 'kept, and reached' : 'the address is another one';
  } catch (error) {
    if (error.status === 404) return 'the former name leads nowhere';
    throw error;
  }
}
