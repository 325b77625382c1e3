import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { syncCheckRun } from '../../../src/approvals/check-run/head.ts';
import { anApproval, HEAD, REPO } from '../../support/fakes.ts';
import { aPolicy } from '../../support/policies.ts';
import { seeded } from '../../support/seeded.ts';
import { type World, world } from './approval-world.ts';
import { interleave } from './interleaving.ts';
import { fakeTimers } from './world.ts';

const BY_OCTOCAT = anApproval({ githubId: 12, login: 'octocat' });
const give = (w: World) => void w.approvals.put(BY_OCTOCAT);
const takeBack = (w: World) => void Object.assign(w.approvals.stored[0] ?? {}, { withdrawn: 'unreported' });

beforeEach(fakeTimers);
afterEach(() => void jest.useRealTimers());

it.each([
  ['counts with another one that is given then', 2, give, 'completed'],
  ['doesn’t count with another one that is taken back then', 2, takeBack, 'in_progress'],
  ['takes the place of another one that is taken back then', 1, takeBack, 'completed'],
] as const)('an approval at the same moment %s', async (_name, approvals, act, status) => {
  for (let seed = 0; seed < (process.env.SOAK ? 400 : 60); seed += 1) {
    const w = await world();
    if (approvals > 1) w.policies.policy = aPolicy([{ require: { approvals } }]);
    w.members.set(9, BY_OCTOCAT.githubId, 'member');
    const sync = () => syncCheckRun(w, { repo: REPO, repoId: 42, head: HEAD });
    if (act === takeBack) give(w);
    await sync();
    const { options } = await w.options();
    const change = async () => {
      await w.stage.play('changes', () => act(w));
      await sync();
    };
    const random = seeded(seed);
    const approve = () => w.approve(w.key.get(options));
    await interleave(w.stage, [approve, change], (count) => Math.floor(random() * count));
    // The look after the write goes on after the answer.
    for (let step = 0; step < 100; step += 1) await setImmediate();
    expect([seed, w.checkRuns.shown(HEAD)?.content.status]).toEqual([seed, status]);
  }
});
