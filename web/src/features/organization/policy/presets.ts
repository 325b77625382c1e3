import type { Policy, Rule } from '../../../../../src/contract/policy.ts';

/** A common change of a policy, to begin with. */
type Preset = {
  title: string;
  /** Explains it in one line. */
  text: string;
  /** The policy with this change; the same object if it has it already. */
  add(policy: Policy): Policy;
  /** The policy without this change, with what `base` had instead. */
  remove(policy: Policy, base: Policy): Policy;
};

const ruleOf = (name: string, when: Partial<Rule['when']>, require: Partial<Rule['require']>): Rule => ({
  name,
  enforced: true,
  when: { ...when, authors: 'anyone' },
  require: { approvals: 1, from: ['members'], notBy: [], userVerification: 'preferred', ...require },
});

/** The names may differ. */
const isAlike = ({ when, require }: Rule, other: Rule) =>
  JSON.stringify([when, require]) === JSON.stringify([other.when, other.require]);

/** Adds an enforced rule, or enforces the existing rule that says the same. */
function rulePreset(text: string, rule: Rule): Preset {
  return {
    title: rule.name,
    text,
    add(policy) {
      const { rules } = policy;
      const alike = rules.find((one) => isAlike(one, rule));
      if (alike?.enforced) return policy;
      if (alike)
        return { ...policy, rules: rules.map((one) => (one === alike ? { ...one, enforced: true } : one)) };
      return { ...policy, rules: [...rules, { ...rule, name: freeName(rule.name, rules) }] };
    },
    remove(policy, base) {
      const before = base.rules.filter((one) => isAlike(one, rule) && !one.enforced);
      const rules = policy.rules.flatMap((one) => (isAlike(one, rule) ? before.splice(0, 1) : [one]));
      return { ...policy, rules };
    },
  };
}

/** The name, with a number if another rule has it. */
function freeName(name: string, rules: Rule[]): string {
  const taken = rules.map((rule) => rule.name);
  let number = 2;
  while (taken.includes(`${name} ${number}`)) number += 1;
  return taken.includes(name) ? `${name} ${number}` : name;
}

/** The presets, in the order in which the page offers them. */
export const PRESETS: Preset[] = [
  rulePreset(
    "The author's own approval doesn't count, nor that of the person who asked an agent for it.",
    ruleOf('Nobody approves their own pull request', {}, { notBy: ['author', 'initiator'] }),
  ),
  rulePreset(
    'A change of a file in .github needs 2 approvals.',
    ruleOf('Two people for workflows', { paths: ['.github/**'] }, { approvals: 2 }),
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
