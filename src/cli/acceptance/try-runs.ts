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
