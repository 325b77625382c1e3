import { describe, expect, it } from '@jest/globals';
import { createQueueAtOnce, createQueueDigests } from '../../../src/inbox/queue-notices.ts';
import { codeOf } from '../../support/code-of.ts';
import { aDeployment, aPull, aWaitingPull } from '../../support/fakes.ts';
import { aPolicy } from '../../support/policies.ts';
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
  expect([w.mails.length, w.stage.calls]).toEqual([2, ['deployments.waiting', 'waitingPulls.changedSince']]);
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

describe('an e-mail about deployments', () => {
  /** A rule names mona, and GitHub asked a minute ago. */
  async function deploys(choice: 'at-once' | 'daily' = 'at-once') {
    const w = await world(choice);
    w.policies.policy = aPolicy([{ when: { environments: ['**'] }, require: { from: ['mona'] } }]);
    const run = w.workflowRuns.put();
    const lacks = [{ rule: 'rule 1', missing: 'One.', lacking: 1, counted: [], excluded: [] }];
    const since = w.clock.now();
    const deployment = aDeployment({ since, lacks, ref: 'v1.2.0' });
    w.deployments.stored.push(deployment);
    w.clock.pass(MINUTE);
    return { ...w, run, deployment };
  }
  const DEPLOY = 'octo-org/hello: deploy v1.\u200b2.\u200b0 to release';

  it('comes once for an attempt and environment, to whom a rule names, with the page that decides', async () => {
    const w = await deploys();
    await w.noticeChoices.save('octocat', 'at-once', w.deployment.since);
    await w.queue();
    expect(w.mails).toMatchObject([{ notice: { userId: 'mona' } }]);
    expect(w.mails[0]?.notice.data.pulls).toEqual([
      {
        ...{ name: DEPLOY, title: 'Release', asked: 'named', author: 'octocat', run: 77 },
        url: `https://guard.example.org/deploy?owner=octo-org&ownerID=9&installation=${w.org.installationId}&repo=hello&run=77&environment=release`,
      },
    ]);
    w.deployment.changed = w.clock.now();
    w.clock.pass(MINUTE);
    await w.queue();
    await createQueueAtOnce(w)();
    expect(w.mails).toHaveLength(1);
    Object.assign(w.run, { attempt: 2 });
    w.deployments.stored.push({ ...w.deployment, id: 'again', attempt: 2, changed: w.clock.now() });
    w.clock.pass(MINUTE);
    await w.queue();
    expect(w.said()).toEqual([
      [DEPLOY, 0],
      [DEPLOY, 0],
    ]);
  });

  it('is the one about pull requests, if both wait', async () => {
    const w = await deploys();
    w.waits([1]);
    await w.queue();
    expect(w.said()).toEqual([[DEPLOY, 'octo-org/hello#1', 0]]);
  });

  it('is in the daily one', async () => {
    const w = await deploys('daily');
    w.clock.pass(19 * HOUR);
    await w.queue();
    await createQueueDigests(w)();
    expect(w.said()).toEqual([[DEPLOY, 0]]);
  });

  it('waits until GitHub’s list of what waits can no longer be older than the request', async () => {
    const w = await deploys();
    w.deployment.changed = new Date(w.clock.now().getTime() - 29_000);
    await w.queue();
    expect(w.mails).toEqual([]);
    w.clock.pass(1_000);
    await w.queue();
    expect(w.mails).toHaveLength(1);
  });

  it.each<[string, (w: Awaited<ReturnType<typeof deploys>>) => unknown]>([
    ['who can’t read the repository', (w) => w.members.readers.clear()],
    ['who is no longer a member', (w) => w.members.roles.clear()],
    ['who chose it later', (w) => w.noticeChoices.save('mona', 'at-once', w.clock.now())],
    ['of another repository with the name', (w) => Object.assign(w.run, { repoId: 43 })],
    ['if the run was started again', (w) => Object.assign(w.run, { attempt: 2 })],
    ['if no job waits there now', (w) => w.workflowRuns.listed.set(77, ['staging'])],
    ['if GitHub doesn’t say what waits', (w) => w.workflowRuns.listed.clear()],
    ['if it was decided', (w) => Object.assign(w.deployment, { state: 'rejected' })],
    ['if somebody denied the commit', (w) => Object.assign(w.deployment, { denied: { login: 'octocat' } })],
  ])('doesn’t reach a person %s', async (_what, change) => {
    const w = await deploys();
    await change(w);
    await w.queue();
    expect(w.mails).toEqual([]);
  });
});
