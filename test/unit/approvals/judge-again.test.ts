import { expect, it } from '@jest/globals';
import { createJudgeAgain } from '../../../src/approvals/reconcile/compare-heads.ts';
import { anInstallation } from '../../support/fakes.ts';
import { until } from '../../support/until.ts';
import { world } from './world.ts';

it('judges every open head again, once more after a change meanwhile, and leaves the rest to the next round', async () => {
  const w = world();
  const org = await w.organizations.save(anInstallation());
  const judgeAgain = createJudgeAgain(w);
  const rounds = () => w.count('installations.repositories');
  let open = () => {};
  w.stage.gate = (call) =>
    call === 'installations.repositories'
      ? new Promise<void>((resolve) => (open = resolve))
      : Promise.resolve();
  judgeAgain(org);
  await until('the first round', () => rounds() === 1);
  // Of these, the round that runs may have missed any.
  judgeAgain(org);
  judgeAgain(org);
  w.stage.gate = async () => undefined;
  open();
  await until('the second round', () => rounds() === 2 && w.checkRuns.created.length === 1);
  await until('its end', () => w.stage.calls.at(-1) === 'openPulls.missingFrom');
  expect([rounds(), w.faults]).toEqual([2, []]);

  w.stage.fail('installations.get', 'githubUnavailable');
  judgeAgain(org);
  await until('the failure', () => w.faults.length === 1);
  expect(w.faults).toEqual([{ repository: 'octo-org/*' }]);
  judgeAgain(org);
  await until('a later round', () => rounds() === 3);
});
