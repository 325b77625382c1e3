import { describe, expect, it } from '@jest/globals';
import { type BudgetName, budgets, spend } from '../../../src/http/call-budgets.ts';
import { calls } from '../../../src/http/calls.ts';
import { createMemoryLimits } from '../../../src/limits.ts';
import { codeOf } from '../../support/code-of.ts';
import { anInstallation, fakeStores } from '../../support/fakes.ts';

const ORG = 9;
const MEMBERS = ['mallory', 'mona'];

/** An organization with two members, at one moment that `pass` moves. */
async function world() {
  const stores = fakeStores();
  const org = await stores.organizations.save(anInstallation());
  MEMBERS.forEach((userId, index) => {
    stores.memberships.put(org, { githubId: index + 1, login: userId, role: 'member' }, { userId });
  });
  let lowUntil: Date | null = null;
  const deps = {
    memberships: stores.memberships,
    limits: createMemoryLimits(() => stores.clock.now().getTime()),
    githubBudget: { lowUntil: () => lowUntil },
  };
  const call = (userId: string, budget: BudgetName, path = budget as string, orgID = ORG) =>
    codeOf(spend(deps, { session: { userId, githubId: 1, login: userId }, path, budget, orgID }));
  return {
    call,
    pass: (ms: number) => stores.clock.pass(ms),
    runLow: (until: Date) => (lowUntil = until),
    /** Makes as many calls as pass in an hour, on every path; returns how many requests to GitHub they may take. */
    async attack(userId: string, orgID = ORG) {
      let requests = 0;
      for (let minute = 0; minute < 59; minute += 1) {
        for (const { path, budget } of calls) {
          const most = budgets[budget].requests;
          if (most === 0) continue;
          while ((await call(userId, budget, path, orgID)) === 'passes') requests += most;
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

describe('a member who approves five pull requests a minute for a quarter of an hour', () => {
  it('is never refused', async () => {
    const w = await world();
    for (let approval = 0; approval < 75; approval += 1) {
      for (const path of ['/github-check-webauthn-params', '/github-check-webauthn'])
        expect([approval, await w.call('mona', 'approval', path)]).toEqual([approval, 'passes']);
      w.pass(12_000);
    }
  });
});

describe('a stranger who names an organization', () => {
  it('makes 30 calls an hour, and uses up nothing of its members', async () => {
    const w = await world();
    const requests = await w.attack('eve');
    expect(requests).toBeLessThanOrEqual(30 * 25);
    for (let count = 0; count < 30; count += 1)
      expect(await w.call('mona', 'authenticator', `/${count}`)).toBe('passes');
  });
});

describe('150 calls at the same instant', () => {
  it('are counted before any of them does its work', async () => {
    const w = await world();
    const outcomes = await Promise.all(Array.from({ length: 150 }, () => w.call('mona', 'approval')));
    expect(outcomes.filter((code) => code === 'passes')).toHaveLength(60);
    expect(outcomes.filter((code) => code === 'tooManyRequests')).toHaveLength(90);
  });
});

describe('the renames of an authenticator', () => {
  it('are ten an hour, because each sends an e-mail', async () => {
    const w = await world();
    const { budget } = calls.find(({ path }) => path === '/github-edit-authenticator') ?? {};
    expect(budget).toBe('mail');
    for (let count = 0; count < 10; count += 1) expect(await w.call('mona', 'mail')).toBe('passes');
    expect(await w.call('mona', 'mail')).toBe('tooManyRequests');
    w.pass(62 * 60_000);
    expect(await w.call('mona', 'mail')).toBe('passes');
  });
});

describe('while little of GitHub’s hourly budget is left', () => {
  it('reading waits until GitHub renews it, and approving goes on', async () => {
    const w = await world();
    w.runLow(new Date(Date.now() + 600_000));
    expect(await w.call('mona', 'health')).toBe('githubBudgetLow');
    expect(await w.call('mona', 'organization')).toBe('githubBudgetLow');
    expect(await w.call('mona', 'authenticator')).toBe('passes');
    expect(await w.call('mona', 'approval')).toBe('passes');
  });
});
