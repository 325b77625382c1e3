import { beforeEach, describe, expect, it } from '@jest/globals';
import { createReadWaiting, matchPatterns } from '../../../src/approvals/policy/match-patterns.ts';
import type { PatternLists } from '../../../src/contract/policy-calls.ts';
import { codeOf } from '../../support/code-of.ts';
import { anInstallation, anOpenPull } from '../../support/fakes.ts';
import { type World, world } from './world.ts';

const OCTOCAT = { userId: 'octocat', githubId: 3, login: 'octocat' };

let w: World;
let files: Map<number, string[]>;
let readWaiting: ReturnType<typeof createReadWaiting>;
beforeEach(async () => {
  w = world();
  await w.organizations.save(anInstallation());
  w.members.set(9, 3, 'admin');
  files = new Map();
  const pullChanges = {
    files: async (_repo: unknown, { number }: { number: number }) => {
      await w.pullChanges.files();
      return { paths: files.get(number) ?? ['src/app.ts'], isComplete: true };
    },
  };
  readWaiting = createReadWaiting({ pullSearch: w.openPulls, pullChanges, clock: w.clock });
});

/** Pull requests 1, 2, … of `hello` wait, each with these files. */
async function waiting(...changed: string[][]) {
  changed.forEach((paths, at) => void files.set(at + 1, paths));
  const pulls = changed.map((_, at) => anOpenPull({ pr: at + 1, head: `${at}`.padStart(40, '0') }));
  await w.openPulls.save(9, pulls, w.clock.now());
}
const match = (lists: PatternLists) =>
  matchPatterns({ ...w, readWaiting }, { person: OCTOCAT as never, orgID: 9, lists });
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
