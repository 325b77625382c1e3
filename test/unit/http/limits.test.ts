import { describe, expect, it } from '@jest/globals';
import type { Call } from '../../../src/http/calls/call.ts';
import { type BudgetName, budgets, type CallCost, countCall, networkOf } from '../../../src/http/limits.ts';
import { createMemoryLimits } from '../../../src/shared/limits.ts';
import { codeOf } from '../../support/code-of.ts';
import { calls } from '../../support/every-room.ts';
import { anInstallation, anOpenPull, EMPTY_ASSERTION, fakeStores, HEAD } from '../../support/fakes.ts';

const ORG = 9;
const aTarget = { installation: 5, owner: 'octo-org', ownerID: ORG, repo: 'hello', pr: 7, head: HEAD };
const MEMBERS = ['mallory', 'mona'];

const requestsOf = (budget: BudgetName) => {
  const kind = budgets[budget];
  return 'github' in kind ? kind.github.requests : 0;
};

/** An organization with two members, at one moment that `pass` moves. */
async function world() {
  const stores = fakeStores();
  const org = await stores.organizations.save(anInstallation());
  MEMBERS.forEach((userId, index) => {
    stores.memberships.put(org, { githubId: index + 1, login: userId, role: 'member' }, { userId });
  });
  let lowUntil: Date | null = null;
  const deps = {
    ...stores,
    limits: createMemoryLimits(() => stores.clock.now().getTime()),
    githubBudget: { lowUntil: () => lowUntil },
  };
  /** `who` is a person, or a person and one of their tokens: `mona/stolen`. */
  const call = (who: string, budget: BudgetName, path = budget as string, orgID = ORG, count = 1) => {
    const [userId = '', token = who] = who.split('/');
    const cost = () => ({ requests: count, work: count });
    const about = { orgID, targets: [], cost, storedTargets: async () => [] };
    return codeOf(countCall(deps, { userId, token, path, budget }, about));
  };
  /** As a call's handler counts it, with this body. */
  const count = (
    userId: string,
    path: string,
    body: object,
    storedTargets: CallCost['storedTargets'] = async () => [],
  ) => {
    const { budget, prepare } = calls.find((one) => one.path === path) as Call;
    const call = { userId, token: userId, path, budget: budget as BudgetName };
    return codeOf(countCall(deps, call, { ...prepare(body), storedTargets }));
  };
  return {
    ...stores,
    call,
    count,
    pass: (ms: number) => stores.clock.pass(ms),
    runLow: (until: Date) => (lowUntil = until),
    /** Makes as many calls as pass in an hour, on every path; returns how many requests to GitHub they may take. */
    async attack(whom: string | string[], spare?: BudgetName) {
      let requests = 0;
      for (let minute = 0; minute < 59; minute += 1) {
        for (const { path, budget } of calls) {
          if (budget === null || budget === spare) continue;
          for (const who of [whom].flat())
            while ((await call(who, budget, path)) === 'passes') requests += requestsOf(budget);
        }
        stores.clock.pass(60_000);
      }
      return requests;
    },
  };
}

describe('a member who makes as many calls as they can', () => {
  it('spends less than half of the 5,000 requests that GitHub allows the organization', async () => {
    const w = await world();
    expect(await w.attack('mallory')).toBeLessThan(2_500);
  });

  it('keeps no other member from approving, registering and looking, in theirs or in another organization', async () => {
    const w = await world();
    await w.attack('mallory');
    for (let approval = 0; approval < 30; approval += 1) {
      expect(await w.call('mona', 'approval', '/github-check-webauthn-params')).toBe('passes');
      expect(await w.call('mona', 'approval', '/github-check-webauthn')).toBe('passes');
    }
    expect(await w.call('mona', 'authenticator', '/github-register-passkey')).toBe('passes');
    expect(await w.call('mona', 'health')).toBe('passes');
    expect(await w.call('mona', 'approval', '/github-check-webauthn', 10)).toBe('passes');
  });
});

describe('who stole a session and makes as many calls as they can', () => {
  it('leaves the person every call in their next session', async () => {
    const w = await world();
    await w.attack('mona/header.payload.signaturA');
    expect(await w.call('mona/header.payload.signaturB', 'approval')).toBe('tooManyRequests');
    for (const { path, budget } of calls)
      if (budget) expect([path, await w.call('mona/next', budget, path)]).toEqual([path, 'passes']);
    for (let count = 0; count < 17; count += 1)
      expect(await w.call('mona/next', 'revocation')).toBe('passes');
    expect(await (await world()).attack(['mona/1', 'mona/2', 'mona/3'])).toBeLessThan(3_500);
  });

  it('uses up nothing of what takes trust away with any other call, and a logout with none', async () => {
    const w = await world();
    await w.attack('mona', 'revocation');
    expect(await w.call('mona', 'local')).toBe('tooManyRequests');
    expect(await w.call('mona', 'revocation')).toBe('passes');
    const pathsOf = (kind: BudgetName | null) =>
      calls.filter(({ budget }) => budget === kind).map(({ path }) => path);
    expect(pathsOf(null)).toEqual(['/logout']);
    // Each sends an e-mail.
    expect([pathsOf('mail'), budgets.mail.perHour]).toEqual([['/github-edit-authenticator'], 10]);
    expect(pathsOf('revocation')).toEqual([
      '/end-member-sessions',
      '/github-withdraw-approval',
      '/remove-hook',
    ]);
  });
});

describe('a stranger who names an organization', () => {
  it('shares few calls with the others, and ten of them use up nothing of its members and newcomers', async () => {
    const w = await world();
    for (let call = 0; call < 310; call += 1) {
      const outcome = await w.call(`eve${call % 10}`, 'approval', `/${call}`);
      expect([call, outcome === 'passes']).toEqual([call, call < 150]);
    }
    for (let count = 0; count < 30; count += 1)
      expect(await w.call('mona', 'authenticator', `/${count}`)).toBe('passes');
    for (let count = 0; count < 5; count += 1) expect(await w.call('newcomer', 'approval')).toBe('passes');
  });
});

describe('a batch of approvals', () => {
  it('counts as much as its items, for its session, its organization and a stranger', async () => {
    const w = await world();
    const body = { org: 'octo-org', orgID: ORG, items: Array(20).fill(aTarget) };
    const batch = (who: string) => w.count(who, '/approve-batch-params', body);
    const others = (path: string) => w.call('mona', 'approval', path, ORG, 20);
    for (let round = 0; round < 3; round += 1) expect(await batch('mona')).toBe('passes');
    expect(await batch('mona')).toBe('tooManyRequests');
    expect([await batch('eve'), await batch('eve')]).toEqual(['passes', 'tooManyRequests']);
    // The share of her own is used up: eight more, at 6 requests an item, fit into the organization's 1,000.
    for (let round = 0; round < 8; round += 1) expect(await others(`/${round}`)).toBe('passes');
    expect(await others('/other')).toBe('tooManyRequests');
  });

  it('is counted once before its challenge is read, and then as much as its items', async () => {
    const w = await world();
    const body = { org: 'octo-org', orgID: ORG, authResponse: EMPTY_ASSERTION };
    let read = 0;
    const storedTargets = async () => {
      read += 1;
      return Array(20).fill(aTarget);
    };
    const answer = () => w.count('mona', '/approve-batch', body, storedTargets);
    for (let round = 0; round < 3; round += 1) expect(await answer()).toBe('passes');
    expect([await answer(), read]).toEqual(['tooManyRequests', 3]);
  });
});

describe('a trial of a policy', () => {
  const paths = Array.from({ length: 100 }, (_, at) => `${at}/**`);
  const rules = Array.from({ length: 5 }, (_, at) => ({ name: `${at}`, when: { paths } }));
  const from = Array.from({ length: 50 }, (_, at) => `@octo-org/t${at}`);
  const trials = async (policy: object) => {
    const w = await world();
    const body = { org: 'octo-org', orgID: ORG, repo: 'hello', pr: 7, policy };
    let passed = 0;
    while ((await w.count('mona', '/github-try-policy', body)) === 'passes') passed += 1;
    return passed;
  };

  it('counts as much as its patterns take to match, and its teams to read', async () => {
    // Four of her own, and 500 requests of the organization's at 20 each.
    expect(await trials({ version: 1 })).toBe(29);
    // Six of the 30 a minute.
    expect(await trials({ version: 1, rules })).toBe(5);
    // At most ten, so that the largest can be tried.
    const many = rules.map((rule) => ({
      ...rule,
      when: { ...rule.when, branches: paths, repositories: ['a'] },
    }));
    const larger = Array.from({ length: 20 }, (_, at) => ({ name: `b${at}`, when: { branches: paths } }));
    expect(await trials({ version: 1, rules: [...many, ...larger] })).toBe(3);
    // Six times 20 requests of the organization's 500.
    expect(await trials({ version: 1, rules: [{ name: 'teams', require: { from } }] })).toBe(4);
  });
});

describe('a target that names an organization of one’s own', () => {
  const there = { ...aTarget, repoID: 42 };
  it.each([
    ['a repository of another', '/github-check-webauthn-params', there, 30],
    ['one of its pull requests', '/github-check-webauthn-params', aTarget, 30],
    ['it in an approval', '/github-check-webauthn', { params: there, authResponse: EMPTY_ASSERTION }, 30],
    ['it in a code', '/github-totp-check', { ...there, base: 'main', otp: '123456' }, 30],
    ['it in a batch', '/approve-batch-params', { org: 'o', orgID: ORG, items: Array(20).fill(there) }, 1],
  ])(
    'and %s counts against the other one, where the person is a stranger',
    async (_what, path, body, passes) => {
      const w = await world();
      const account = { ...anInstallation().account, id: 10, login: 'victim' };
      await w.organizations.save(anInstallation({ id: 6, account }));
      await w.openPulls.save(10, [anOpenPull()], new Date());
      for (let count = 0; count < passes; count += 1)
        expect(await w.count('mona', path, body)).toBe('passes');
      expect(await w.count('mona', path, body)).toBe('tooManyRequests');
    },
  );
});

describe('150 calls at the same instant', () => {
  it('are counted before any of them does its work', async () => {
    const w = await world();
    const outcomes = await Promise.all(Array.from({ length: 150 }, () => w.call('mona', 'approval')));
    expect(outcomes.filter((code) => code === 'passes')).toHaveLength(60);
    expect(outcomes.filter((code) => code === 'tooManyRequests')).toHaveLength(90);
  });
});

describe('while little of GitHub’s hourly budget is left', () => {
  it('reading waits until GitHub renews it, and approving continues', async () => {
    const w = await world();
    w.runLow(new Date(Date.now() + 600_000));
    expect(await w.call('mona', 'health')).toBe('githubBudgetLow');
    expect(await w.call('mona', 'organization')).toBe('githubBudgetLow');
    expect(await w.call('mona', 'authenticator')).toBe('passes');
    expect(await w.call('mona', 'approval')).toBe('passes');
  });
});

describe('an address', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::1', '::'],
    ['2001:db8:1:2fff:aaaa::1', '2001:db8:1:2f00::'],
    ['fe80::1%eth0', 'fe80::'],
    ['', ''],
  ])('%s counts as %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
