import type { ActivityData } from './activity.ts';
import { authenticatorKinds } from './authenticator-kinds.ts';
import { inParts, type Part } from './parts.ts';
import type { OwnAgents, Policy, Rule } from './policy.ts';
import { explainRule, listWords } from './rule-words.ts';

/** Says what a person's first authenticator in the organization needs. */
export function enrolmentText({ mode, domains, vouchers, vouchExistingBy }: Policy['enrolment']): string {
  if (mode === 'email') {
    return `It needs a code from an e-mail address at ${listWords(domains) || 'a domain that is still missing'}.`;
  }
  if (mode === 'open') return 'A GitHub sign-in is enough to register it.';
  const by = vouchers === 'owners' ? 'an owner' : 'a member';
  const earlier = vouchExistingBy
    ? ` From ${vouchExistingBy} on, existing authenticators need that too.`
    : '';
  return `It counts once ${by} with a passkey or security key has vouched for it.${earlier}`;
}

/** Says which authenticators count. */
export function assuranceText({
  methods,
  userVerification,
  deviceBound,
  models,
}: Policy['assurance']): string {
  if (methods.length === 0) return 'Nothing counts yet.';
  const counted = listWords(methods.map((method) => authenticatorKinds[method].title.toLowerCase()));
  const conditions = [
    ...(userVerification === 'required' ? ['that checks a PIN, fingerprint or face'] : []),
    ...(deviceBound ? ["that isn't synced"] : []),
    ...(models.length > 0 ? [`of ${models.length === 1 ? '1 model' : `${models.length} models`}`] : []),
  ];
  const which = methods.length === 3 ? 'Every authenticator' : `Every ${counted}`;
  return `${[which, conditions.join(' and ')].filter(Boolean).join(' ')} counts.`;
}

/** Names the organization's own agents. */
export const agentsText = ({ logins, emails }: OwnAgents): string =>
  listWords([...logins, ...emails], 'and') || 'none of its own';

type Changed = Pick<ActivityData, 'before' | 'after' | 'reordered' | 'omitted'>;

/** Lists the differences between two policies, one change each, to be read after "changed the policy". */
export function policyChanges({ before, after, reordered, omitted = 0 }: Changed): Part[][] {
  const earlier = before?.rules ?? [];
  const later = after?.rules ?? [];
  const names = [...new Set([...earlier, ...later].map(({ name }) => name))];
  return [
    ...(after?.enrolment
      ? [inParts`first authenticator: ${{ name: withoutStop(enrolmentText(after.enrolment)) }}`]
      : []),
    ...(after?.assurance
      ? [inParts`accepted authenticators: ${{ name: withoutStop(assuranceText(after.assurance)) }}`]
      : []),
    ...(after?.agents ? [inParts`agents: ${{ name: agentsText(after.agents) }}`] : []),
    ...names.map((name) => ruleChange(named(earlier, name), named(later, name))),
    ...(reordered ? [['changed the order of the rules']] : []),
    ...(omitted > 0 ? [[omitted === 1 ? 'changed 1 more rule' : `changed ${omitted} more rules`]] : []),
  ];
}

const named = (rules: Rule[], wanted: string) => rules.find(({ name }) => name === wanted);

function ruleChange(before: Rule | undefined, after: Rule | undefined): Part[] {
  if (!after)
    return inParts`removed the rule ${quoted(before?.name ?? '')}${before ? explained(before) : []}`;
  const name = quoted(after.name);
  if (!before) return inParts`added the rule ${name}${mode(after)}${explained(after)}`;
  if (explainRule(before) !== explainRule(after))
    return inParts`changed the rule ${name}${mode(after)} from “${sentence(before)}” to “${sentence(after)}”`;
  if (before.enforced === after.enforced) return inParts`changed the rule ${name}${explained(after)}`;
  return inParts`${after.enforced ? 'enforced the rule ' : 'stopped enforcing the rule '}${name}`;
}

const quoted = (name: string): Part[] => inParts`“${{ name }}”`;
const mode = ({ enforced }: Rule) => (enforced ? '' : ', reported only');
/** Another change may follow after a semicolon. */
const withoutStop = (text: string) => text.replace(/\.$/, '');
const explained = (rule: Rule): Part[] => inParts`: ${sentence(rule)}`;

/** A rule's sentence, whose patterns are between backquotes. */
const sentence = (rule: Rule): Part[] =>
  withoutStop(explainRule(rule))
    .split('`')
    .map((text, at) => (at % 2 === 1 ? { code: text } : { name: text }));
