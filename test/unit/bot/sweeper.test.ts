import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import pino from 'pino';
import { AppError } from '../../../src/app-error.ts';
import { startSweeper } from '../../../src/bot/sweeper.ts';
import {
  anApproval,
  anInstallation,
  aPull,
  aRepository,
  fakeGitHub,
  fakeStores,
  HEAD,
} from '../../support/fakes.ts';
import { fakeTimers } from '../approvals/world.ts';

beforeEach(fakeTimers);
afterEach(() => {
  jest.useRealTimers();
});

function world() {
  const stores = fakeStores();
  const lines: string[] = [];
  const expired: number[] = [];
  const deps = {
    ...stores,
    ...fakeGitHub(stores.stage),
    places: { publicUrl: 'https://guard.example.org', githubUrl: 'https://github.com' },
    onFault: () => undefined,
    onRepair: () => undefined,
    expire: async () => void expired.push(1),
    send: async () => stores.stage.play('send', () => undefined),
    log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }),
  };
  deps.installations.all.push({ ...anInstallation(), repositories: [aRepository()] });
  deps.pulls.all = [aPull()];
  return { ...deps, owed: new Map(), lines, expired };
}

const later = async (ms: number) => {
  await jest.advanceTimersByTimeAsync(ms);
  for (let turn = 0; turn < 20; turn += 1) await new Promise((done) => setImmediate(done));
};

describe('the sweeper', () => {
  it('creates at its start the check runs that are missing', async () => {
    const w = world();
    const sweeper = startSweeper(w);
    await later(0);
    expect(w.checkRuns.shown(HEAD)?.content.status).toBe('in_progress');
    expect(w.expired).toHaveLength(1);
    sweeper.stop();
  });

  it('reads members at its start and once an hour', async () => {
    const w = world();
    w.members.lists?.set(9, [{ githubId: 11, login: 'mona', role: 'admin' }]);
    const reads = () => w.stage.calls.filter((call) => call === 'members.list').length;
    const sweeper = startSweeper(w);
    await later(0);
    expect([reads(), w.memberships.stored.length]).toEqual([1, 1]);
    w.members.lists?.set(9, [{ githubId: 12, login: 'octocat', role: 'admin' }]);
    await later(60 * 60_000 - 1);
    expect(reads()).toBe(1);
    await later(1);
    expect(w.memberships.stored.map(({ login }) => login)).toEqual(['octocat']);
    sweeper.stop();
  });

  it('sends messages every three seconds, one round at a time', async () => {
    const w = world();
    let sent = 0;
    let finish: () => void = () => undefined;
    const sweeper = startSweeper({
      ...w,
      send: () => {
        sent += 1;
        return new Promise<void>((done) => {
          finish = done;
        });
      },
    });
    await later(3_000);
    expect(sent).toBe(1);
    await later(30_000);
    expect(sent).toBe(1);
    finish();
    await later(3_000);
    expect(sent).toBe(2);
    finish();
    sweeper.stop();
  });

  it('sends messages again after a round that failed, and logs it', async () => {
    const w = world();
    const sweeper = startSweeper(w);
    w.stage.fail('send', new AppError('storeUnavailable'));
    await later(3_000);
    expect(w.lines.join('')).toContain('sending messages');
    await later(3_000);
    expect(w.stage.calls.filter((call) => call === 'send')).toHaveLength(2);
    sweeper.stop();
  });

  it('reports an unreported approval within fifteen seconds', async () => {
    const w = world();
    const sweeper = startSweeper(w);
    await later(0);
    w.approvals.put(anApproval());
    await later(15_000);
    expect(w.checkRuns.shown(HEAD)?.content.status).toBe('completed');
    sweeper.stop();
  });

  it('goes on after a failure, and logs it', async () => {
    const w = world();
    w.stage.fail('installations.list', new AppError('githubUnavailable'));
    w.stage.fail('approvals.unreported', new AppError('storeUnavailable'));
    const sweeper = startSweeper(w);
    await later(0);
    expect(w.lines).toHaveLength(2);
    w.approvals.put(anApproval());
    await later(15_000);
    expect(w.checkRuns.shown(HEAD)?.content.status).toBe('completed');
    sweeper.stop();
  });

  it('retries owed work once a round until it is done', async () => {
    const w = world();
    const sweeper = startSweeper(w);
    await later(0);
    let looks = 0;
    let isDown = true;
    w.pulls.listOpen = async () => {
      looks += 1;
      if (isDown) throw new AppError('githubUnavailable');
      return [aPull()];
    };
    w.owed.set(
      'octo-org/hello',
      async () => void (await w.pulls.listOpen({ installation: 5, owner: 'octo-org', name: 'hello' })),
    );
    await later(15_000);
    expect([looks, w.owed.size]).toEqual([1, 1]);
    await later(15_000);
    expect([looks, w.owed.size]).toEqual([2, 1]);
    isDown = false;
    await later(15_000);
    expect(w.owed.size).toBe(0);
    sweeper.stop();
  });

  it('does nothing after it is stopped', async () => {
    const w = world();
    const sweeper = startSweeper(w);
    await later(0);
    sweeper.stop();
    w.stage.calls.splice(0);
    await later(60 * 60_000);
    expect([w.stage.calls, w.expired.length]).toEqual([[], 1]);
    expect(jest.getTimerCount()).toBe(0);
  });
});
