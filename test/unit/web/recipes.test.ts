import { describe, expect, test } from '@jest/globals';
import { judgePull } from '../../../src/approvals/judge/judge.ts';
import type { Approval } from '../../../src/approvals/ports.ts';
import { DEFAULT_POLICY } from '../../../src/contract/default-policy.ts';
import { type Policy, policySchema } from '../../../src/contract/policy.ts';
import { RECIPES } from '../../../web/src/features/organization/policy/recipes.ts';
import { aPull } from '../../support/fakes.ts';
import {
  approvalBy,
  BOT,
  botDetails,
  botPull,
  detailsFor,
  type Known,
  MONA,
  type Name,
  someDetails,
} from '../../support/policies.ts';

const policyOf = (...rules: object[]): Policy => policySchema.parse({ version: 1, rules });
const WORKFLOWS = {
  name: 'Two people for workflows',
  when: { paths: ['.github/**'] },
  require: { approvals: 2 },
};
const POLICY = policyOf(WORKFLOWS);

const recipe = (title: string) => RECIPES.find((one) => one.title.startsWith(title)) as (typeof RECIPES)[0];

describe('a recipe', () => {
  test.each(RECIPES)(
    'is added once, as a policy without a fault, and taken back: $title',
    ({ add, remove }) => {
      const added = add(DEFAULT_POLICY);
      expect(policySchema.parse(JSON.parse(JSON.stringify(added)))).toEqual(added);
      expect(added).not.toEqual(DEFAULT_POLICY);
      const stored = policySchema.parse(added);
      expect(add(stored)).toBe(stored);
      expect(add(added)).toBe(added);
      expect(remove(added, DEFAULT_POLICY)).toEqual(DEFAULT_POLICY);
      expect(add(remove(added, added))).toEqual(added);
    },
  );

  test('enforces the same rule if it was only reported, and reports it again', () => {
    const workflows = recipe('Two people');
    const reported = policyOf({ ...WORKFLOWS, enforced: false });
    expect(workflows.add(reported)).toEqual(POLICY);
    expect(workflows.remove(POLICY, reported)).toEqual(reported);
    expect(workflows.add(POLICY)).toBe(POLICY);
  });

  test('takes a name that no other rule has', () => {
    const own = recipe('Nobody');
    const taken = own.add(policyOf({ name: own.title }, { name: `${own.title} 2` }));
    expect(taken.rules.at(-1)?.name).toBe(`${own.title} 3`);
  });

  test('of an organization that counts codes alone makes passkeys and keys count instead', () => {
    const codes = policySchema.parse({ version: 1, assurance: { methods: ['totp'] } });
    expect(recipe('Passkeys').add(codes).assurance.methods).toEqual(['passkey', 'security-key']);
  });
});

const changing = (...paths: string[]) => ({ files: { paths, isComplete: true } });
const commitsBy = (...people: (typeof MONA)[]) => ({
  commits: { people, areAllKnown: true, areAllVerified: true, commits: [], isComplete: true },
});
const CLAUDES = { agents: { hasHand: 'yes' as const, line: 'Claude wrote 1 of 1 commits' } };
const CI = changing('.github/workflows/ci.yml');
const askedByMona = botDetails({ initiators: { people: [MONA], areAllKnown: true } });
const byCode = approvalBy('mona', { method: 'totp', userVerified: false });
const LOCK = changing('web/package.json', 'web/package-lock.json');

/** A pull request by mona, or by a bot, the people who approve it, and whether it passes by this recipe alone. */
test.each<[title: string, what: string, details: Known, approvedBy: (Name | Approval)[], passes: boolean]>([
  [
    'A team with agents',
    'what mona asked an agent for',
    { ...askedByMona, ...CLAUDES },
    ['mona', 'dana'],
    false,
  ],
  ['A team with agents', 'what mona wrote with an agent', someDetails(CLAUDES), ['mona', 'dana'], false],
  ['A team with agents', 'what mona wrote with an agent', someDetails(CLAUDES), ['erin', 'dana'], true],
  ['A team with agents', 'what mona wrote alone', someDetails(), ['mona'], true],
  ['Alone with agents', 'what mona wrote with an agent', someDetails(CLAUDES), ['mona'], true],
  ['Alone with agents', 'what mona wrote alone, with a code', someDetails(), [byCode], true],
  ['Alone with agents', 'what an agent wrote, with a code', someDetails(CLAUDES), [byCode], false],
  ['Alone with agents', 'a workflow, with a code', someDetails(CI), [byCode], false],
  ['Dependency updates', 'a bot’s update', botDetails(LOCK), [], true],
  [
    'Dependency updates',
    'a bot’s update and a workflow',
    botDetails(changing('yarn.lock', 'ci.yml')),
    [],
    false,
  ],
  [
    'Dependency updates',
    'a bot’s with a person’s commit',
    botDetails({ ...LOCK, ...commitsBy(BOT, MONA) }),
    [],
    false,
  ],
  ['Dependency updates', 'a person’s update', someDetails(LOCK), [], false],
  ['Two people for workflows', 'a workflow', someDetails(CI), ['mona'], false],
  ['Two people for workflows', 'a workflow', someDetails(CI), ['mona', 'dana'], true],
  ['Two people for workflows', 'no workflow', someDetails(), ['mona'], true],
  ['Nobody approves their own', 'what mona wrote', someDetails(), ['mona'], false],
  ['Nobody approves their own', 'what mona wrote', someDetails(), ['dana'], true],
  ['Nobody approves their own', 'what mona asked for', askedByMona, ['mona'], false],
])('the recipe “%s” judges %s', async (title, _what, details, approvedBy, passes) => {
  const policy = recipe(title).add(DEFAULT_POLICY);
  const isBots = details.pushers.includes(BOT);
  const pull = isBots ? botPull() : aPull();
  const grounds = {
    policy,
    details: new Map([[pull.number, await detailsFor(policy, details, pull)]]),
    hasRoots: false,
  };
  const approvals = approvedBy.map((one) => (typeof one === 'string' ? approvalBy(one) : one));
  expect(judgePull(pull, { approvals, denials: [] }, grounds).passed).toBe(passes);
});
