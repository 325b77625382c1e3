import { beforeEach, expect, it } from '@jest/globals';
import { trialCost, tryPolicy } from '../../../src/approvals/policy/try-policy.ts';
import { codeOf } from '../../support/code-of.ts';
import { anInstallation } from '../../support/fakes.ts';
import { type World, world } from './world.ts';

const MONA = { userId: 'mona', githubId: 2, login: 'mona' };
const HOSTILE = { version: 1, rules: [{ name: 'a', when: { paths: ['*??a*/**/*/', '*a*/', '**/*a*'] } }] };

let w: World;
beforeEach(async () => {
  w = world();
  await w.organizations.save(anInstallation());
  w.stage.calls.splice(0);
});
it('a trial of a policy says what applies, to a member of this organization alone', async () => {
  const input = { person: MONA as never, orgID: 9, policy: HOSTILE, repo: 'hello', pr: 7 };
  const trial = () => tryPolicy({ ...w, access: w.members } as never, input);
  w.members.set(10, 2, 'admin');
  expect(await codeOf(trial())).toBe('notMember');
  expect(w.stage.calls).toEqual(['organizations.byOrgId', 'members.role']);
  w.members.set(9, 2, 'member');
  expect(await trial()).toMatchObject({ passed: false, rules: [{ name: 'a', met: false }] });
});

it.each([
  [{}, { requests: 1, work: 1 }],
  [{ version: 1 }, { requests: 1, work: 1 }],
  [HOSTILE, { requests: 1, work: 1 }],
  [policyOf(100, 0), { requests: 1, work: 2 }],
  [policyOf(500, 50), { requests: 6, work: 6 }],
])('a trial costs what its policy asks (%#)', (policy, cost) => {
  expect(trialCost(policy)).toEqual(cost);
});

function policyOf(paths: number, teams: number) {
  const list = <T>(length: number, of: (at: number) => T) => Array.from({ length }, (_, at) => of(at));
  const rules = list(paths / 100, (at) => ({
    name: `${at}`,
    when: { paths: list(100, (path) => `${path}`) },
    ...(teams > 0 && { require: { from: list(teams, (team) => `@octo-org/${team}`) } }),
  }));
  return { version: 1, rules };
}
