import { findWebhook } from './deliveries.ts';
import type { ScratchPull } from './open-pull.ts';
import type { Seen } from './outcome.ts';
import { completed, createRun, PENDING, readRun, TRIED_CHECK, updateRun } from './runs.ts';
import { poll, type Scratch } from './scratch.ts';

const PATIENCE_MS = 60_000;

/** Whether a completed run can be changed, and what a re-run does. No rule requires these runs. */
export async function tryRuns(scratch: Scratch, pull: ScratchPull): Promise<Seen[]> {
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
async function tryTwoRuns(scratch: Scratch, { head }: ScratchPull): Promise<Seen[]> {
  const { installation, person, at, undo, prefix, appId } = scratch;
  const name = `${TRIED_CHECK}: two`;
  const older = await createRun(scratch, head, completed('failure'), name);
  const branch = `${prefix}-second`;
  undo.add(`the branch ${branch}`, () => person.rest.git.deleteRef({ ...at, ref: `heads/${branch}` }));
  await person.rest.git.createRef({ ...at, ref: `refs/heads/${branch}`, sha: head });
  const newer = await createRun(scratch, head, completed('failure'), name);
  const query = { ref: head, check_name: name, app_id: appId, per_page: 1, filter: 'latest' } as const;
  const [first] = (await installation.rest.checks.listForRef({ ...at, ...query })).data.check_runs;
  const suites = await Promise.all(
    [older, newer].map(async (id) => (await readRun(scratch, id)).check_suite?.id),
  );
  return [
    suites.includes(undefined)
      ? { id: 'one-suite', notTried: 'GitHub shows no suites of runs here.' }
      : { id: 'one-suite', seen: new Set(suites).size === 1 ? 'one suite' : 'two suites' },
    { id: 'latest-is-newest', seen: first?.id === newer ? 'the newest' : 'another one' },
  ];
}

async function tryRerun(scratch: Scratch, { head }: ScratchPull): Promise<Seen> {
  const name = `${TRIED_CHECK}: re-run`;
  const id = await createRun(scratch, head, completed('success'), name);
  await scratch.installation.rest.checks.rerequestRun({ ...scratch.at, check_run_id: id });
  const sent = await poll(scratch, PATIENCE_MS, () =>
    findWebhook(scratch, {
      event: 'check_run',
      action: 'rerequested',
      matches: ({ check_run: run }) => isRun(run, { id, head }),
    }),
  );
  const { status, conclusion } = await readRun(scratch, id);
  const more = `the run is ${conclusion ?? status} then`;
  return { id: 'rerun-webhook', seen: sent ? 'the webhook comes' : 'no webhook comes', more };
}

function isRun(value: unknown, { id, head }: { id: number; head: string }): boolean {
  const run = value as { id?: unknown; head_sha?: unknown } | undefined;
  return run?.id === id && run.head_sha === head;
}
