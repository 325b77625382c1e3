import { expect, it } from '@jest/globals';
import { bypassLists, type RulesetActor } from '../../../src/contract/bypass-lists.ts';
import { bypassOf } from '../../../src/protection/bypass.ts';
import { takeBypassLists } from '../../../src/protection/bypass-lists.ts';
import { toBypassActor } from '../../../src/protection/ruleset-actor.ts';
import { watchRepository } from '../../../src/protection/watch.ts';
import { codeOf } from '../../support/code-of.ts';
import { calls } from '../../support/every-room.ts';
import { mona, world as newWorld, octocat } from '../organizations/world.ts';
import { account, branchProtection, ruleset } from './rules.ts';

const TEAM: RulesetActor = { actor_id: 7, actor_type: 'Team', bypass_mode: 'pull_request' };
const APP: RulesetActor = { actor_id: 9, actor_type: 'Integration', bypass_mode: 'exempt' };
const OWNERS: RulesetActor = { actor_id: 1, actor_type: 'OrganizationAdmin', bypass_mode: 'always' };

const [T1, T2] = ['2026-11-01T00:00:00Z', '2026-11-02T00:00:00Z'];

/** The check is required in `hello` by a ruleset, and GitHub doesn't show its list. */
async function world() {
  const w = await newWorld({ names: ['hello'] });
  const rounds: true[] = [];
  const deps = { ...w, checkRepositoriesSoon: () => void rounds.push(true) };
  await w.repositoryChecks.sync(w.org.id, [{ id: 42, name: 'hello', defaultBranch: 'main' }]);
  const changeAt = (updated: string) =>
    w.protections.repositories.set('hello', { rulesets: [ruleset({ bypass: null, updated })] });
  const readBypass = async () => {
    const repo = await w.repositoryChecks.get(42);
    return repo && (await watchRepository(w, repo)).bypass;
  };
  const read = async () => (await readBypass())?.state;
  const send = async (actors = [TEAM], updated = T1, session = octocat) => {
    const text = [{ id: 1, updated, actors }];
    const { filled, repositories } = await takeBypassLists(deps, { orgID: 9, session, text });
    return { filled, states: repositories.map(({ name, bypass }) => `${name}: ${bypass?.state}`) };
  };
  const logged = () => w.weakenings.logged.map(({ activity, data }) => [activity, data.login]);
  changeAt(T1);
  expect(await read()).toBe('unknown');
  return { ...w, changeAt, read, readBypass, send, logged, rounds: () => rounds.length };
}

it.each([
  ['as GitHub writes it', T1],
  ['in another form', '2026-11-01T01:00:00+01:00'],
])('knows who may bypass until the ruleset changes, whose time is %s', async (_as, updated) => {
  const w = await world();
  expect(await w.send([TEAM], updated)).toEqual({ filled: 1, states: ['hello: some'] });
  expect(w.rounds()).toBe(1);
  expect(w.logged()).toEqual([['protectionBaseline', 'octocat']]);
  expect(await w.read()).toBe('some');
  w.changeAt(T2);
  expect(await w.read()).toBe('unknown');
});

it('takes an empty list for nobody by the word of that owner, until GitHub itself says so', async () => {
  const w = await world();
  await w.send([]);
  const said = { by: octocat.githubId, at: expect.any(String) };
  expect(await w.readBypass()).toMatchObject({ state: 'nobody', said });
  // A later reading, in which GitHub still doesn't show the list.
  expect(await w.readBypass()).toMatchObject({ state: 'nobody', said });
  const known = {
    rulesets: [ruleset({ bypass: null, updated: T1 })],
    branchProtection: [branchProtection()],
  };
  w.protections.repositories.set('hello', known);
  expect(await w.readBypass()).toMatchObject({ state: 'nobody', said: undefined });
});

it.each(['constructor', 'toString', 'NewOnGitHub'])(
  'knows an actor of the type %s as another one',
  async (type) => {
    const w = await world();
    await w.send([{ actor_id: 5, actor_type: type }]);
    const other = { type: 'other', id: 5, name: 'the actor 5', mode: 'always' };
    expect((await w.readBypass())?.actors).toEqual([other]);
  },
);

it('names the owners whom a list lets around the check', async () => {
  const w = await world();
  await w.knownAccounts.save(w.org.id, account({ owners: [{ id: 1, login: 'octocat' }] }));
  const text = [{ id: 1, updated: T1, actors: [OWNERS] }];
  const deps = { ...w, checkRepositoriesSoon: () => undefined };
  const { repositories } = await takeBypassLists(deps, { orgID: 9, session: octocat, text });
  expect(repositories[0]?.bypass?.actors).toMatchObject([
    { type: 'owners', people: { total: 1, logins: ['octocat'] } },
  ]);
});

it('takes the list of another owner who says otherwise, and logs what it adds', async () => {
  const w = await world();
  await w.send([]);
  expect(await w.read()).toBe('nobody');
  expect(await w.send([])).toEqual({ filled: 0, states: [] });
  expect(await w.send([APP])).toEqual({ filled: 1, states: ['hello: some'] });
  expect(w.weakenings.stored.map(({ change: { kind, subject } }) => `${kind}: ${subject}`)).toEqual([
    'bypassAdded: the App 9 in main',
  ]);
});

it('takes no list of a ruleset whose list GitHub shows', async () => {
  const w = await world();
  w.protections.repositories.set('hello', {
    rulesets: [ruleset({ bypass: [toBypassActor(APP)], updated: T1 })],
  });
  expect(await w.read()).toBe('some');
  expect(await w.send([])).toEqual({ filled: 0, states: [] });
  expect(await w.readBypass()).toMatchObject({ state: 'some', said: undefined });
});

it('logs a longer list than the one before as a weakening', async () => {
  const w = await world();
  await w.send([TEAM]);
  await w.read();
  w.changeAt(T2);
  await w.read();
  await w.send([TEAM, APP], T2);
  expect(w.weakenings.stored.map(({ change: { kind, subject } }) => `${kind}: ${subject}`)).toEqual([
    'bypassAdded: the App 9 in main',
  ]);
});

it('changes and logs nothing for a list of another time or ruleset', async () => {
  const w = await world();
  expect(await w.send([TEAM], '2026-10-01T00:00:00Z')).toEqual({ filled: 0, states: [] });
  expect([w.logged(), w.rounds()]).toEqual([[], 0]);
  const known = (await w.repositoryChecks.get(42))?.known;
  expect(known && bypassOf(known)?.state).toBe('unknown');
});

it('takes no list of a time to come, which keeps none from being taken later', async () => {
  const w = await world();
  await w.send([], '2999-01-01T00:00:00Z');
  expect(await w.read()).toBe('unknown');
  expect((await w.repositoryChecks.get(42))?.known?.sent).toBeUndefined();
  expect(await w.send([TEAM])).toEqual({ filled: 1, states: ['hello: some'] });
  expect(await w.read()).toBe('some');
});

const line = (change: object = {}) =>
  JSON.stringify({ bypass_actors: [TEAM], id: 1, updated_at: T1, ...change });
const parse = (text: string) => bypassLists.safeParse({ org: 'octo-org', orgID: 9, text });

it('reads what gh prints, between the lines of a terminal', () => {
  const text = `$ gh api repos/octo-org/hello/rulesets/1\r\n${line()}\r\n  ${line({ id: 2 })}  \ngh: Not Found`;
  expect(parse(text).data?.text).toEqual(
    [1, 2].map((id) => ({ id, updated: T1, actors: [{ ...TEAM, bypass_mode: 'pull_request' }] })),
  );
});

it('keeps the last list of each ruleset only', () => {
  const text = [line({ bypass_actors: [] }), line({ id: 2 }), line()].join('\n');
  expect(parse(text).data?.text.map(({ id, actors }) => [id, actors.length])).toEqual([
    [1, 1],
    [2, 1],
  ]);
});

it.each([
  ['nothing', '', 'Paste what the command printed'],
  ['prose', 'nobody may bypass it', 'Paste what the command printed'],
  [
    'a list that GitHub didn’t show',
    line({ bypass_actors: null }),
    'only to people who can edit the ruleset',
  ],
  ['half a line', line().slice(0, -2), 'Paste what the command printed'],
  ['a good line and half a line', `${line()}\n${line().slice(0, -2)}`, 'Paste what the command printed'],
  ['another id', line({ id: '1' }), 'Paste what the command printed'],
  ['a time without a zone', line({ updated_at: '2026-11-01T00:00:00' }), 'Paste what the command printed'],
  ['101 actors', line({ bypass_actors: Array(101).fill(TEAM) }), 'Paste what the command printed'],
  [
    'an odd type',
    line({ bypass_actors: [{ ...TEAM, actor_type: '<b>' }] }),
    'Paste what the command printed',
  ],
  ['60,001 characters', 'x'.repeat(60_001), 'Paste at most 60,000 characters'],
])('refuses %s with one sentence', (_what, text, sentence) => {
  const { error } = parse(text);
  expect(error?.issues).toHaveLength(1);
  expect(error?.issues[0]?.message).toContain(sentence);
});

it('costs as much as ten calls, because it writes to many records', () => {
  const [call] = calls.filter(({ path }) => path === '/bypass-lists');
  const { cost } = call?.prepare({ org: 'octo-org', orgID: 9, text: line() }) ?? {};
  expect(cost?.()).toEqual({ requests: 1, work: 10 });
  expect(call?.budget).toBe('health');
});

it('refuses a member who is no owner, and another organization', async () => {
  const w = await world();
  expect(await codeOf(w.send([], T1, mona))).toBe('notOwner');
  const send = takeBypassLists(w, { orgID: 8, session: octocat, text: [] });
  expect(await codeOf(send)).toBe('installationNotFound');
  expect(await w.read()).toBe('unknown');
});
