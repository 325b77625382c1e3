import { describe, expect, test } from '@jest/globals';
import {
  listApprovals,
  readApprovals,
  readCommitQuery,
} from '../../../web/src/features/commit/read-approvals.ts';
import { readPageContext } from '../../../web/src/lib/page-context.ts';
import { fakeRecordStore } from './fixtures.ts';

const head = '6dcb09b5b57875f334f61aebed695e2e4193db5e';
const query = { head, pr: 7, repo: 'hello', owner: 'Octo-Org', ownerID: '' };

const byKey = {
  id: 'activity0000001',
  activity: 'webauthnCollect' as const,
  created: '2026-11-20 09:14:03.123Z',
  data: { type: 'security-key' as const, label: 'Blue key', user: 'octocat', repo: 'hello' },
  expand: { user_id: { username: 'octocat-renamed' } },
};
const byCode = {
  id: 'activity0000002',
  activity: 'totpCollect' as const,
  created: '2026-11-21 09:14:03.123Z',
  data: { type: 'totp' as const, label: 'totp', user: 'mona', repo: 'hello' },
};

describe('the address of a commit', () => {
  test.each([
    [`?head=${head}&pr=7&repo=hello&owner=Octo-Org`, query],
    [`?head=${head}&pr=7&repo=hello&owner=Octo-Org&ownerID=9919`, { ...query, ownerID: '9919' }],
    [`?head=${head}&pr=7&repo=hello&owner=Octo-Org&ownerID=1e3`, query],
    [`?head=${head}&pr=seven&repo=hello&owner=octo-org`, null],
    [`?head=${head}&pr=7&owner=octo-org`, null],
    [`?head=${head}&pr=7&repo=hello`, null],
  ])('%s is read as %o', (search, read) => {
    expect(readCommitQuery(readPageContext(search))).toEqual(read);
  });
});

describe('the search for the approvals of a commit', () => {
  const searchOf = async (commit: typeof query) => {
    const { store, requests } = fakeRecordStore([{ json: { items: [] } }]);
    expect(await listApprovals(store, commit)).toEqual([]);
    return Object.fromEntries(new URL(requests[0]?.url ?? '').searchParams);
  };

  test('finds the organization by its name in any case', async () => {
    expect(await searchOf(query)).toEqual({
      page: '1',
      perPage: '20',
      skipTotal: 'true',
      filter: `commit = "${head}" && org.name:lower = "octo-org"`,
      sort: '-created',
      expand: 'activity_ids,activity_ids.user_id,org',
    });
  });

  test('escapes values from the address in its filter', async () => {
    const { filter } = await searchOf({ ...query, head: '" || 1=1 || "', owner: '"x' });
    expect(filter).toBe('commit = "\\" || 1=1 || \\"" && org.name:lower = "\\"x"');
  });
});

describe('the approvals of a commit', () => {
  const record = (...activity_ids: object[]) => ({ pr: 7, expand: { activity_ids } });

  test('have a person, an authenticator and a time, and the newest comes first', () => {
    expect(readApprovals([record(byKey, byCode)], query)).toEqual([
      {
        id: byCode.id,
        login: 'mona',
        type: 'totp',
        label: '',
        at: byCode.created,
        signedFor: null,
        withdrawn: null,
      },
      {
        id: byKey.id,
        login: 'octocat-renamed',
        type: 'security-key',
        label: 'Blue key',
        at: byKey.created,
        signedFor: null,
        withdrawn: null,
      },
    ]);
  });

  test('say when they were withdrawn, by the person’s next withdrawal only', () => {
    const again = { ...byCode, id: 'activity0000004', created: '2026-11-21 11:00:00.000Z' };
    const withdrawal = {
      id: 'activity0000003',
      activity: 'approvalWithdraw' as const,
      created: '2026-11-21 10:00:00.000Z',
      data: { user: 'mona', login: 'octocat', repo: 'hello' },
    };
    const listed = readApprovals([record(byKey, byCode, withdrawal, again)], query);
    expect(listed.map(({ id, withdrawn }) => [id, withdrawn])).toEqual([
      [again.id, null],
      [byCode.id, withdrawal.created],
      [byKey.id, null],
    ]);
  });

  test('leave out other activities', () => {
    expect(readApprovals([record({ ...byKey, activity: 'authenticatorDelete' })], query)).toEqual([]);
  });

  test('are those of the repository in the address if several have the commit', () => {
    const elsewhere = { ...byKey, id: 'elsewhere', data: { ...byKey.data, repo: 'other' } };
    const ids = (repo: string) =>
      readApprovals([record(elsewhere), record(byKey)], { repo, pr: 7 }).map(({ id }) => id);
    expect([ids('Hello'), ids('other'), ids('renamed')]).toEqual([[byKey.id], ['elsewhere'], ['elsewhere']]);
  });

  test('name the pull request that was signed if it is another one of the repository', () => {
    const twin = { ...record({ ...byKey, data: { ...byKey.data, pr: 8, base: 'main' } }), repo_id: 1, pr: 8 };
    const own = { ...record(byCode), repo_id: 1, pr: 7 };
    const fork = { ...record({ ...byKey, data: { ...byKey.data, repo: 'fork' } }), repo_id: 2, pr: 7 };
    const found = readApprovals([fork, twin, own], query);
    expect(found.map(({ signedFor }) => signedFor)).toEqual([null, { pr: 8, base: 'main' }]);
  });
});
