import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { syncCheckRun } from '../../../src/approvals/check-run/head.ts';
import { syncMergeGroup } from '../../../src/approvals/merge-queue/merge-group.ts';
import { aGroup, anInstallation, HEAD, REPO } from '../../support/fakes.ts';
import { aPolicy, approvalBy, botPull, contributor, type Name, PEOPLE } from '../../support/policies.ts';
import { seeded } from '../../support/seeded.ts';
import { interleave } from './interleaving.ts';
import { world as emptyWorld, fakeTimers, HEAD_REF, type World } from './world.ts';

/** With Dana and Octocat, who are members, and these rules. */
async function world(rules: object[]) {
  const w = emptyWorld();
  await w.organizations.save(anInstallation());
  for (const { githubId, role } of Object.values(PEOPLE)) if (role) w.members.set(9, githubId, role);
  w.policies.policy = aPolicy(rules);
  return w;
}
const approve = (w: World, ...names: Name[]) => {
  for (const name of names) w.approvals.put(approvalBy(name));
};
const sync = (w: World) => syncCheckRun(w, HEAD_REF);
const shown = (w: World) => w.shown(HEAD);
const TWO = { name: 'two eyes', require: { approvals: 2, notBy: ['author'] } };

beforeEach(fakeTimers);
afterEach(() => void jest.useRealTimers());

describe('the check run under rules', () => {
  it('says what is missing, is renewed with each approval, and completes with the last', async () => {
    const w = await world([TWO, { name: 'owners', enforced: false, require: { from: ['owners'] } }]);
    await sync(w);
    expect(shown(w)).toMatchObject({ status: 'in_progress', title: 'Waiting for approval: two eyes' });
    const [first, state, table] = (shown(w)?.summary ?? '').split('\n\n');
    expect(first).toMatch(/^\[Approve it\]\(\S+\)$/);
    expect(state).toMatch(/ doesn't meet octo-org's rules yet\.$/);
    expect(table?.split('\n').slice(2)).toEqual([
      '| two eyes | – | 2 approvals from members\\, not counting its author |',
      '| owners (only reported) | – | 1 approval from an owner |',
    ]);
    approve(w, 'mona', 'dana');
    await sync(w);
    expect(shown(w)?.summary).toContain('| two eyes | @dana | 1 approval from a member');
    expect(shown(w)?.summary).toContain('@dana approved commit');
    expect(shown(w)?.summary).not.toContain('@mona approved');
    approve(w, 'octocat');
    await sync(w);
    expect(shown(w)).toMatchObject({ conclusion: 'success', title: 'Approved by dana and octocat' });
    expect(shown(w)?.summary).toContain('| two eyes | @dana, @octocat | Nothing |');
    expect(w.openPulls.saved).toMatchObject([{ approved: true }]);
    const writes = w.checkRuns.created.length;
    await sync(w);
    expect(w.checkRuns.created).toHaveLength(writes);
  });

  it('is completed by approvals that a rule which is only reported doesn’t count', async () => {
    const w = await world([TWO, { name: 'owners', enforced: false, require: { from: ['owners'] } }]);
    approve(w, 'dana', 'erin');
    await sync(w);
    expect(shown(w)).toMatchObject({ conclusion: 'success', title: 'Approved by dana and erin' });
    expect(shown(w)?.summary).toContain('| owners (only reported) | – | 1 approval');
  });

  it('completes immediately by a rule without approvals, and says which', async () => {
    const w = await world([{ name: 'docs', when: { paths: ['src/**'] }, require: { approvals: 0 } }]);
    await w.pushers.add({ repoId: 42, pr: 7, head: HEAD, by: { id: 2, login: 'mona', isMachine: false } });
    await sync(w);
    expect(shown(w)).toMatchObject({
      conclusion: 'success',
      title: 'No approval needed: docs',
      summary: expect.stringContaining('| docs | – | Nothing |'),
    });
  });

  it('waits for another person than the one who asked an agent for it, and so does the inbox', async () => {
    const w = await world([{ name: 'agents', require: { notBy: ['author', 'initiator'] } }]);
    w.pulls.all = [botPull()];
    approve(w, 'dana');
    await sync(w);
    expect(shown(w)).toMatchObject({ conclusion: 'success' });
    w.pullChanges.requested = { people: [contributor('dana', 4)], areAllKnown: true };
    await sync(w);
    expect(shown(w)).toMatchObject({ status: 'in_progress' });
    expect(shown(w)?.summary).toContain('not counting its author and the person who asked for it');
    expect(w.openPulls.saved).toMatchObject([{ approved: false, lacks: [{ excluded: [50, 4] }] }]);
    w.pullChanges.requested = { people: [], areAllKnown: true };
    await sync(w);
    expect(shown(w)).toMatchObject({ status: 'in_progress' });
    approve(w, 'erin');
    await sync(w);
    expect(shown(w)).toMatchObject({ conclusion: 'success', title: 'Approved by erin' });
  });

  it('is judged by the new policy at the next look, and a looser one passes nothing without an approval', async () => {
    const w = await world([]);
    approve(w, 'dana');
    await sync(w);
    expect(shown(w)?.status).toBe('completed');
    w.policies.policy = aPolicy([TWO]);
    await sync(w);
    expect(shown(w)?.status).toBe('in_progress');
    w.approvals.stored.splice(0);
    w.policies.policy = aPolicy([]);
    await sync(w);
    expect(shown(w)?.status).toBe('in_progress');
  });

  it('asks who is a member through the installation that it came by, not through a former one', async () => {
    const w = await world([TWO]);
    await w.organizations.save(anInstallation({ id: REPO.installation + 1 }));
    approve(w, 'dana', 'octocat');
    const asked = new Set<number>();
    const { role } = w.members;
    w.members.role = (org, person) => {
      asked.add(org.installationId);
      return role.call(w.members, org, person);
    };
    await sync(w);
    expect([...asked]).toEqual([REPO.installation]);
  });

  it('isn’t completed by facts that changed while it was written', async () => {
    for (let seed = 0; seed < (process.env.SOAK ? 400 : 25); seed += 1) {
      const w = await world([TWO]);
      approve(w, 'dana', 'octocat');
      const leave = async () => {
        await w.stage.play('leaves', () => w.members.roles.delete(`9:${PEOPLE.dana.githubId}`));
        await sync(w);
      };
      const tighten = async () => {
        await w.stage.play(
          'tightens',
          () => (w.policies.policy = aPolicy([TWO, { require: { methods: ['totp'] } }])),
        );
        await sync(w);
      };
      const random = seeded(seed);
      const change = seed % 2 === 0 ? leave : tighten;
      await interleave(w.stage, [() => sync(w), change, () => sync(w)], (count) =>
        Math.floor(random() * count),
      );
      expect([seed, shown(w)?.status]).toEqual([seed, 'in_progress']);
    }
  });

  it('fits within GitHub’s limits however long the rules are, and shows their names as they are', async () => {
    const name = '](https://evil.example) `<img>`';
    const from = Array.from({ length: 100 }, (_, at) => `${'t'.repeat(95)}${at}`);
    const long = Array.from({ length: 99 }, (_, at) => ({
      name: `${'r'.repeat(95)}${at}`,
      require: { from },
    }));
    const w = await world([{ name, require: { from } }, ...long]);
    await sync(w);
    const { title = '', summary = '' } = shown(w) ?? {};
    expect(Buffer.byteLength(title)).toBeLessThanOrEqual(255);
    expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(65_535);
    expect(summary).toContain(
      '\n| \\]\\(https\\:\\/\\/evil\\.example\\) \\`\\<img\\>\\` | – | 1 approval from ',
    );
    expect(summary).toMatch(/\n\| … and \d\d more \| \| \|$/);
  });
});

describe('what else follows from the rules', () => {
  it('is a merge group’s verdict', async () => {
    const w = await world([TWO]);
    w.branches.tips.set('hello', aGroup().baseSha);
    approve(w, 'dana');
    expect(await syncMergeGroup(w, REPO, aGroup())).toEqual({ verdict: 'failed' });
    expect(w.shown(aGroup().head)?.summary).toContain(
      "doesn't have what the rule `two eyes` asks for: Needs 1 more approval from a member",
    );
    const other = await world([TWO]);
    other.branches.tips.set('hello', aGroup().baseSha);
    approve(other, 'dana', 'octocat');
    expect(await syncMergeGroup(other, REPO, aGroup())).toEqual({ verdict: 'passed' });
  });
});
