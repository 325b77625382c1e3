import { expect, it } from '@jest/globals';
import { createApprovals } from '../../../../src/adapters/pocketbase/approvals/approvals.ts';
import { createProvedApprovals } from '../../../../src/adapters/pocketbase/approvals/proved-approvals.ts';

const KEY = { repoId: 42, run: 77, attempt: 1, environment: 'release' };
/** A record of each kind that claims to be about the same head and deployment. The store finds all, whatever we ask. */
const ITEMS = ['approve', 'deny', 'deploy', 'reject'].map((purpose) => ({
  ...{ id: purpose, repo_id: 42, repo_name: 'octo-org/hello', withdrawn: '', reported: '', assertion: null },
  ...{ created: '2026-05-04T12:00:00Z', deployment: '77 1 release', batch: null, head: 'head' },
  statement: { ...KEY, purpose, iat: 1_777_000_000 },
}));
const collection = () => ({ getFullList: async () => ITEMS, getList: async () => ({ items: ITEMS }) });
const store = { collection, filter: () => '' };
const client = { run: (work: (of: typeof store) => unknown) => work(store) };
const deps = [client, {}, { isOurs: () => true }] as unknown as Parameters<typeof createApprovals>;
const approvals = createApprovals(...deps);
const ids = (found: { id: string }[]) => found.map(({ id }) => id);

it('no record counts as another kind than its statement’s', async () => {
  const ofHead = await approvals.ofHead(42, 'head');
  const ofHeads = (await approvals.ofHeads(42, ['head'])).get('head');
  const ofPull = await approvals.ofPull(42, 7);
  for (const approved of [ofHead.valid, ofHeads?.valid ?? [], ofPull.approvals])
    expect(ids(approved)).toEqual(['approve']);
  for (const denied of [ofHead.denials, ofHeads?.denials ?? [], ofPull.denials])
    expect(ids(denied)).toEqual(['deny']);
  const lost = { id: 'key', holder: { githubId: 2 }, org: { id: 9 }, since: new Date(0) };
  const made = await approvals.madeWith(lost);
  expect(made.map(({ id, run }) => [id, run !== undefined])).toEqual([
    ['approve', false],
    ['deny', false],
    ['deploy', true],
    ['reject', true],
  ]);
  expect(ids(await approvals.ofPerson({ orgId: 9, githubId: 2, head: 'head' }))).toEqual(['approve', 'deny']);
  const proved = await createProvedApprovals(deps[0], deps[2]).ofHead(9, 'head');
  expect(proved.map(({ id, run, reason }) => [id, run, reason])).toEqual([
    ['approve', undefined, undefined],
    ['deny', undefined, ''],
    ['deploy', 77, ''],
    ['reject', 77, ''],
  ]);
  expect(ids(await approvals.ofDeployment(KEY))).toEqual(['deploy', 'reject']);
});
