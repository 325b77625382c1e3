import { describe, expect, it } from '@jest/globals';
import { recheckOrganization, recheckRepository } from '../../../src/organizations/check-repositories.ts';
import { mailWeakenings } from '../../../src/organizations/protection/mail-weakenings.ts';
import type {
  AccountProtection,
  Noted,
  RepositoryProtection,
} from '../../../src/organizations/protection/ports.ts';
import {
  forgetRepository,
  RULE_KINDS,
  watchAccount,
  watchAccounts,
} from '../../../src/organizations/protection/watch.ts';
import { aRule, aWeakening } from '../../support/fakes.ts';
import { MINUTE, world as newWorld } from './world.ts';

const OCTOCAT = { id: 12, login: 'octocat' };
const HUBOT = { id: 13, login: 'hubot' };
const DISABLED = { rulesets: [aRule({ state: 'notEnforced' })] };
const ENABLED = { rulesets: [aRule()] };

/** `hello` and `world` require the check by a ruleset that nobody may go around, and all of that is known. */
async function world() {
  const w = await newWorld({ names: ['hello', 'world'] });
  const noted = (by = OCTOCAT, kinds: Noted['kinds'] = RULE_KINDS): Noted => ({
    by,
    kinds,
    at: w.clock.now(),
  });
  const github = (name: string, now: Partial<RepositoryProtection>) =>
    w.protections.repositories.set(name, now);
  const account = (change: Partial<AccountProtection>) => Object.assign(w.protections.accountNow, change);
  const read = (repoId = 42, by: Noted | null = null) => recheckRepository(w, repoId, by);
  const readAccount = (by: Noted | null = null) => watchAccount(w, w.org, by);
  const logged = () =>
    w.weakenings.logged.map(({ activity, data }) =>
      [
        activity.replace('protection', ''),
        [data.change?.repo, data.change?.kind, data.login].filter(Boolean).join(' '),
      ].join(': '),
    );
  const open = () =>
    w.weakenings.stored.map(({ change, by, undone }) => [change.kind, by?.login, undone !== null]);
  await w.repositoryChecks.sync(w.org.id, [
    { id: 42, name: 'hello', defaultBranch: 'main' },
    { id: 43, name: 'world', defaultBranch: 'main' },
  ]);
  for (const name of ['hello', 'world']) github(name, ENABLED);
  await read(42);
  await read(43);
  await readAccount();
  return { ...w, noted, github, account, read, readAccount, logged, open };
}
type World = Awaited<ReturnType<typeof world>>;

describe('what became weaker', () => {
  it.each<[string, (w: World) => Promise<unknown>, string[]]>([
    ['a first reading is no change', async () => undefined, []],
    [
      'a ruleset that is no longer enforced is logged with who did it',
      async (w) => {
        w.github('hello', DISABLED);
        await w.read(42, w.noted());
      },
      ['Weakened: hello ruleNotActive octocat'],
    ],
    [
      'it is found without a webhook, without a name',
      async (w) => {
        w.github('hello', DISABLED);
        await w.read(42);
      },
      ['Weakened: hello ruleNotActive'],
    ],
    [
      'readings and webhooks that come again log nothing twice',
      async (w) => {
        w.github('hello', DISABLED);
        for (const by of [w.noted(), w.noted(), null]) await w.read(42, by);
      },
      ['Weakened: hello ruleNotActive octocat'],
    ],
    [
      'a process that died before it stored what it knows logs nothing twice',
      async (w) => {
        w.github('hello', DISABLED);
        w.stage.fail('repositoryChecks.save', 'storeUnavailable');
        await w.read(42).catch(() => undefined);
        await w.read(42);
      },
      ['Weakened: hello ruleNotActive'],
    ],
    [
      'two processes that read at the same time log it once',
      async (w) => {
        w.github('hello', DISABLED);
        await Promise.all([w.read(42), w.read(42), w.read(42)]);
      },
      ['Weakened: hello ruleNotActive'],
    ],
    [
      'it is logged again if it was undone before',
      async (w) => {
        for (const now of [DISABLED, ENABLED, DISABLED]) {
          w.github('hello', now);
          await w.read(42);
        }
      },
      ['Weakened: hello ruleNotActive', 'Strengthened: hello ruleNotActive', 'Weakened: hello ruleNotActive'],
    ],
    [
      'an organization’s ruleset is one change in all repositories',
      async (w) => {
        for (const state of ['active', 'notEnforced', 'active'] as const) {
          w.clock.pass(MINUTE);
          for (const name of ['hello', 'world'])
            w.github(name, { rulesets: [aRule({ source: 'organizationRuleset', id: 7, state })] });
          await recheckOrganization(w, w.org, state === 'active' ? null : w.noted());
        }
      },
      // The repositories' own rulesets are gone at first.
      [
        'Strengthened: checkNotRequired',
        'Weakened: hello checkNotRequired',
        'Weakened: world checkNotRequired',
        'Weakened: ruleNotActive octocat',
        'Strengthened: ruleNotActive',
      ],
    ],
    [
      'a part that GitHub doesn’t show is no change',
      async (w) => {
        w.github('hello', { rulesets: null, branchProtection: null, deployKeys: null });
        await w.read(42);
        w.account({ owners: null, permissions: null, repositorySelection: null, repositories: null });
        await w.readAccount();
      },
      [],
    ],
    [
      'neither is an outage',
      async (w) => {
        w.stage.fail('protections.repository', 'githubUnavailable');
        w.stage.fail('protections.account', 'githubUnavailable');
        await w.read(42).catch(() => undefined);
        await watchAccounts({ ...w, onSyncFailed: () => undefined });
        await w.read(42);
      },
      [],
    ],
    [
      'a webhook names nobody for a change that it can’t be about',
      async (w) => {
        w.github('hello', { ...DISABLED, deployKeys: [{ id: 1, title: 'ci' }] });
        await w.read(42, w.noted(HUBOT, ['deployKeyAdded']));
      },
      ['Weakened: hello ruleNotActive', 'Weakened: hello deployKeyAdded hubot'],
    ],
    [
      'a promotion to owner is found by a reconciliation',
      async (w) => {
        w.account({ owners: [OCTOCAT, HUBOT] });
        await watchAccounts({ ...w, onSyncFailed: () => undefined });
      },
      ['Weakened: ownerAdded'],
    ],
    [
      'permissions, repositories and suspension are the account’s',
      async (w) => {
        w.account({ permissions: {}, repositorySelection: 'selected', isSuspended: true });
        await w.readAccount(w.noted(HUBOT, ['appSuspended']));
      },
      ['Weakened: appSuspended hubot', 'Weakened: permissionsReduced', 'Weakened: repositoriesReduced'],
    ],
  ])('%s', async (_what, act, expected) => {
    const w = await world();
    await act(w);
    expect(w.logged()).toEqual(expected);
  });

  it('gets its name from a webhook that arrives after it was found, within an hour', async () => {
    const w = await world();
    w.github('hello', DISABLED);
    await w.read(42);
    await w.read(43, w.noted(HUBOT));
    await w.read(42, w.noted(HUBOT, ['deployKeyAdded']));
    expect(w.open()).toEqual([['ruleNotActive', undefined, false]]);
    await w.read(42, w.noted());
    await w.read(42, w.noted(HUBOT));
    expect(w.open()).toEqual([['ruleNotActive', 'octocat', false]]);
    w.github('hello', ENABLED);
    await w.read(42);
    w.github('hello', DISABLED);
    await w.read(42);
    w.clock.pass(61 * MINUTE);
    await w.read(42, w.noted());
    expect(w.open()).toEqual([
      ['ruleNotActive', 'octocat', true],
      ['ruleNotActive', undefined, false],
    ]);
  });

  it('keeps who did it for the repositories that a later round reads', async () => {
    const w = await world();
    w.clock.pass(MINUTE);
    const elsewhere = { rulesets: [aRule({ state: 'elsewhere' })] };
    w.stage.fail('protections.repository', 'githubUnavailable', { times: 2 });
    await recheckOrganization(w, w.org, w.noted()).catch(() => undefined);
    w.github('world', elsewhere);
    const repo = await w.repositoryChecks.get(43);
    expect(repo?.noted?.by).toEqual(OCTOCAT);
  });

  it('is no repository that somebody deleted, and one that the App lost', async () => {
    const w = await world();
    w.account({ repositorySelection: 'selected', repositories: 5 });
    await w.readAccount();
    const before = w.logged().length;
    w.account({ repositories: 4 });
    await forgetRepository(w, w.org);
    await w.readAccount();
    expect(w.logged()).toHaveLength(before);
    w.account({ repositories: 3 });
    await w.readAccount(w.noted(HUBOT, ['repositoriesReduced']));
    expect(w.logged().slice(before)).toEqual(['Weakened: repositoriesReduced hubot']);
  });

  it('is about a person by their id, so that they can be erased', async () => {
    const w = await world();
    w.account({ owners: [OCTOCAT, HUBOT] });
    await w.readAccount();
    const [activity] = w.weakenings.logged;
    expect(activity).toMatchObject({
      data: { user: 'hubot', change: { subject: '' } },
      personFacts: { holder: HUBOT },
    });
    expect(w.weakenings.stored[0]).toMatchObject({ person: HUBOT, by: null, repoId: null });
  });

  it('marks the App as removed if no webhook said so', async () => {
    const w = await world();
    w.account({ isRemoved: true });
    await watchAccounts({ ...w, onSyncFailed: () => undefined });
    expect([w.logged(), (await w.organizations.byOrgId(9))?.installationId]).toEqual([
      ['Weakened: appRemoved'],
      0,
    ]);
    await watchAccounts({ ...w, onSyncFailed: () => undefined });
    expect(w.logged()).toHaveLength(1);
  });
});

describe('the e-mail about what became weaker', () => {
  it('is one for all of a minute, to each owner, and none about it comes again', async () => {
    const w = await world();
    w.memberships.notified = ['octocat', 'mona'];
    w.github('hello', DISABLED);
    await w.read(42, w.noted());
    w.clock.pass(MINUTE - 1);
    await mailWeakenings(w);
    w.github('world', DISABLED);
    await w.read(43);
    expect(w.weakenings.queued).toEqual([]);
    w.clock.pass(1);
    await mailWeakenings(w);
    const changes = [
      "world: the rule “OTP Guard” isn't enforced; GitHub didn’t say who did this.",
      "hello: the rule “OTP Guard” isn't enforced; octocat did this.",
    ];
    expect(w.weakenings.queued.map(({ userId, data }) => [userId, data.changes])).toEqual([
      ['octocat', changes],
      ['mona', changes],
    ]);
    w.clock.pass(10 * MINUTE);
    await mailWeakenings(w);
    expect(w.weakenings.queued).toHaveLength(2);
  });

  it('goes out immediately if the App was removed', async () => {
    const w = await world();
    w.memberships.notified = ['octocat'];
    w.account({ isRemoved: true });
    await w.readAccount();
    await mailWeakenings(w);
    expect(w.weakenings.queued).toMatchObject([{ userId: 'octocat', kind: 'protectionWeakened' }]);
  });

  it('names twenty and counts the others', async () => {
    const w = await world();
    w.memberships.notified = ['octocat'];
    for (let index = 0; index < 23; index += 1)
      await w.weakenings.add(w.org, ...aWeakening(w.org, { at: w.clock.now() }, `${index}`));
    w.clock.pass(MINUTE);
    await mailWeakenings(w);
    expect(w.weakenings.queued).toMatchObject([{ data: { more: 3 } }]);
    expect(w.weakenings.queued[0]?.data.changes).toHaveLength(20);
  });
});
