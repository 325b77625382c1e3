import { beforeEach, describe, expect, it } from '@jest/globals';
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
  w.pullChanges.changed = {
    paths: Array.from({ length: 3_000 }, (_, at) => `${at}${'a'.repeat(4_000)}`),
    isComplete: true,
  };
  w.stage.calls.splice(0);
});
const trial = (person = MONA) =>
  tryPolicy({ ...w, access: w.members } as never, {
    person: person as never,
    orgID: 9,
    policy: HOSTILE,
    repo: 'hello',
    pr: 7,
  });

describe('the trial of a policy that a regular expression would try for ever', () => {
  it('ends, and says what applies', async () => {
    w.members.set(9, 2, 'member');
    expect(await trial()).toMatchObject({ passed: false, rules: [{ name: 'a', met: false }] });
  });

  it('is refused for a member of another organization before the pull request is read', async () => {
    w.members.set(10, 2, 'admin');
    expect(await codeOf(trial())).toBe('notMember');
    expect(w.stage.calls).toEqual(['organizations.byOrgId', 'members.role']);
  });
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
