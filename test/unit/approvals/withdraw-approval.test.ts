import { describe, expect, it } from '@jest/globals';
import { syncCheckRun } from '../../../src/approvals/check-run/head.ts';
import { retryUnreported } from '../../../src/approvals/reconcile/retry-unreported.ts';
import { withdrawApproval } from '../../../src/approvals/withdraw/withdraw-approval.ts';
import { withdrawErased } from '../../../src/approvals/withdraw/withdraw-erased.ts';
import {
  countLeft,
  countLost,
  retryWithdrawLost,
  withdrawLost,
} from '../../../src/approvals/withdraw/withdraw-lost.ts';
import type { LostAuthenticator } from '../../../src/authenticators/ports.ts';
import { AppError } from '../../../src/shared/app-error.ts';
import { codeOf } from '../../support/code-of.ts';
import { aDenial, anApproval, anInstallation, anOpenPull, aPull, HEAD, REPO } from '../../support/fakes.ts';
import { world as wholeWorld } from './world.ts';

const mona = { userId: 'mona', githubId: 2, login: 'mona', avatarUrl: '' };
const target = { installation: 5, owner: 'octo-org', ownerID: 9, repo: 'hello', pr: 7, head: HEAD };

/** Mona approved the head, and GitHub shows it. */
async function approvedWorld() {
  const whole = wholeWorld();
  const delayed: unknown[] = [];
  const w = { ...whole, delayed, onDelay: (error: unknown) => void delayed.push(error) };
  const org = await w.organizations.save(anInstallation());
  w.approvals.put(anApproval());
  const sync = () => syncCheckRun(w, { repo: REPO, repoId: 42, head: HEAD });
  await sync();
  return { ...w, org, sync, withdraw: (person = mona) => withdrawApproval(w, { person, target }) };
}

const status = (w: { shown(head: string): { status: string } | undefined }) => w.shown(HEAD)?.status;

describe('the withdrawal of one’s own approval', () => {
  it('makes the check wait immediately, is logged, notifies the person, and the head can be approved again', async () => {
    const w = await approvedWorld();
    expect(status(w)).toBe('completed');
    expect([await w.withdraw(), status(w)]).toEqual([{ reported: true }, 'in_progress']);
    const MONA = { id: 2, login: 'mona' };
    expect(w.approvals.withdrawals).toEqual([
      {
        activity: {
          activity: 'approvalWithdraw',
          userId: 'mona',
          orgRecordId: w.org.id,
          data: {
            type: 'passkey',
            login: 'mona',
            user: 'mona',
            sha: HEAD,
            pr: 7,
            repo: 'hello',
            org: 'octo-org',
          },
          facts: { repoId: 42 },
          personFacts: { by: MONA, holder: MONA },
        },
        notices: [expect.objectContaining({ kind: 'approvalWithdrawn', userId: 'mona' })],
      },
    ]);
    w.approvals.put(anApproval());
    await w.sync();
    expect([status(w), w.approvals.stored.length]).toEqual(['completed', 2]);
  });

  it('is stored while GitHub is down, and shown by the next retry', async () => {
    const w = await approvedWorld();
    for (const call of ['pullRequests.get', 'pullRequests.listOpen']) w.stage.fail(call, 'githubUnavailable');
    expect([await w.withdraw(), status(w), w.delayed.length]).toEqual([{ reported: false }, 'completed', 1]);
    await retryUnreported(w, new Map());
    expect([status(w), await w.approvals.unreportedHeads()]).toEqual(['in_progress', []]);
  });

  it('notifies the person once, even if they approved the commit for several pull requests', async () => {
    const w = await approvedWorld();
    w.approvals.put(anApproval({ pr: 8 }));
    await w.withdraw();
    expect(w.approvals.withdrawals.map(({ notices }) => notices.length)).toEqual([1, 0]);
  });

  it('takes back everything in the repository that an old link names, under its former names too', async () => {
    const w = await approvedWorld();
    const named = { repo: { ...REPO, name: 'former' } };
    w.approvals.put(anApproval({ pr: 8 }), named as never);
    await w.withdraw();
    expect(w.approvals.withdrawals.map(({ activity }) => activity?.data.repo)).toEqual(['hello', 'former']);
  });

  it('takes back nothing in a second repository if an old link names neither', async () => {
    const w = await approvedWorld();
    w.approvals.put(anApproval({ repoId: 43 }), { repo: { ...REPO, name: 'world' } } as never);
    await withdrawApproval(w, { person: mona, target: { ...target, repo: 'former' } });
    expect(w.approvals.stored.map(({ repoId, withdrawn }) => [repoId, withdrawn !== undefined])).toEqual([
      [42, true],
      [43, false],
    ]);
  });

  it('is possible if only a repository that took the name has closed its pull request', async () => {
    const w = await approvedWorld();
    w.pulls.all = [aPull({ open: false, repo: { ...aPull().repo, id: 77 } })];
    await w.withdraw();
    expect(w.approvals.withdrawals).toHaveLength(1);
  });

  it.each<[string, (w: Awaited<ReturnType<typeof approvedWorld>>) => unknown, string]>([
    ['of another person', (w) => w.withdraw({ ...mona, githubId: 3 }), 'approvalNotFound'],
    ['that was withdrawn before', async (w) => [await w.withdraw(), await w.withdraw()], 'approvalNotFound'],
    [
      'of a closed pull request',
      (w) => {
        w.pulls.all = [aPull({ open: false })];
        return w.withdraw();
      },
      'pullClosed',
    ],
    [
      'of another organization',
      (w) => withdrawApproval(w, { person: mona, target: { ...target, ownerID: 10 } }),
      'approvalNotFound',
    ],
    [
      'of another repository, even under this name',
      (w) => withdrawApproval(w, { person: mona, target: { ...target, repoID: 43 } }),
      'approvalNotFound',
    ],
    [
      'more than 20 times in ten minutes',
      async (w) => {
        for (let time = 0; time <= 20; time += 1) {
          const code = await codeOf(w.withdraw());
          if (code === 'tooManyRequests' && time === 20) throw new AppError(code);
          await codeOf(w.withdraw());
          w.approvals.put(anApproval());
        }
      },
      'tooManyRequests',
    ],
  ])('is refused for one %s', async (_which, act, code) => {
    const w = await approvedWorld();
    expect(await codeOf(Promise.resolve(act(w)))).toBe(code);
  });
});

describe('the approvals made with a lost authenticator', () => {
  /** Mona's key is lost since noon; `put` stores an approval made with an authenticator. */
  async function lostWorld() {
    const w = await approvedWorld();
    const lost: LostAuthenticator = {
      id: 'key',
      method: 'passkey',
      holder: { githubId: 2, login: 'mona' },
      org: { id: 9, recordId: w.org.id, name: 'octo-org' },
      since: w.clock.now(),
      by: { userId: 'octocat', githubId: 3, login: 'octocat' },
    };
    const put = (authenticator: string, change: Parameters<typeof anApproval>[0]) =>
      w.approvals.put(anApproval(change), { repo: { ...REPO, id: 42 }, authenticator } as never);
    w.approvals.stored.splice(0);
    w.clock.pass(-60_000);
    put('key', { pr: 1, base: 'next' });
    w.clock.pass(120_000);
    put('key', {});
    put('other key', { pr: 2, base: 'next' });
    put('key', { pr: 3, githubId: 3, base: 'next' });
    put('key', { pr: 4, orgId: 10 });
    w.lostAuthenticators.stored.push(lost);
    return { ...w, put };
  }

  it('since then are withdrawn, and no others: earlier ones, other keys, people or organizations', async () => {
    const w = await lostWorld();
    await w.sync();
    expect(status(w)).toBe('completed');
    await retryWithdrawLost(w);
    expect(w.approvals.stored.flatMap(({ pr, withdrawn }) => (withdrawn ? [pr] : []))).toEqual([7]);
    expect([status(w), w.lostAuthenticators.stored]).toEqual(['in_progress', []]);
    const { activity } = w.approvals.withdrawals[0] ?? {};
    expect(activity?.data).toMatchObject({
      login: 'octocat',
      user: 'mona',
      lostSince: '2026-05-04T12:00:00.000Z',
    });
  });

  it('are counted before, with the open pull requests that they count for', async () => {
    const w = await lostWorld();
    const [lost] = w.lostAuthenticators.stored as [LostAuthenticator];
    for (const head of ['cd', 'ef']) w.put('key', { pr: 8, head: head.repeat(20) });
    const denied = '01'.repeat(20);
    w.approvals.put(aDenial({ githubId: 2, head: denied }), {
      repo: { ...REPO, id: 42 },
      authenticator: 'key',
    } as never);
    const pulls = [
      {},
      { pr: 9 },
      { pr: 10, base: 'next' },
      { pr: 8, head: 'cd'.repeat(20) },
      { pr: 11, head: denied },
    ];
    await w.openPulls.save(9, pulls.map(anOpenPull), w.clock.now());
    const counted = await countLost(w, lost);
    expect(counted).toEqual({ approvals: 3, others: 1, openPulls: 3 });
    await retryWithdrawLost(w);
    expect(w.approvals.withdrawals).toHaveLength(counted.approvals + counted.others);
  });

  it('are taken off every open head, and GitHub isn’t asked about a head that no pull request has', async () => {
    const w = await lostWorld();
    const other = 'cd'.repeat(20);
    const closed = 'ef'.repeat(20);
    w.pulls.all = [aPull(), aPull({ number: 8, head: other })];
    w.put('key', { pr: 8, head: other });
    w.put('key', { pr: 9, head: closed });
    for (const head of [HEAD, other]) await syncCheckRun(w, { repo: REPO, repoId: 42, head });
    const asked: string[] = [];
    w.stage.gate = async (call) => void asked.push(call);
    await retryWithdrawLost(w);
    expect([status(w), w.shown(other)?.status]).toEqual(['in_progress', 'in_progress']);
    // Each head that is synced reads the list once for its verdict and once after it was written.
    expect(w.checkRunRecords.records.map(({ head }) => head)).not.toContain(closed);
    expect(asked.filter((call) => call === 'pullRequests.listOpen')).toHaveLength(4);
  });

  /** The withdrawal of the approvals of one pull request fails. */
  const failFor = ({ approvals }: Awaited<ReturnType<typeof lostWorld>>, pr: number) => {
    const { withdraw } = approvals;
    approvals.withdraw = async (approval, effects) => {
      if (approval.pr === pr) throw new AppError('storeUnavailable');
      return withdraw.call(approvals, approval, effects);
    };
    return () => Object.assign(approvals, { withdraw });
  };

  it('are all tried if one fails, open heads first, and are counted until none is left', async () => {
    const w = await lostWorld();
    await w.openPulls.save(9, [{}, { pr: 8, head: 'cd'.repeat(20) }].map(anOpenPull), w.clock.now());
    for (const pr of [11, 12]) w.put('key', { pr, head: 'ef'.repeat(20) });
    w.put('key', { pr: 8, head: 'cd'.repeat(20) });
    const heal = failFor(w, 8);
    expect(await codeOf(retryWithdrawLost(w))).toBe('storeUnavailable');
    expect(w.approvals.withdrawals.map(({ activity }) => activity?.data.pr)).toEqual([7, 11, 12]);
    expect([await countLeft(w, 9), await countLeft(w, 10)]).toEqual([1, 0]);
    expect([status(w), w.lostAuthenticators.stored.length]).toEqual(['in_progress', 1]);
    heal();
    await retryWithdrawLost(w);
    expect([await countLeft(w, 9), w.lostAuthenticators.stored]).toEqual([0, []]);
  });

  it('of one loss keep no other loss from its turn', async () => {
    const w = await lostWorld();
    const [lost] = w.lostAuthenticators.stored as [LostAuthenticator];
    const org = { id: 10, recordId: 'another', name: 'another' };
    w.lostAuthenticators.stored.unshift({ ...lost, id: 'key of another', org });
    w.stage.fail('approvals.madeWith', 'internal');
    expect(await codeOf(retryWithdrawLost(w))).toBe('internal');
    expect(w.approvals.withdrawals).toHaveLength(1);
  });

  it('are withdrawn while GitHub is down, which is no success: its check may still be green', async () => {
    const w = await lostWorld();
    await w.sync();
    const [lost] = w.lostAuthenticators.stored as [LostAuthenticator];
    w.stage.fail('pullRequests.listOpen', 'githubUnavailable');
    expect(await codeOf(withdrawLost(w, lost))).toBe('lossUnfinished');
    expect([w.approvals.withdrawals.length, w.lostAuthenticators.stored]).toEqual([1, []]);
  });

  it.each([
    ['was closed, so that it stays red if it is opened again', { open: false }, 'in_progress'],
    [
      'has another commit by now, and may be pushed back',
      { head: 'c0ffee'.repeat(7).slice(2) },
      'in_progress',
    ],
    ['was merged, and can’t come back', { open: false, merged: true }, 'completed'],
  ])('leave no green if the pull request %s', async (_what, change, shown) => {
    const w = await lostWorld();
    await w.sync();
    w.pulls.all = [aPull(change)];
    await retryWithdrawLost(w);
    await retryUnreported(w, new Map());
    expect([status(w), await w.approvals.unreportedHeads()]).toEqual([shown, []]);
  });

  it.each(['approvals.madeWith', 'approvals.withdraw', 'lostAuthenticators.done'])(
    'are withdrawn by the next retry if this fails: %s',
    async (call) => {
      const w = await lostWorld();
      w.stage.fail(call, 'storeUnavailable');
      expect(await codeOf(retryWithdrawLost(w))).toBe('storeUnavailable');
      await retryWithdrawLost(w);
      expect([w.approvals.withdrawals.length, w.lostAuthenticators.stored]).toEqual([1, []]);
      await retryUnreported(w, new Map());
      expect(status(w)).not.toBe('completed');
    },
  );
});

describe('what a person approved who is being erased', () => {
  it('is taken back where a pull request is open, in log entries that name nobody', async () => {
    const w = await approvedWorld();
    const closed = 'ef'.repeat(20);
    w.approvals.put(anApproval({ head: closed }));
    const heads = [HEAD, closed].map((head) => ({ orgId: 9, head }));
    expect(await withdrawErased(w, { githubId: 2, heads })).toBe(1);
    expect([status(w), w.approvals.stored.map(({ withdrawn }) => withdrawn !== undefined)]).toEqual([
      'in_progress',
      [true, false],
    ]);
    const data = { type: 'passkey', sha: HEAD, pr: 7, repo: 'hello', org: 'octo-org' };
    expect(w.approvals.withdrawals).toEqual([
      { activity: { activity: 'approvalWithdraw', userId: '', orgRecordId: w.org.id, data }, notices: [] },
    ]);
  });

  it('is all tried if one can’t be taken back, and fails, so that nobody is erased yet', async () => {
    const w = await approvedWorld();
    w.approvals.put(anApproval({ pr: 8 }));
    w.stage.fail('approvals.withdraw', 'storeUnavailable');
    const heads = [{ orgId: 9, head: HEAD }];
    expect(await codeOf(withdrawErased(w, { githubId: 2, heads }))).toBe('storeUnavailable');
    expect(w.approvals.withdrawals).toHaveLength(1);
  });
});
