import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { syncCheckRun } from '../../../src/approvals/check-run/head.ts';
import { makeCheckSelectable } from '../../../src/approvals/check-run/make-check-selectable.ts';
import { LONGEST } from '../../../src/approvals/check-run/markdown.ts';
import { headContent } from '../../../src/approvals/check-run/texts.ts';
import { logPart } from '../../../src/approvals/check-run/write.ts';
import { DEFAULT_GROUNDS, judge } from '../../../src/approvals/judge/judge.ts';
import { syncMergeGroup } from '../../../src/approvals/merge-queue/merge-group.ts';
import { findCheckpoints } from '../../../src/proofs/checkpoint.ts';
import { aGroup, anApproval, anInstallation, aPull, aRepository, HEAD, REPO } from '../../support/fakes.ts';
import { world as emptyWorld, fakeTimers, ORIGINS } from './world.ts';

const NOTE = `guard.example.org/log/9\n1204\n${'A'.repeat(43)}=\n\n— guard.example.org/log/9 AAAAAAAA\n`;
const CHECKPOINT = { origin: '', size: 1204, root: '', note: NOTE, at: new Date(0) };
const ENDING =
  'Log: 1,204 entries. This signed checkpoint covers all of them; `otp-guard audit` compares the log with it.' +
  `\n\n\`\`\`\n${NOTE}\`\`\``;
const AT = { repo: REPO, repoId: 42, head: HEAD };

async function world() {
  const w = emptyWorld();
  await w.organizations.save(anInstallation({ id: REPO.installation }));
  w.checkpoints.checkpoint = CHECKPOINT;
  return w;
}

beforeEach(fakeTimers);
afterEach(() => void jest.useRealTimers());

describe('a check run', () => {
  it('ends with the checkpoint of the log when it completes, and a longer log rewrites nothing', async () => {
    const w = await world();
    await syncCheckRun(w, AT);
    expect([w.shown(HEAD)?.status, w.shown(HEAD)?.log]).toEqual(['in_progress', undefined]);
    w.approvals.put(anApproval());
    await syncCheckRun(w, AT);
    expect(w.shown(HEAD)).toMatchObject({ conclusion: 'success', log: ENDING });
    w.checkpoints.checkpoint = { ...CHECKPOINT, size: 1205 };
    const writes = w.count('checkRuns.update');
    expect(await syncCheckRun(w, AT)).toMatchObject({ written: false });
    expect([w.count('checkRuns.update'), w.shown(HEAD)?.log]).toEqual([writes, ENDING]);
  });

  it('ends with it also on a merge group and a default branch, so that an audit finds it', async () => {
    const w = await world();
    await syncMergeGroup(w, REPO, aGroup());
    expect(w.shown(aGroup().head)).toMatchObject({ conclusion: 'failure', log: ENDING });
    w.pulls.all = [];
    await makeCheckSelectable(w, { ...aRepository(), installation: REPO.installation }, HEAD);
    expect(w.shown(HEAD)).toMatchObject({ conclusion: 'cancelled', log: ENDING });
    expect(findCheckpoints(`Summary\n\n${ENDING}`)).toEqual([NOTE]);
  });

  it.each(['logChanged', 'storeUnavailable', ''] as const)(
    'completes without it if the log can’t be read or is empty: %s',
    async (code) => {
      const w = await world();
      if (code) w.stage.fail('checkpoints.newestOf', code);
      else w.checkpoints.checkpoint = null;
      w.approvals.put(anApproval());
      await syncCheckRun(w, AT);
      expect([w.shown(HEAD)?.conclusion, w.shown(HEAD)?.log]).toEqual(['success', undefined]);
      expect(w.unread).toMatchObject(code ? [{ code }] : []);
    },
  );

  it('fits into what GitHub accepts with the longest checkpoint that is stored, and any pull requests', () => {
    const ending = logPart({ size: Number.MAX_SAFE_INTEGER, note: `—${'x'.repeat(999)}` });
    expect(Buffer.byteLength(ending)).toBeLessThanOrEqual(LONGEST.log);
    const bases = fc.array(fc.string({ unit: 'binary', minLength: 1, maxLength: 9_000 }), { maxLength: 200 });
    fc.assert(
      fc.property(bases, (some) => {
        const pulls = some.map((base, at) => aPull({ number: at + 1, base }));
        const approvals = some.map((base, at) => anApproval({ pr: at + 1, base }));
        const verdict = judge({ head: HEAD, pulls, approvals, grounds: DEFAULT_GROUNDS });
        const { summary } = headContent(ORIGINS, REPO, verdict);
        expect(Buffer.byteLength(`${summary}\n\n`) + LONGEST.log).toBeLessThanOrEqual(65_535);
      }),
      { numRuns: 30 },
    );
  });
});
