import { beforeEach, describe, expect, it } from '@jest/globals';
import { createReadWaiting, matchPatterns } from '../../../src/approvals/policy/match-patterns.ts';
import { previewCost, previewPolicies } from '../../../src/approvals/policy/preview-policies.ts';
import { trialCost, tryPolicy } from '../../../src/approvals/policy/try-policy.ts';
import { policySchema } from '../../../src/contract/policy.ts';
import type { PatternLists } from '../../../src/contract/policy-calls.ts';
import { codeOf } from '../../support/code-of.ts';
import { anApproval, anInstallation, anOpenPull, aPull } from '../../support/fakes.ts';
import { type World, world } from './world.ts';

const OCTOCAT = { userId: 'octocat', githubId: 3, login: 'octocat' } as never;
const MONA = { userId: 'mona', githubId: 2, login: 'mona' } as never;

let w: World;
/** The people who approved each head. */
let approvers: Map<string, number[]>;
/** The files of each pull request, by its number. */
let files: Map<number, string[]>;
let readWaiting: ReturnType<typeof createReadWaiting>;
beforeEach(async () => {
  w = world();
  await w.organizations.save(anInstallation());
  w.members.set(9, 3, 'admin');
  w.members.set(9, 2, 'member');
  approvers = new Map();
  files = new Map();
  const pullChanges = {
    files: async (_repo: unknown, { number }: { number: number }) => {
      await w.pullChanges.files();
      return { paths: files.get(number) ?? ['src/app.ts'], isComplete: true };
    },
  };
  readWaiting = createReadWaiting({ pullSearch: w.openPulls, pullChanges, clock: w.clock });
});

const HOSTILE = { version: 1, rules: [{ name: 'a', when: { paths: ['*??a*/**/*/', '*a*/', '**/*a*'] } }] };

it('a trial of a policy says what applies, to a member of this organization alone', async () => {
  const input = { person: MONA, orgID: 9, policy: HOSTILE, repo: 'hello', pr: 7 };
  const trial = () => tryPolicy({ ...w, access: w.members } as never, input);
  w.members.roles.delete('9:2');
  w.members.set(10, 2, 'admin');
  w.stage.calls.splice(0);
  expect(await codeOf(trial())).toBe('notMember');
  expect(w.stage.calls).toEqual(['organizations.byOrgId', 'members.role']);
  w.members.set(9, 2, 'member');
  expect(await trial()).toMatchObject({ passed: false, rules: [{ name: 'a', met: false }], agents: null });
});

it('a trial says what agents did, by the agents that the policy names', async () => {
  w.pullChanges.approved.people = [{ id: 70, login: 'octo-ai', isMachine: false }];
  const agents = { logins: ['Octo-AI'] };
  const policy = { version: 1, agents, rules: [{ name: 'a', when: { agents: true } }] };
  const input = { person: MONA, orgID: 9, policy, repo: 'hello', pr: 7 };
  expect(await tryPolicy({ ...w, access: w.members } as never, input)).toMatchObject({
    agents: 'Octo-AI approved it in a review',
    rules: [{ name: 'a' }],
  });
});

it('a trial asks about a team only for an owner, or if the policy in force names it, because its members can be secret', async () => {
  const trial = (person: typeof MONA) => {
    const policy = policyOf({ from: ['@octo-org/Secret'] });
    return codeOf(
      tryPolicy({ ...w, access: w.members } as never, { person, orgID: 9, policy, repo: 'hello', pr: 7 }),
    );
  };
  w.stage.calls.splice(0);
  expect([await trial(MONA), w.count('pullRequests.get')]).toEqual(['notOwner', 0]);
  expect(await trial(OCTOCAT)).toBe('passes');
  w.policies.policy = policyOf({ from: ['@octo-org/secret'] });
  expect(await trial(MONA)).toBe('passes');
});

it.each([
  [{}, { requests: 1, work: 1 }],
  [{ version: 1 }, { requests: 1, work: 1 }],
  [HOSTILE, { requests: 1, work: 1 }],
  [aLargePolicy(100, 0), { requests: 1, work: 2 }],
  [aLargePolicy(500, 50), { requests: 6, work: 6 }],
])('a trial costs what its policy asks (%#)', (policy, cost) => {
  expect(trialCost(policy)).toEqual(cost);
});

function aLargePolicy(paths: number, teams: number) {
  const list = <T>(length: number, of: (at: number) => T) => Array.from({ length }, (_, at) => of(at));
  const rules = list(paths / 100, (at) => ({
    name: `${at}`,
    when: { paths: list(100, (path) => `${path}`) },
    ...(teams > 0 && { require: { from: list(teams, (team) => `@octo-org/${team}`) } }),
  }));
  return { version: 1, rules };
}

const policyOf = (...require: object[]) =>
  policySchema.parse({
    version: 1,
    rules: require.map((one, at) => ({ name: `${at}`, when: { paths: ['src/**'] }, require: one })),
  });
const NOT_OWN = policyOf({ notBy: ['author'] });
const TWO = policyOf({ approvals: 2 });

/** Opens pull requests of octocat, each approved by these people. */
async function open(...approved: number[][]) {
  w.pulls.all = [];
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
    denials: [],
    valid: (approvers.get(head) ?? []).map((githubId) =>
      anApproval({ githubId, head, login: githubId === 3 ? 'octocat' : 'mona' }),
    ),
  });
  const deps = { ...w, access: w.members, pullSearch: w.openPulls, approvals: { ofHead } };
  return previewPolicies(deps as never, { person: OCTOCAT, orgID: 9, policies });
};

describe('a preview of policies', () => {
  it('counts the open pull requests that would wait or pass by each of them', async () => {
    await open([3], [2], [3, 2], []);
    expect(await preview(NOT_OWN, TWO, { version: 2 }, { version: 1 })).toEqual({
      open: 4,
      judged: 4,
      policies: [{ wait: 1, pass: 0 }, { wait: 2, pass: 0 }, null, { wait: 0, pass: 0 }],
    });
    w.policies.policy = TWO;
    expect((await preview({ version: 1 })).policies).toEqual([{ wait: 0, pass: 2 }]);
  });

  it('judges at most 20, half of them passing, and leaves out closed ones', async () => {
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

/** Pull requests 1, 2, … of `hello` wait, each with these files. */
async function waiting(...changed: string[][]) {
  changed.forEach((paths, at) => void files.set(at + 1, paths));
  const pulls = changed.map((_, at) => anOpenPull({ pr: at + 1, head: `${at}`.padStart(40, '0') }));
  await w.openPulls.save(9, pulls, w.clock.now());
}
const match = (lists: PatternLists) =>
  matchPatterns({ ...w, readWaiting }, { person: OCTOCAT, orgID: 9, lists });
const reads = () => w.count('pullChanges.files');

describe('the patterns that an owner writes', () => {
  it('are compared with the pull requests that wait', async () => {
    await waiting(['infra/main.tf'], ['main.tf', 'docs/a.md'], ['src/app.ts'], ['x/y.tf']);
    expect(await match({ paths: ['*.tf', 'lib/**'] })).toEqual({
      waiting: 4,
      repositories: null,
      branches: null,
      paths: { of: 4, matching: 1, first: [{ repo: 'hello', pr: 2 }], unmatched: ['lib/**'] },
    });
    expect((await match({ paths: ['**/*.tf', 'src/'] })).paths).toEqual({
      of: 4,
      matching: 4,
      first: [1, 2, 3].map((pr) => ({ repo: 'hello', pr })),
      unmatched: [],
    });
    expect(await match({ repositories: ['HEL*', 'web'], branches: ['next'] })).toMatchObject({
      repositories: { of: 4, matching: 4, unmatched: ['web'] },
      branches: { of: 4, matching: 0, first: [], unmatched: ['next'] },
      paths: null,
    });
  });

  it('read the files of at most 20, until enough are known, and not again for five minutes', async () => {
    await waiting(...Array.from({ length: 50 }, () => ['a']));
    expect(await match({ paths: ['a'], branches: ['main'] })).toMatchObject({
      waiting: 50,
      paths: { of: 20, matching: 20 },
      branches: { of: 40, matching: 40 },
    });
    await match({ paths: ['b'] });
    expect(reads()).toBe(20);
    w.clock.pass(5 * 60_000);
    const many = Array.from({ length: 2_000 }, (_, at) => `${at}`);
    files.set(2, many);
    expect((await match({ paths: ['a'] })).paths).toMatchObject({ of: 4, matching: 3 });
    expect(reads()).toBe(24);
  });

  it('are answered to owners alone', async () => {
    w.members.set(9, 3, 'member');
    expect(await codeOf(match({ paths: ['a'] }))).toBe('notOwner');
    expect(reads()).toBe(0);
  });

  it('are read again after GitHub didn’t answer', async () => {
    await waiting(['a']);
    w.stage.fail('pullChanges.files', 'githubUnavailable');
    expect(await codeOf(match({ paths: ['a'] }))).toBe('githubUnavailable');
    w.stage.heal();
    expect((await match({ paths: ['a'] })).paths).toMatchObject({ matching: 1 });
  });
});
