import { expect, it } from '@jest/globals';
import { createQueueAtOnce, createQueueDigests } from '../../../src/inbox/queue-notices.ts';
import { codeOf } from '../../support/code-of.ts';
import { aPull, aWaitingPull } from '../../support/fakes.ts';
import { mona, world as newWorld, octocat } from './world.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const headOf = (pr: number, push = 0) => `${pr}-${push}`.padEnd(40, '0');

/** Mona chose e-mails, and her review is asked for on each pull request. It's noon. */
async function world(choice: 'at-once' | 'daily' = 'at-once') {
  const w = await newWorld();
  await w.noticeChoices.save('mona', choice, w.clock.now());
  const [atOnce, digests] = [createQueueAtOnce(w), createQueueDigests(w)];
  return {
    ...w,
    queue: () => atOnce().then(digests),
    /** Pull requests, each with the number of pushes to it. */
    waits: (...pulls: [pr: number, push?: number][]) => {
      const since = w.clock.now();
      const reviewers = { people: [mona.githubId, octocat.githubId], teams: [] };
      w.pulls.all = pulls.map(([number, push]) => aPull({ number, head: headOf(number, push) }));
      w.wait(...pulls.map(([pr, push]) => aWaitingPull({ pr, head: headOf(pr, push), reviewers, since })));
    },
    /** The pull requests in each e-mail, and how many more it counts. */
    said: () =>
      w.mails.map(({ notice: { data } }) => [...(data.pulls ?? []).map(({ name }) => name), data.more]),
  };
}
type World = Awaited<ReturnType<typeof world>>;

it('comes immediately, and once for each head, regardless of how often it changes and which process looks', async () => {
  const w = await world();
  w.waits([1]);
  await Promise.all([w.queue(), createQueueAtOnce(w)()]);
  w.waits([1]);
  await w.queue();
  expect(w.said()).toEqual([['octo-org/hello#1', 0]]);
  w.waits([1, 1]);
  await w.queue();
  expect(w.mails).toHaveLength(2);
});

it.each<[string, (w: World) => unknown]>([
  ['who doesn’t want it', (w) => w.noticeChoices.save('mona', 'off', w.clock.now())],
  ['who chose it later', (w) => w.noticeChoices.save('mona', 'at-once', new Date(Number(w.clock.now()) + 1))],
  ['who can’t read the repository', (w) => w.members.readers.clear()],
  ['who is no longer a member', (w) => w.members.roles.clear()],
  ['of another repository with the name', (w) => Object.assign(w.pulls.all?.[0]?.repo ?? {}, { id: 43 })],
  ['if the head moved on', (w) => Object.assign(w.pulls.all?.[0] ?? {}, { head: headOf(2) })],
  ['if it was closed', (w) => Object.assign(w.pulls.all?.[0] ?? {}, { open: false })],
])('doesn’t reach a person %s', async (_what, change) => {
  const w = await world();
  w.waits([1]);
  await change(w);
  await w.queue();
  expect(w.mails).toEqual([]);
});

it('comes about a new commit to the person who approved an earlier one, and says so', async () => {
  const w = await world();
  w.waits([1, 1]);
  w.wait(aWaitingPull({ pr: 1, head: headOf(1, 1), since: w.clock.now() }));
  await w.queue();
  expect(w.mails).toEqual([]);
  w.own.push({ repoId: 42, pr: 1, head: headOf(1), reported: new Date(0) });
  await createQueueAtOnce(w)();
  expect(w.mails.map(({ notice }) => notice.data.pulls?.map(({ asked }) => asked))).toEqual([['earlier']]);
});

it('comes at most ten times an hour: the others wait and go into one, with their number', async () => {
  const w = await world();
  for (let push = 0; push < 1_000; push += 1) {
    w.waits([1, push]);
    await w.queue();
    w.clock.pass(1_000);
  }
  expect(w.mails).toHaveLength(10);
  w.waits(...Array.from({ length: 35 }, (_, at): [number] => [at + 1]));
  w.clock.pass(HOUR);
  await w.queue();
  await w.queue();
  const last = w.said().at(-1) ?? [];
  expect([w.mails.length, last.length, last.at(-1)]).toEqual([11, 11, 24]);
});

it('costs one read while nothing changes, and reaches the others if one fails', async () => {
  const w = await world();
  await w.noticeChoices.save('octocat', 'at-once', w.clock.now());
  w.waits([1]);
  w.stage.fail('members.permission', 'githubUnavailable');
  expect(await codeOf(w.queue())).toBe('githubUnavailable');
  expect(w.mails.map(({ notice }) => notice.userId)).toEqual(['octocat']);
  await w.queue();
  w.stage.calls.splice(0);
  await w.queue();
  expect([w.mails.length, w.stage.calls]).toEqual([2, ['waitingPulls.changedSince']]);
});

it('comes daily at 07:00 UTC about what is new and still waits, and counts the rest', async () => {
  const w = await world('daily');
  w.waits([1], [2]);
  w.clock.pass(19 * HOUR - MINUTE);
  await w.queue();
  expect(w.mails).toEqual([]);
  w.clock.pass(MINUTE);
  await Promise.all([w.queue(), createQueueDigests(w)()]);
  expect(w.said()).toEqual([['octo-org/hello#1', 'octo-org/hello#2', 0]]);
  w.waits([1], [2], [3]);
  await w.noticeChoices.save('octocat', 'daily', w.clock.now());
  // Another process, or this one after a restart.
  await createQueueDigests(w)();
  w.clock.pass(24 * HOUR);
  await w.noticeChoices.save('octocat', 'off', w.clock.now());
  await w.queue();
  w.clock.pass(24 * HOUR);
  await w.queue();
  expect(w.said().slice(1)).toEqual([['octo-org/hello#3', 2]]);
});
