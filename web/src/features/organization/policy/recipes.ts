import type { Policy, Rule } from '../../../../../src/contract/policy.ts';

/** A common change of a policy, to begin with, and why. */
type Recipe = {
  title: string;
  /** Says why, in one sentence. */
  text: string;
  /** The policy with this change; the same object if it has it already. */
  add(policy: Policy): Policy;
  /** The policy without this change, with what `base` had instead. */
  remove(policy: Policy, base: Policy): Policy;
};

type Condition = Partial<Rule['when']>;

const ruleOf = (name: string, when: Condition, require: Partial<Rule['require']>): Rule => ({
  name,
  enforced: true,
  when: { authors: 'anyone', ...when },
  require: { approvals: 1, from: ['members'], notBy: [], userVerification: 'preferred', ...require },
});

/** The settings of a part, in the same order from the server and from the form. */
const inOrder = (part: object) =>
  Object.entries(part)
    .filter(([, value]) => value !== undefined)
    .sort();

/** The names may differ. */
const isAlike = (one: Rule, other: Rule) =>
  JSON.stringify([inOrder(one.when), inOrder(one.require)]) ===
  JSON.stringify([inOrder(other.when), inOrder(other.require)]);

/** Adds an enforced rule, or enforces the existing rule that says the same. */
function addRule(policy: Policy, rule: Rule): Policy {
  const { rules } = policy;
  const alike = rules.find((one) => isAlike(one, rule));
  if (alike?.enforced) return policy;
  if (alike)
    return { ...policy, rules: rules.map((one) => (one === alike ? { ...one, enforced: true } : one)) };
  return { ...policy, rules: [...rules, { ...rule, name: freeName(rule.name, rules) }] };
}

function removeRule(policy: Policy, rule: Rule, base: Policy): Policy {
  const before = base.rules.filter((one) => isAlike(one, rule) && !one.enforced);
  const rules = policy.rules.flatMap((one) => (isAlike(one, rule) ? before.splice(0, 1) : [one]));
  return { ...policy, rules };
}

const rulesRecipe = (title: string, text: string, ...added: Rule[]): Recipe => ({
  title,
  text,
  add: (policy) => added.reduce(addRule, policy),
  remove: (policy, base) => added.reduce((rest, rule) => removeRule(rest, rule, base), policy),
});

/** The name, with a number if another rule has it. */
function freeName(name: string, rules: Rule[]): string {
  const taken = rules.map((rule) => rule.name);
  let number = 2;
  while (taken.includes(`${name} ${number}`)) number += 1;
  return taken.includes(name) ? `${name} ${number}` : name;
}

const WORKFLOWS = ['.github/**'];
/** Where the commonest package managers keep what a project depends on. */
const DEPENDENCIES = ['package.json', 'package-lock.json', 'pnpm-lock.yaml', 'yarn.lock', 'go.mod', 'go.sum'];

const TOUCH: Partial<Rule['require']> = {
  methods: ['passkey', 'security-key'],
  userVerification: 'required',
};

/** The recipes, in the order in which the page offers them. */
export const RECIPES: Recipe[] = [
  rulesRecipe(
    'A team with agents',
    "The person who asks an agent for a change can't approve it: two other people have to.",
    ruleOf(
      'Two people for what agents wrote',
      { agents: true },
      { approvals: 2, notBy: ['author', 'initiator'] },
    ),
  ),
  rulesRecipe(
    'Alone with agents',
    'You approve what your agents wrote, and changes of workflows, with a touch that no agent with your token can make.',
    ruleOf('A touch for what agents wrote', { agents: true }, TOUCH),
    ruleOf('A touch for workflows', { paths: WORKFLOWS }, TOUCH),
  ),
  rulesRecipe(
    'Dependency updates',
    'Updates by Dependabot or Renovate alone need no approval, once we know who pushed them: people have time for the rest.',
    ruleOf(
      'Dependency updates',
      { paths: DEPENDENCIES.map((name) => `**/${name}`), authors: ['dependabot[bot]', 'renovate[bot]'] },
      { approvals: 0 },
    ),
  ),
  rulesRecipe(
    'Two people for workflows',
    "Workflows can read a repository's secrets, so a change of a file in .github needs 2 approvals.",
    ruleOf('Two people for workflows', { paths: WORKFLOWS }, { approvals: 2 }),
  ),
  rulesRecipe(
    'Nobody approves their own pull request',
    "The author's own approval doesn't count, nor that of the person who asked an agent for it.",
    ruleOf('Nobody approves their own pull request', {}, { notBy: ['author', 'initiator'] }),
  ),
  {
    title: 'Passkeys and security keys only',
    text: "Codes from an authenticator app don't count.",
    add(policy) {
      const { methods } = policy.assurance;
      if (!methods.includes('totp')) return policy;
      const signing = methods.filter((method) => method !== 'totp');
      return withMethods(policy, signing.length > 0 ? signing : ['passkey', 'security-key']);
    },
    remove(policy, { assurance: { methods } }) {
      return withMethods(policy, methods.includes('totp') ? methods : ['totp', ...methods]);
    },
  },
  {
    title: 'Vouched enrolment',
    text: 'A first authenticator counts once an owner vouches for it.',
    add(policy) {
      if (policy.enrolment.mode === 'vouched') return policy;
      return { ...policy, enrolment: { ...policy.enrolment, mode: 'vouched' } };
    },
    remove(policy, { enrolment }) {
      const mode = enrolment.mode === 'vouched' ? 'open' : enrolment.mode;
      return { ...policy, enrolment: { ...policy.enrolment, mode } };
    },
  },
];

const withMethods = (policy: Policy, methods: Policy['assurance']['methods']): Policy => ({
  ...policy,
  assurance: { ...policy.assurance, methods },
});
