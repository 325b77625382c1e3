import { beforeEach, describe, expect, it } from '@jest/globals';
import type { StoredEntry } from '../../../src/audit/ports.ts';
import type { Organization } from '../../../src/organizations/ports.ts';
import { exportLog } from '../../../src/receipts/export-log.ts';
import { findOfCommits } from '../../../src/receipts/export-receipts.ts';
import { createVerifiedProofs } from '../../../src/receipts/issue-receipts.ts';
import { logStatus } from '../../../src/receipts/log-status.ts';
import type { ErasedApproval, ProvedApproval, ProvedApprovals } from '../../../src/receipts/ports.ts';
import { createPublishedList } from '../../../src/receipts/published-list.ts';
import { AppError } from '../../../src/shared/app-error.ts';
import { anApproval, anInstallation, aPull, fakeGitHub, fakeStores, HEAD } from '../../support/fakes.ts';

const OCTOCAT = { userId: 'octocat', githubId: 12, login: 'octocat' };
const proved = (change: Partial<ProvedApproval> = {}) =>
  ({ ...anApproval(), stored: new Date(0), withdrawn: null, ...change }) as ProvedApproval;
const entries = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ number: at + 1, checkpoint: '' }) as StoredEntry);

let org: Organization;
let deps: ReturnType<typeof fakeStores> & ReturnType<typeof fakeGitHub>;
beforeEach(async () => {
  const stores = fakeStores();
  deps = { ...stores, ...fakeGitHub(stores.stage) };
  org = await deps.organizations.save(anInstallation());
  deps.members.set(9, OCTOCAT.githubId, 'admin');
});

describe('an export of the log', () => {
  /** A period of a log that has `size` entries in its newest checkpoint. */
  const exported = async (period: { first: number; last: number }, size: number, after?: number) => {
    const log = {
      newest: async () => ({ origin: 'log', size, root: '', note: 'note', at: new Date(0) }),
      period: async () => period,
      after: async (_org: string, start: number, most: number) => entries(9).slice(start, start + most),
      frontier: async () => [],
      paths: async () => [[]],
    };
    const part = await exportLog({ ...deps, auditLog: log, origins: { publicUrl: '' } } as never, {
      ...{ session: OCTOCAT, orgID: 9, after },
    });
    return [part.entries.map(({ number }) => number), part.next];
  };

  it('has the first entry of its period and the last, and no next page', async () => {
    expect(await exported({ first: 2, last: 4 }, 9)).toEqual([[2, 3, 4], null]);
    expect(await exported({ first: 2, last: 4 }, 9, 3)).toEqual([[4], null]);
  });

  it('has nothing that was added after its checkpoint', async () => {
    expect(await exported({ first: 2, last: 9 }, 3)).toEqual([[2, 3], null]);
  });
});

describe('the receipts of commits', () => {
  const repo = { name: 'hello', id: 42 };
  const commits = Array.from({ length: 25 }, (_, at) => `${at}`.padStart(40, '0'));
  const find = (
    ofHead: (head: string) => ProvedApproval[],
    options: { most?: number; erased?: ErasedApproval[]; pulls?: ReturnType<typeof aPull>[] | null } = {},
  ) => {
    const { most = 100, erased = [], pulls = [] } = options;
    const provedApprovals = {
      ofHead: async (_org: number, head: string) => ofHead(head),
      erasedOf: async () => erased,
    } as unknown as ProvedApprovals;
    const commitPulls = { ofCommit: async () => pulls };
    return findOfCommits({ provedApprovals, commitPulls }, { org, repo, commits, most });
  };

  it('are looked for with at most 18 requests to GitHub in one call', async () => {
    expect(await find(() => [])).toMatchObject({ done: 18, isLast: false });
  });

  it('are of this repository, also if a fork’s approval is of the same head and number', async () => {
    const found = await find(() => [proved({ repoId: 43 })], { pulls: [aPull()] });
    expect(found.approvals).toEqual([]);
  });

  it('of a merged commit that was deployed are also those of its pull request, or say that nobody approved it', async () => {
    const decided = (head: string) => proved({ id: `run of ${head}`, head, pr: 0 });
    const ofPull = await find((head) => [head === HEAD ? proved({ id: 'pull', head }) : decided(head)], {
      pulls: [aPull({ merged: true })],
    });
    expect(ofPull.approvals.slice(0, 2).map(({ id }) => id)).toEqual(['pull', `run of ${commits[0]}`]);
    const nobody = await find((head) => (head === HEAD ? [] : [decided(head)]), { pulls: [aPull()] });
    expect(nobody).toMatchObject({ done: 18, isLast: false, approvals: { length: 18 } });
    expect(nobody.without[0]?.why).toMatch(/^Nobody approved .*, the head of #7/);
    const erased = [{ id: 'erased', denies: false, repoId: 42, repo: 'hello', pr: 0 }];
    const found = await find(() => [], { erased, pulls: null });
    expect(found.without.slice(0, 2).map(({ why }) => why)).toEqual([
      expect.stringContaining('no such commit'),
      expect.stringContaining('their decision has no receipt'),
    ]);
  });

  it('say so if one commit has more than a page', async () => {
    const { approvals, without } = await find((head) => [proved({ head }), proved({ head })], { most: 1 });
    expect([approvals.length, without.length, without[0]?.why]).toEqual([
      1,
      1,
      expect.stringContaining('more receipts than fit'),
    ]);
  });

  it('are none for a commit that GitHub doesn’t show, and say so', async () => {
    const { approvals, without } = await find(() => [], { pulls: null });
    expect(approvals).toEqual([]);
    expect(without[0]).toEqual({ commit: commits[0], why: expect.stringContaining('no such commit') });
  });

  it('end before a commit whose approvals don’t fit', async () => {
    const found = await find((head) => [proved({ head }), proved({ head })], { most: 3 });
    expect([found.done, found.approvals.length, found.isLast]).toEqual([1, 2, false]);
  });

  it('don’t say that an approval was erased which is still there', async () => {
    const one = proved({ id: 'a', head: HEAD });
    const erased = [{ id: 'a', denies: false, repoId: 42, repo: 'hello', pr: 7 }];
    expect((await find(() => [one], { erased })).without).toEqual([]);
    expect((await find(() => [], { erased })).without).toHaveLength(25);
  });
});

it('approvals whose assertion doesn’t verify get no receipt, by head and by period', async () => {
  const [good, bad] = [proved({ id: 'good' }), proved({ id: 'bad' })];
  const stored = {
    ofHead: async () => [good, bad],
    inPeriod: async () => ({ approvals: [good, bad], next: null }),
  } as unknown as ProvedApprovals;
  const verified = createVerifiedProofs(stored, async (found) => found.filter(({ id }) => id !== 'bad'));
  expect(await verified.ofHead(9, HEAD)).toEqual([good]);
  expect(await verified.inPeriod({ orgId: 9, most: 9 })).toEqual({ approvals: [good], next: null });
});

describe('the published list', () => {
  const list = (newest: (id: string) => Promise<{ note: string } | null>) =>
    createPublishedList({
      ...{
        signingKeys: { published: async () => [] },
        auditLog: { newest: newest as never },
        clock: deps.clock,
      },
      ...{ version: '1', appId: 1, origins: { publicUrl: '' } as never },
      organizations: {
        ...{ byOrgId: async () => null },
        all: async () => ['a', 'b'].map((id, orgId) => ({ ...org, id, orgId })),
      },
    });

  it('leaves out a changed log, and has the others', async () => {
    const read = list(async (id) => {
      if (id === 'a') throw new AppError('logChanged');
      return { note: id };
    });
    expect((await read()).logs).toEqual([{ org: 1, checkpoint: 'b' }]);
  });

  it('doesn’t remember that the record store failed', async () => {
    let isDown = true;
    const read = list(async (id) => {
      if (isDown) throw new AppError('storeUnavailable');
      return { note: id };
    });
    await expect(read()).rejects.toMatchObject({ code: 'storeUnavailable' });
    isDown = false;
    expect((await read()).logs).toHaveLength(2);
  });
});

it('the status of a log whose end was changed never says that nothing was', async () => {
  const log = {
    newest: async () => {
      throw new AppError('logChanged');
    },
  };
  const logChecks = { of: () => ({ checked: null, changed: null }), catchUp: async () => undefined };
  const status = await logStatus({ ...deps, auditLog: log, logChecks }, { session: OCTOCAT, orgID: 9 });
  expect(status).toEqual({ size: 0, checkpoint: null, at: null, checked: null, changed: 0 });
});
