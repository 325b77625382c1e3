import { beforeEach, describe, expect, it } from '@jest/globals';
import { previewCost, previewPolicies } from '../../../src/approvals/policy/preview-policies.ts';
import { policySchema } from '../../../src/contract/policy.ts';
import { codeOf } from '../../support/code-of.ts';
import { anApproval, anInstallation, anOpenPull, aPull } from '../../support/fakes.ts';
import { type World, world } from './world.ts';

const OCTOCAT = { userId: 'octocat', githubId: 3, login: 'octocat' };
const MONA = 2;

const policyOf = (...require: object[]) =>
  policySchema.parse({
    version: 1,
    rules: require.map((one, at) => ({ name: `${at}`, when: { paths: ['src/**'] }, require: one })),
  });
const NOT_OWN = policyOf({ notBy: ['author'] });
const TWO = policyOf({ approvals: 2 });

let w: World;
let approvers: Map<string, number[]>;
beforeEach(async () => {
  w = world();
  await w.organizations.save(anInstallation());
  w.members.set(9, 3, 'admin');
  w.members.set(9, MONA, 'member');
  w.pulls.all = [];
  approvers = new Map();
});

/** Opens pull requests of octocat, each approved by these people. */
async function open(...approved: number[][]) {
  const saved = approved.map((people, at) => {
    const [pr, head] = [at + 1, `${at}`.padStart(40, '0')];
    w.pulls.all?.push(
      aPull({ number: pr, head, author: { id: 3, login: 'octocat', avatarUrl: '', isMachine: false } }),
    );
    approvers.set(head, people);
    return anOpenPull({ pr, head, approved: people.length > 0 });
  });
  await w.openPulls.save(9, saved, w.clock.now());
}

const preview = (...policies: unknown[]) => {
  const ofHead = async (_repo: number, head: string) => ({
    valid: (approvers.get(head) ?? []).map((githubId) =>
      anApproval({ githubId, head, login: githubId === 3 ? 'octocat' : 'mona' }),
    ),
  });
  const deps = { ...w, access: w.members, pullSearch: w.openPulls, approvals: { ofHead } };
  return previewPolicies(deps as never, { person: OCTOCAT as never, orgID: 9, policies });
};

describe('a preview of policies', () => {
  it('counts the open pull requests that would wait or pass by each of them', async () => {
    await open([3], [MONA], [3, MONA], []);
    expect(await preview(NOT_OWN, TWO, { version: 2 }, { version: 1 })).toEqual({
      open: 4,
      judged: 4,
      policies: [{ wait: 1, pass: 0 }, { wait: 2, pass: 0 }, null, { wait: 0, pass: 0 }],
    });
    w.policies.policy = TWO;
    expect((await preview({ version: 1 })).policies).toEqual([{ wait: 0, pass: 2 }]);
  });

  it('judges at most 20, as many that pass as wait, and leaves out those that were closed', async () => {
    await open(...Array.from({ length: 60 }, (_, at) => (at < 30 ? [] : [3])));
    expect(await preview(NOT_OWN)).toEqual({ open: 60, judged: 20, policies: [{ wait: 10, pass: 0 }] });
    w.pulls.all = w.pulls.all?.filter(({ number }) => number > 4) ?? null;
    expect(await preview(NOT_OWN)).toMatchObject({ judged: 16, policies: [{ wait: 10 }] });
  });

  it('reads each thing once for all policies, and stops before it made too many requests', async () => {
    await open(...Array.from({ length: 12 }, () => [3]));
    w.stage.calls.splice(0);
    expect((await preview(NOT_OWN, TWO)).judged).toBe(12);
    expect([w.count('pullRequests.listOpen'), w.count('pullChanges.files')]).toEqual([1, 12]);
    w.pullChanges.changed = { paths: Array.from({ length: 1_000 }, (_, at) => `${at}`), isComplete: true };
    expect((await preview(NOT_OWN, TWO)).judged).toBeLessThan(8);
    w.stage.calls.splice(0);
    const teams = Array.from({ length: 5 }, (_, at) => `@octo-org/${at}`);
    expect((await preview(policyOf({ from: teams }))).judged).toBe(0);
  });

  it('is for owners alone, and has no answer while GitHub gives none', async () => {
    await open([3]);
    w.stage.fail('pullChanges.files', 'githubUnavailable');
    expect(await codeOf(preview(NOT_OWN))).toBe('githubUnavailable');
    w.members.set(9, 3, 'member');
    w.stage.calls.splice(0);
    expect(await codeOf(preview(NOT_OWN))).toBe('notOwner');
    expect(w.count('pullRequests.listOpen')).toBe(0);
  });
});

it('a preview costs two trials at least, and what its policies take', () => {
  const teams = { from: Array.from({ length: 30 }, (_, at) => `@octo-org/${at}`) };
  expect(previewCost([{ version: 1 }])).toEqual({ requests: 2, work: 2 });
  expect(previewCost([NOT_OWN, TWO, policyOf(teams)])).toEqual({ requests: 4, work: 3 });
});
