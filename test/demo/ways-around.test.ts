import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waysAround } from '../../src/cli/ways-around.ts';
import type { Ways } from '../../src/protection/ways.ts';
import { runHere } from '../support/run-here.ts';
import { PULL_REQUEST, plantWays } from '../support/ways-around.ts';
import { type Json, startWorld, type World } from './world.ts';

const ORG = 'octo-org';

let world: World;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.close());

const send = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
  const token = world.github.facts.adminToken;
  const answer = await world.call(method, path, { token, body });
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.json as T;
};

const appId = () => Number(world.github.env.APP_ID);

const run = (options: object, more: Record<string, string> = {}) => {
  const { GITHUB_API_URL = '', GITHUB_SERVER_URL = '' } = world.github.env as Record<string, string>;
  const env = { GITHUB_API_URL, GITHUB_SERVER_URL, GITHUB_TOKEN: world.github.facts.adminToken, ...more };
  const work = async () => {
    process.exitCode = await waysAround(ORG, { appId: String(appId()), ...options }, env);
  };
  return runHere(work, { env, folder: tmpdir() });
};
const found = async (more?: Record<string, string>) => {
  const { out, err, code } = await run({ json: true }, more);
  expect(err).toBe('');
  return { code, ...(JSON.parse(out) as Ways) };
};

/** The ruleset that the set-up page offers for all repositories. */
const ORGANIZATION_RULESET = () => ({
  name: 'OTP Guard',
  target: 'branch',
  enforcement: 'active',
  bypass_actors: [],
  conditions: {
    ref_name: { include: ['~DEFAULT_BRANCH'], exclude: [] },
    repository_name: { include: ['~ALL'], exclude: [] },
  },
  rules: [
    {
      type: 'required_status_checks',
      parameters: {
        strict_required_status_checks_policy: false,
        required_status_checks: [{ context: 'OTP Guard', integration_id: appId() }],
      },
    },
    PULL_REQUEST,
  ],
});

describe('otp-guard ways-around', () => {
  it('lists each planted way and no other, and none once its changes are made', async () => {
    expect(await found()).toMatchObject({ code: 0, ways: [], changes: [], unread: [] });
    const planted = await plantWays(send, appId());
    const { code, ways, changes, unread } = await found();
    expect(code).toBe(1);
    expect(ways.map(({ kind, repo }) => [repo, kind])).toEqual([
      ['any-source', 'anySource'],
      ['bypassing-team', 'bypass'],
      ['custom-role', 'bypass'],
      ['exempt-app', 'bypass'],
      ['free-administrators', 'bypass'],
      ['only-evaluated', 'notRequired'],
      ['other-branches', 'notRequired'],
      ['without-check', 'notRequired'],
      ['writing-key', 'deployKey'],
      [null, 'app'],
    ]);
    expect(ways).toHaveLength(Object.keys(planted).length);
    const of = (name: string) => ways.find(({ repo }) => repo === name) as Json;
    expect(of('bypassing-team').who).toBe('the team releases');
    expect(of('custom-role').who).toBe('people with the role Releaser');
    expect(of('exempt-app')).toMatchObject({ who: 'the App merger (exempt)', actors: [{ mode: 'exempt' }] });
    expect(of('free-administrators').who).toBe('administrators (octocat) and people with the role Releaser');
    expect(of('only-evaluated').how).toContain('doesn’t enforce it');
    expect(of('other-branches').how).toContain('leaves main out');
    expect(unread).toEqual([]);

    const { out } = await run({});
    expect(out.split('\n').filter((line) => line.length > 80 && !line.includes('http'))).toEqual([]);
    expect(out).toContain('EXEMPT: the App merger');
    expect(out).toContain('the owner octocat');
    expect(out).not.toContain('\u001B');
    expect(out).not.toContain(world.github.facts.adminToken);

    // One ruleset for all repositories closes eight of them.
    expect(changes.map(({ closes }) => closes)).toEqual([[0, 1, 2, 3, 4, 5, 6, 7], [8], [9]]);
    expect(changes[0]?.url).toMatch(/\/organizations\/octo-org\/settings\/rules$/);
    await send('POST', `/orgs/${ORG}/rulesets`, ORGANIZATION_RULESET());
    expect((await found()).ways.map(({ kind }) => kind)).toEqual(['deployKey', 'app']);
    await planted.writingKey.close();
    await planted.writingApp.close();
    expect(await found()).toMatchObject({ code: 0, ways: [], changes: [], unread: [] });
  });

  it('lists a push of a commit whose check passed for another branch, until a pull request is required', async () => {
    const rulesets = `/repos/${ORG}/hello/rulesets`;
    const [{ id }] = await send<[{ id: number }]>('GET', rulesets);
    const { rules } = await send<{ rules: { type: string }[] }>('GET', `${rulesets}/${id}`);
    const without = rules.filter(({ type }) => type !== 'pull_request');
    await send('PUT', `${rulesets}/${id}`, { rules: without });
    const { code, ways, changes } = await found();
    expect({ code, ways }).toMatchObject({
      code: 1,
      ways: [{ kind: 'push', repo: 'hello', who: 'Everybody who can push' }],
    });
    expect(changes).toMatchObject([
      { change: expect.stringContaining('the ruleset Protect main'), closes: [0] },
    ]);
    const ruleset = { name: 'Pull requests', enforcement: 'active', bypass_actors: [] };
    const conditions = { ref_name: { include: ['~DEFAULT_BRANCH'], exclude: [] } };
    await send('POST', rulesets, { ...ruleset, conditions, rules: [PULL_REQUEST] });
    expect(await found()).toMatchObject({ code: 0, ways: [], unread: [] });
  });

  it('lists none either once each way is closed on its own', async () => {
    for (const way of Object.values(await plantWays(send, appId()))) await way.close();
    expect(await found()).toMatchObject({ code: 0, ways: [], unread: [] });
  });

  it('never says that there is none if the token does not show everything', async () => {
    const { code, ways, unread } = await found({ GITHUB_TOKEN: await world.signIn('mona') });
    expect({ code, ways }).toEqual({ code: 2, ways: [] });
    expect(unread).not.toEqual([]);
    const text = await run({}, { GITHUB_TOKEN: await world.signIn('mona') });
    expect(text.out).toMatch(/There may be more/);
    expect(text.out).not.toMatch(/No way/);
  });

  it.each<[string, object, Record<string, string>, RegExp]>([
    ['without a number of the App', { appId: undefined }, {}, /--app-id/],
    ['with a wrong one', { appId: 'x' }, {}, /--app-id/],
    ['with a token that GitHub refuses', {}, { GITHUB_TOKEN: 'no' }, /GITHUB_TOKEN/],
    ['without any token', {}, { GITHUB_TOKEN: '', PATH: '' }, /GITHUB_TOKEN/],
  ])('says what to do %s', async (_when, options, env, text) => {
    const { code, err, out } = await run(options, env);
    expect({ code, out, err }).toEqual({ code: 2, out: '', err: expect.stringMatching(text) });
  });
});
