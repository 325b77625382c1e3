import { describe, expect, it } from '@jest/globals';
import { describeHead } from '../../../src/approvals/approve/describe-head.ts';
import { codeOf } from '../../support/code-of.ts';
import { anApproval, anInstallation, anOpenPull, HEAD } from '../../support/fakes.ts';
import { type World, world } from './world.ts';

const BEFORE = 'be'.repeat(20);
const TREE = 'aa'.repeat(20);
const target = { installation: 5, owner: 'octo-org', ownerID: 9, repo: 'hello', pr: 7, head: HEAD };

/** The call over a store that knows the pull request, and over what GitHub shows the person. */
async function start(commit = { message: 'Say hi', tree: TREE }) {
  const w = world();
  const org = await w.organizations.save(anInstallation());
  const trees = new Map([[BEFORE, TREE]]);
  const tokens: string[] = [];
  const deps = {
    ...w,
    headCommits: {
      async read(token: string) {
        tokens.push(token);
        return token === 'ghu_reader' ? { commit } : null;
      },
    },
    commitTrees: {
      save: async (head: string, tree: string) => void trees.set(head, tree),
      of: async (head: string) => trees.get(head) ?? null,
    },
  };
  await w.openPulls.save(org.orgId, [anOpenPull()], w.clock.now());
  const ask = (change: object = {}, accessToken = 'ghu_reader') =>
    describeHead(deps, { accessToken, target: { ...target, ...change } });
  return { w, ask, trees, tokens };
}

const approveBefore = (w: World) => w.approvals.put(anApproval({ head: BEFORE, githubId: 11 }));

describe('the facts that help to decide about a head', () => {
  it('is read by GitHub’s own rules, with the person’s token: nobody reads what GitHub hides from them', async () => {
    const { ask, tokens, trees } = await start();
    expect((await ask()).message).toBe('Say hi');
    expect(await codeOf(ask({}, 'ghu_stranger'))).toBe('pullNotFound');
    expect(tokens).toEqual(['ghu_reader', 'ghu_stranger']);
    for (const other of [{ installation: 6 }, { owner: 'other-org' }, { ownerID: 10 }])
      expect(await codeOf(ask(other))).toBe('installationNotFound');
    expect(tokens).toHaveLength(2);
    expect(trees.get(HEAD)).toBe(TREE);
  });

  it('has at most 4,000 characters of a message, none of them halved', async () => {
    const { ask } = await start({ message: '🙂'.repeat(5_000), tree: TREE });
    const { message, isCut } = await ask();
    expect([[...(message ?? '')].length, message?.endsWith('🙂'), isCut]).toEqual([4_000, true, true]);
  });

  it.each([
    ['the same', TREE, BEFORE],
    ['other', 'bb'.repeat(20), null],
  ])(
    'names the earlier approved head if it has the same files, here %s',
    async (_which, tree, sameFilesAs) => {
      const { w, ask } = await start({ message: 'Say hi, again', tree });
      approveBefore(w);
      expect(await ask()).toMatchObject({ sameFilesAs });
    },
  );

  it('says nothing about files that were approved for another base branch: there, they are another change', async () => {
    const { w, ask } = await start();
    w.approvals.put(anApproval({ head: BEFORE, base: 'next', githubId: 11 }));
    expect(await ask()).toMatchObject({ sameFilesAs: null });
    w.approvals.put(anApproval({ head: BEFORE, githubId: 12 }));
    expect(await ask()).toMatchObject({ sameFilesAs: BEFORE });
  });

  it('remembers nothing of a pull request that no webhook reported, so that no stranger fills the store', async () => {
    const { ask, trees } = await start();
    expect(await ask({ repo: 'world' })).toMatchObject({ message: 'Say hi', sameFilesAs: null });
    expect(trees.has(HEAD)).toBe(false);
  });
});
