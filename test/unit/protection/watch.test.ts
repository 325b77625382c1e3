import { describe, expect, it } from '@jest/globals';
import { registerHandlers } from '../../../src/bot/handlers.ts';
import type { ProtectionChange } from '../../../src/contract/protection.ts';
import { STATE_WORDS } from '../../../src/contract/protection-words.ts';
import { recheckOrganization, recheckRepository } from '../../../src/protection/check-repositories.ts';
import { kindsOf } from '../../../src/protection/kinds.ts';
import { mailWeakenings } from '../../../src/protection/mail-weakenings.ts';
import type { AccountProtection, Noted, RepositoryProtection } from '../../../src/protection/ports.ts';
import {
  forgetRepository,
  watchAccount,
  watchAccounts,
  watchRepository,
} from '../../../src/protection/watch.ts';
import { codeOf } from '../../support/code-of.ts';
import { aRule, aWeakening } from '../../support/fakes.ts';
import { MINUTE, world as newWorld } from '../organizations/world.ts';
import { anEnvironment, environments } from './rules.ts';

const OCTOCAT = { id: 12, login: 'octocat' };
const HUBOT = { id: 13, login: 'hubot' };
const DISABLED = { rulesets: [aRule({ state: 'notEnforced' })] };
const ENABLED = { rulesets: [aRule()] };
const UNPROTECTED = { rulesets: [aRule({ state: 'withoutCheck' })] };

/** `hello` and `world` require the check by a ruleset that nobody may go around, and all of that is known. */
async function world() {
  const w = await newWorld({ names: ['hello', 'world'] });
  const noted = (by = OCTOCAT, kinds: Noted['kinds'] = kindsOf('rules'), about = 'rule'): Noted => ({
    by,
    kinds,
    about,
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
type Key = { id: number; title: string };
type World = Awaited<ReturnType<typeof world>>;

/** Handles a webhook as the server does. */
async function deliver(w: World, name: string, payload: object, id = 'delivery') {
  const handled: Promise<void>[] = [];
  const on = (names: string | string[], handle: (event: object) => Promise<void>) => {
    if ([names].flat().includes(name)) handled.push(handle({ payload, id }));
  };
  registerHandlers({ on: on as never }, { ...w, visible: { forget: () => undefined } } as never);
  await Promise.all(handled);
}

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
      'a round that reads before the webhook does says who did it, too',
      async (w) => {
        w.github('hello', DISABLED);
        w.stage.fail('protections.repository', 'githubUnavailable');
        await w.read(42, w.noted()).catch(() => undefined);
        const repo = await w.repositoryChecks.get(42);
        if (repo) await watchRepository(w, repo);
      },
      ['Weakened: hello ruleNotActive octocat'],
    ],
    [
      'a repository that was gone is compared with what was known of it',
      async (w) => {
        await w.repositoryChecks.remove([42]);
        await w.read(42);
        w.github('hello', DISABLED);
        await w.repositoryChecks.put(w.org.id, { id: 42, name: 'hello', defaultBranch: 'main' });
        await w.read(42);
      },
      ['Weakened: hello ruleNotActive'],
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
      'an outage is no change',
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
        await w.read(42, w.noted(HUBOT, ['deployKeyAdded'], 'key:1'));
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
      'the rule of an environment is watched where the account granted that, and read again soon',
      async (w) => {
        const gated = { ...ENABLED, environments: environments(anEnvironment()) };
        const open = { ...ENABLED, environments: environments(anEnvironment({ isGated: false })) };
        w.github('world', gated);
        await w.read(43);
        expect(w.repositoryChecks.stored.find(({ id }) => id === 43)?.environments).toBeNull();
        w.repositoryChecks.granted = { actions: 'read', deployments: 'write' };
        for (const now of [gated, open, gated]) {
          w.github('world', now);
          await w.read(43);
        }
        w.github('world', { ...UNPROTECTED, environments: environments(anEnvironment()) });
        await w.read(43);
        const due = w.repositoryChecks.stored.find(({ id }) => id === 43)?.due;
        expect(Number(due) - w.clock.now().getTime()).toBe(5 * MINUTE);
      },
      [
        'Weakened: world environmentOpened',
        'Strengthened: world environmentOpened',
        'Weakened: world checkNotRequired',
      ],
    ],
    [
      'permissions, repositories and suspension are the account’s',
      async (w) => {
        w.account({ permissions: {}, repositorySelection: 'selected', isSuspended: true });
        await w.readAccount(w.noted(HUBOT, ['appSuspended'], 'app'));
      },
      ['Weakened: appSuspended hubot', 'Weakened: permissionsReduced', 'Weakened: repositoriesReduced'],
    ],
    [
      'a deploy key is another one if it has the title of a known one',
      async (w) => {
        const [one, two] = [1, 2].map((id) => ({ id, title: 'ci' })) as [Key, Key];
        for (const deployKeys of [[one], [one, two], [two]]) {
          w.github('hello', { ...ENABLED, deployKeys });
          await w.read(42);
        }
        expect(w.open().map(([, , isUndone]) => isUndone)).toEqual([true, false]);
      },
      [
        'Weakened: hello deployKeyAdded',
        'Weakened: hello deployKeyAdded',
        'Strengthened: hello deployKeyAdded',
      ],
    ],
    [
      'an owner is another one if they took the login of a known one',
      async (w) => {
        w.account({ owners: [OCTOCAT, HUBOT] });
        await w.readAccount();
        w.account({ owners: [OCTOCAT, { ...HUBOT, login: 'former' }, { ...HUBOT, id: 14 }] });
        await w.readAccount();
        expect(w.weakenings.stored.map(({ person }) => person?.id)).toEqual([13, 14]);
      },
      ['Weakened: ownerAdded', 'Weakened: ownerAdded'],
    ],
    [
      'an actor who was removed and added again is loosened again',
      async (w) => {
        const actor = { type: 'team', id: 7, name: 'the team 7' } as const;
        for (const modes of [['pullRequest'], ['exempt'], [], ['pullRequest'], ['exempt']] as const) {
          w.github('hello', { rulesets: [aRule({ bypass: modes.map((mode) => ({ ...actor, mode })) })] });
          await w.read(42);
        }
      },
      [
        'Weakened: hello bypassAdded',
        'Weakened: hello bypassLoosened',
        'Strengthened: hello bypassAdded',
        'Weakened: hello bypassAdded',
        'Weakened: hello bypassLoosened',
      ],
    ],
    [
      'a rule that had another name when it was enabled is disabled again',
      async (w) => {
        for (const [state, name] of [
          ['notEnforced', 'OTP Guard'],
          ['active', 'Renamed'],
          ['active', 'OTP Guard'],
          ['notEnforced', 'OTP Guard'],
        ] as const) {
          w.github('hello', { rulesets: [aRule({ state, name })] });
          await w.read(42);
        }
      },
      ['Weakened: hello ruleNotActive', 'Strengthened: hello ruleNotActive', 'Weakened: hello ruleNotActive'],
    ],
  ])('%s', async (_what, act, expected) => {
    const w = await world();
    await act(w);
    expect(w.logged()).toEqual(expected);
  });

  const ofMona = { id: 11, login: 'mona' };
  const member = (user: object, role: string) => ({ organization: { id: 9 }, membership: { user, role } });
  const hello = { id: 42, default_branch: 'main' };
  it.each<[string, object, string[]]>([
    ['organization.member_added', member(HUBOT, 'admin'), ['ownerAdded']],
    ['organization.member_added', member(HUBOT, 'member'), []],
    ['organization.member_added', member(ofMona, 'admin'), []],
    ['deploy_key', { key: { id: 1 }, repository: hello }, ['deployKeyAdded']],
    ['deploy_key', { key: { id: 2 }, repository: hello }, []],
    ['repository_ruleset', { repository_ruleset: { id: 1 }, repository: hello }, ['ruleNotActive']],
    ['repository_ruleset', { repository_ruleset: { id: 2 }, repository: hello }, []],
    ['branch_protection_rule', { rule: { name: 'main' }, repository: hello }, ['protectionRemoved']],
    ['branch_protection_rule', { rule: { name: 'm*' }, repository: hello }, ['protectionRemoved']],
    ['branch_protection_rule', { rule: { name: 'dev' }, repository: hello }, []],
    ['branch_protection_configuration', { repository: hello }, ['protectionRemoved']],
  ])('has a name only by a webhook that is about it: %s %j', async (name, payload, expected) => {
    for (const isFirst of [true, false]) {
      const w = await world();
      const protection = aRule({ source: 'branchProtection', id: null });
      w.github('hello', { ...ENABLED, branchProtection: [protection] });
      await w.read(42);
      w.account({ owners: [OCTOCAT, HUBOT] });
      const branchProtection = [{ ...protection, state: 'removed' as const }];
      w.github('hello', { ...DISABLED, branchProtection, deployKeys: [{ id: 1, title: 'ci' }] });
      const read = () => Promise.all([w.read(42), w.readAccount()]);
      if (!isFirst) await read();
      await deliver(w, name, { sender: OCTOCAT, ...payload });
      await read();
      const named = w.open().filter(([, by]) => by === 'octocat');
      expect([w.open().length, named.map(([kind]) => kind)]).toEqual([4, expected]);
    }
  });

  const ofRuleset = (id: number) => ({ repository_ruleset: { id }, repository: hello });
  const ofBranch = { rule: { name: 'main' }, repository: hello };
  const edited = (changes: object) => ({ action: 'edited', changes });
  const OFF = edited({ enforcement: { from: 'active' } });
  const noChecks = { name: 'main', required_status_checks_enforcement_level: 'off' };
  const noReviews = { ...noChecks, pull_request_reviews_enforcement_level: 'off' };
  const deletedRule = (type: string) => ({ ...edited({ rules: { deleted: [{ type }] } }), ...ofRuleset(1) });
  const switchedOff = (level: string, rule: object) => ({
    ...edited({ [level]: { from: 'everyone' } }),
    repository: hello,
    rule,
  });
  it.each<[string, object, string[]]>([
    ['repository_ruleset', { ...OFF, ...ofRuleset(1) }, ['ruleNotActive']],
    ['repository_ruleset', { action: 'deleted', ...ofRuleset(1) }, ['protectionRemoved']],
    ['repository_ruleset', deletedRule('required_status_checks'), ['checkNotRequired']],
    [
      'repository_ruleset',
      { ...OFF, repository_ruleset: { id: 7 }, installation: { id: 5 } },
      ['ruleNotActive'],
    ],
    ['repository_ruleset', { ...OFF, ...ofRuleset(2) }, []],
    ['repository_ruleset', { ...OFF, changes: { enforcement: { from: 'disabled' } }, ...ofRuleset(1) }, []],
    ['repository_ruleset', { ...OFF, changes: { name: { from: 'main' } }, ...ofRuleset(1) }, []],
    ['repository_ruleset', { action: 'created', ...ofRuleset(1) }, []],
    ['branch_protection_rule', { action: 'deleted', ...ofBranch }, ['protectionRemoved']],
    ['branch_protection_rule', { action: 'deleted', ...ofBranch, rule: { name: 'm*' } }, []],
    [
      'branch_protection_rule',
      { ...edited({ admin_enforced: { from: true } }), ...ofBranch },
      ['administratorsFree'],
    ],
    ['branch_protection_rule', { ...edited({ admin_enforced: { from: false } }), ...ofBranch }, []],
    [
      'branch_protection_rule',
      switchedOff('required_status_checks_enforcement_level', noChecks),
      ['checkNotRequired'],
    ],
    [
      'branch_protection_rule',
      switchedOff('pull_request_reviews_enforcement_level', noReviews),
      ['pullRequestNotRequired'],
    ],
    ['repository_ruleset', deletedRule('pull_request'), ['pullRequestNotRequired']],
    ['branch_protection_configuration', { action: 'disabled', repository: hello }, ['protectionRemoved']],
    ['branch_protection_configuration', { action: 'enabled', repository: hello }, []],
  ])('is logged as undone if it was so between two readings: %s %j', async (name, payload, expected) => {
    const w = await world();
    const rulesets = [aRule(), aRule({ source: 'organizationRuleset', id: 7 })];
    const now = { rulesets, branchProtection: [aRule({ source: 'branchProtection', id: null })] };
    for (const repo of ['hello', 'world']) w.github(repo, now);
    for (const id of [42, 43]) await w.read(id);
    const before = w.logged().length;
    const sent = { sender: OCTOCAT, ...payload };
    w.clock.pass(MINUTE);
    for (const id of ['one', 'one']) await deliver(w, name, sent, id);
    expect(w.open()).toEqual(expected.map((kind) => [kind, 'octocat', true]));
    w.clock.pass(MINUTE);
    await deliver(w, name, sent, 'two');
    expect(w.logged().length - before).toBe(2 * expected.length);
    // A state that a reading sees isn't logged again, and a part that GitHub doesn't show is no change.
    const off = { state: 'removed' as const };
    for (const change of [
      { rulesets: null, branchProtection: null },
      { rulesets: [aRule(off), aRule({ source: 'organizationRuleset', id: 7, ...off })] },
    ]) {
      const branchProtection = [aRule({ source: 'branchProtection', id: null, ...off })];
      for (const repo of ['hello', 'world']) w.github(repo, { branchProtection, ...change });
      w.clock.pass(MINUTE);
      await deliver(w, name, sent, 'three');
    }
    const undone = w.open().filter(([, , isUndone]) => isUndone);
    expect(undone).toHaveLength(2 * expected.length);
  });

  it.each<[string, object]>([
    ['repository_ruleset', { ...OFF, repository_ruleset: { id: 7 }, installation: { id: 77 } }],
    ['organization.member_added', { ...member(HUBOT, 'admin'), organization: { id: 77 } }],
    ['organization.renamed', { organization: { id: 77 }, installation: { id: 77 } }],
  ])('is nothing in an organization that isn’t known, and no fault: %s', async (name, payload) => {
    const w = await world();
    w.github('hello', DISABLED);
    await deliver(w, name, { sender: OCTOCAT, ...payload });
    expect(w.open()).toEqual([]);
  });

  it('gets its name from a webhook that arrives after it was found, within an hour', async () => {
    const w = await world();
    w.github('hello', DISABLED);
    await w.read(42);
    await w.read(43, w.noted(HUBOT));
    await w.read(42, w.noted(HUBOT, ['deployKeyAdded'], 'key:1'));
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

  const reworded = { type: 'administrators', id: null, name: 'all administrators', mode: 'always' } as const;
  it.each<[string, string, Partial<ProtectionChange>, Partial<RepositoryProtection>]>([
    ['a rule', '', {}, DISABLED],
    [
      'a group',
      '/administrators:administrators',
      { kind: 'bypassAdded', before: "can't bypass", after: 'may always bypass' },
      { rulesets: [aRule({ bypass: [reworded] })] },
    ],
  ])('is known as an earlier version stored it, whatever %s is called now', async (_, part, stored, now) => {
    const w = await world();
    w.memberships.notified = ['octocat'];
    const [weakening, logged] = aWeakening(w.org, { about: `rule/ruleset:1${part}` });
    const change = { ...weakening.change, ...stored };
    await w.weakenings.add(w.org, { ...weakening, change }, logged);
    STATE_WORDS[change.after] = 'in other words';
    w.github('hello', now);
    await w.read(42);
    expect(w.weakenings.stored).toHaveLength(1);
    w.clock.pass(MINUTE);
    await mailWeakenings(w);
    expect(w.weakenings.queued[0]?.data.changes).toEqual([expect.stringContaining('in other words')]);
    delete STATE_WORDS[change.after];
  });

  it('has the same administrators after they got another name', async () => {
    const w = await world();
    w.github('hello', { rulesets: [aRule({ bypass: [{ ...reworded, name: 'administrators' }] })] });
    await w.read(42);
    w.github('hello', { rulesets: [aRule({ bypass: [reworded] })] });
    await w.read(42);
    expect(w.open()).toEqual([['bypassAdded', undefined, false]]);
  });

  it('is no repository that was deleted, and one that the App lost', async () => {
    const w = await world();
    const kept = { id: 43, name: 'world' };
    w.account({ repositorySelection: 'selected', repositories: [{ id: 42, name: 'hello' }, kept] });
    await w.readAccount();
    const before = w.logged().length;
    w.account({ repositories: [kept] });
    await forgetRepository(w, w.org, 42);
    await w.readAccount();
    expect(w.logged()).toHaveLength(before);
    // As many as before.
    w.account({ repositories: [{ id: 44, name: 'junk' }] });
    await w.readAccount(w.noted(HUBOT, ['repositoriesReduced'], 'app'));
    expect(w.logged().slice(before)).toEqual([
      'Strengthened: repositoriesReduced hubot',
      'Weakened: repositoriesReduced hubot',
    ]);
    expect(w.weakenings.stored.at(-1)?.change.subject).toBe('world');
  });

  it.each([
    ['repository.archived', ['Weakened: repositoriesReduced']],
    ['repository.deleted', []],
  ])('is a repository that the App may not see any more, unless it’s gone: %s', async (name, expected) => {
    const w = await world();
    const [hello, kept] = [
      { id: 42, name: 'hello' },
      { id: 43, name: 'world' },
    ];
    w.account({ repositorySelection: 'selected', repositories: [hello, kept] });
    await w.readAccount();
    const before = w.logged().length;
    w.installations.repositories = async () => [];
    const [, action] = name.split('.');
    await deliver(w, name, { action, installation: { id: w.org.installationId }, repository: { id: 42 } });
    w.account({ repositories: [kept] });
    await w.readAccount();
    expect(w.logged().slice(before)).toEqual(expected);
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

describe('a reading that is too large for the record store', () => {
  const long = 'k'.repeat(2_000);
  const keys = Array.from({ length: 600 }, (_, id) => ({ id, title: long }));

  it('makes the repository unknown, never the last state, and what changes is logged all the same', async () => {
    const w = await world();
    w.github('hello', { ...ENABLED, deployKeys: keys });
    const stored = async () =>
      (await w.repositoryChecks.list(w.org.id, { after: '', most: 1 })).repositories[0];
    await w.read(42);
    expect(await stored()).toMatchObject({ required: 'unknown', bypass: null });
    w.github('hello', { ...DISABLED, deployKeys: keys });
    w.clock.pass(MINUTE);
    await w.read(42, w.noted());
    expect(await stored()).toMatchObject({ required: 'no', checked: w.clock.now() });
    expect(w.logged().filter((one) => one.includes('ruleNotActive'))).toHaveLength(1);
    for (const rulesets of [[aRule()], [aRule({ state: 'notEnforced' })]]) {
      w.github('hello', { rulesets, deployKeys: keys });
      await w.read(42);
    }
    expect(w.logged().slice(-2)).toEqual([
      'Strengthened: hello ruleNotActive',
      'Weakened: hello ruleNotActive',
    ]);
  });

  it('still compares with the last stored one if its rules alone are too large', async () => {
    const w = await world();
    const rules = Array.from({ length: 600 }, (_, at) =>
      aRule({ id: at + 2, state: 'withoutCheck', name: long }),
    );
    w.github('hello', { rulesets: [aRule({ state: 'notEnforced' }), ...rules] });
    await w.read(42);
    expect(w.logged()).toEqual(['Weakened: hello ruleNotActive']);
    expect(w.repositoryChecks.stored[0]).toMatchObject({ required: 'no', known: ENABLED });
  });

  it('of an account keeps the owners, so that a promotion is seen even after the first', async () => {
    const w = await newWorld();
    const repositories = Array.from({ length: 600 }, (_, id) => ({ id, name: 'a'.repeat(2_000) }));
    Object.assign(w.protections.accountNow, { repositorySelection: 'selected', repositories });
    await watchAccount(w, w.org);
    w.protections.accountNow.owners?.push(HUBOT);
    await watchAccount(w, w.org);
    expect(w.weakenings.stored.map(({ change }) => change.kind)).toEqual(['ownerAdded']);
  });
});

it('reads every repository of an organization although one fails, and says so then', async () => {
  const w = await world();
  for (const name of ['hello', 'world']) w.github(name, DISABLED);
  w.stage.fail('protections.repository', 'githubUnavailable');
  w.clock.pass(MINUTE);
  expect(await codeOf(recheckOrganization(w, w.org, w.noted()))).toBe('githubUnavailable');
  expect(w.logged()).toHaveLength(1);
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

  it('of one organization keeps no other organization’s from its turn', async () => {
    const w = await world();
    w.memberships.notified = ['octocat'];
    const other = { ...w.org, id: 'other', name: 'other-org' };
    w.weakenings.unmailed = async () => [w.org, other];
    w.stage.fail('memberships.ownersToNotify', 'storeUnavailable');
    await expect(mailWeakenings(w)).rejects.toMatchObject({ code: 'storeUnavailable' });
    expect(w.stage.calls.filter((call) => call === 'weakenings.mail')).toHaveLength(1);
  });

  it('goes out immediately if the App was removed', async () => {
    const w = await world();
    w.memberships.notified = ['octocat'];
    w.account({ isRemoved: true });
    await w.readAccount();
    await mailWeakenings(w);
    expect(w.weakenings.queued).toMatchObject([{ userId: 'octocat', kind: 'protectionWeakened' }]);
  });

  it('names twenty and counts the others, and many of one kind or repository hide no other', async () => {
    const w = await world();
    w.memberships.notified = ['octocat'];
    const [{ change: rule }] = aWeakening(w.org);
    const add = (repoId: number, change: Partial<typeof rule>) => {
      const weakening = { repoId, change: { ...rule, ...change }, at: w.clock.now() };
      return w.weakenings.add(w.org, ...aWeakening(w.org, weakening, `${w.weakenings.stored.length}`));
    };
    await add(42, {});
    for (let index = 0; index < 22; index += 1) await add(43, { repo: 'junk' });
    for (let index = 0; index < 22; index += 1)
      await add(50 + index, { kind: 'deployKeyAdded', repo: 'junk', subject: 'ci' });
    w.clock.pass(MINUTE);
    await mailWeakenings(w);
    expect(w.weakenings.queued).toMatchObject([{ data: { more: 25 } }]);
    const changes = w.weakenings.queued[0]?.data.changes;
    expect(changes).toHaveLength(20);
    expect(changes).toContain("hello: the rule “OTP Guard” isn't enforced; octocat did this.");
  });
});
