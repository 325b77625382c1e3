import { expect, it } from '@jest/globals';
import { takeBaseline } from '../../../src/protection/baseline.ts';
import { bypassOf } from '../../../src/protection/bypass.ts';
import { watchRepository } from '../../../src/protection/watch.ts';
import { codeOf } from '../../support/code-of.ts';
import { calls } from '../../support/every-room.ts';
import { mona, world as newWorld, octocat } from '../organizations/world.ts';
import { APP, ruleset, TEAM } from './rules.ts';

const [T1, T2] = ['2026-11-01T00:00:00Z', '2026-11-02T00:00:00Z'];

/** The check is required in `hello` by a ruleset, and GitHub doesn't show its list. */
async function world() {
  const w = await newWorld({ names: ['hello'] });
  const rounds: true[] = [];
  const deps = { ...w, checkRepositoriesSoon: () => void rounds.push(true) };
  await w.repositoryChecks.sync(w.org.id, [{ id: 42, name: 'hello', defaultBranch: 'main' }]);
  const changeAt = (updated: string) =>
    w.protections.repositories.set('hello', { rulesets: [ruleset({ bypass: null, updated })] });
  const read = async () => {
    const repo = await w.repositoryChecks.get(42);
    return repo && (await watchRepository(w, repo)).bypass?.state;
  };
  const send = (bypass = [TEAM], updated = T1, session = octocat) =>
    takeBaseline(deps, { org: 'octo-org', orgID: 9, session, rulesets: [{ id: 1, updated, bypass }] });
  const logged = () => w.weakenings.logged.map(({ activity, data }) => [activity, data.login]);
  changeAt(T1);
  expect(await read()).toBe('unknown');
  return { ...w, changeAt, read, send, logged, rounds: () => rounds.length };
}

it.each([
  ['as GitHub writes it', T1],
  ['in another form', '2026-11-01T01:00:00+01:00'],
])('knows who may bypass until the ruleset changes, whose time is %s', async (_as, updated) => {
  const w = await world();
  expect(await w.send([TEAM], updated)).toEqual({ filled: 1 });
  expect(w.rounds()).toBe(1);
  expect(w.logged()).toEqual([['protectionBaseline', 'octocat']]);
  expect(await w.read()).toBe('some');
  w.changeAt(T2);
  expect(await w.read()).toBe('unknown');
});

it('takes an empty list for nobody', async () => {
  const w = await world();
  await w.send([]);
  expect(await w.read()).toBe('nobody');
});

it('logs a longer list than the one before as a weakening', async () => {
  const w = await world();
  await w.send([TEAM]);
  await w.read();
  w.changeAt(T2);
  await w.read();
  await w.send([TEAM, APP], T2);
  expect(w.weakenings.stored).toEqual([]);
  await w.read();
  expect(w.weakenings.stored.map(({ change: { kind, subject } }) => `${kind}: ${subject}`)).toEqual([
    'bypassAdded: merge-bot in main',
  ]);
});

it('changes and logs nothing for a list of another time or ruleset', async () => {
  const w = await world();
  expect(await w.send([TEAM], '2026-10-01T00:00:00Z')).toEqual({ filled: 0 });
  expect([w.logged(), w.rounds()]).toEqual([[], 0]);
  const known = (await w.repositoryChecks.get(42))?.known;
  expect(known && bypassOf(known)?.state).toBe('unknown');
});

it('takes no list of a time to come, which keeps none from being taken later', async () => {
  const w = await world();
  await w.send([], '2999-01-01T00:00:00Z');
  expect(await w.read()).toBe('unknown');
  expect((await w.repositoryChecks.get(42))?.known?.sent).toBeUndefined();
  expect(await w.send([TEAM])).toEqual({ filled: 1 });
  expect(await w.read()).toBe('some');
});

it('costs as much as ten calls, because it writes to many records', () => {
  const [call] = calls.filter(({ path }) => path === '/protection-baseline');
  const { cost } = call?.prepare({ org: 'octo-org', orgID: 9, rulesets: [] }) ?? {};
  expect(cost?.()).toEqual({ requests: 1, work: 10 });
});

it('refuses a member who is no owner, and another organization', async () => {
  const w = await world();
  expect(await codeOf(w.send([], T1, mona))).toBe('notOwner');
  const send = takeBaseline(w, { org: 'x', orgID: 8, session: octocat, rulesets: [] });
  expect(await codeOf(send)).toBe('installationNotFound');
  expect(await w.read()).toBe('unknown');
});
