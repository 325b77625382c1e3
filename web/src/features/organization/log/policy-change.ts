import type { ActivityData } from '../../../../../src/contract/activity.ts';
import type { Rule } from '../../../../../src/contract/policy.ts';
import { assuranceText, enrolmentText, ruleText } from '../policy/policy-texts.ts';
import type { Part } from './entry.ts';

type Changed = Pick<ActivityData, 'before' | 'after' | 'reordered' | 'omitted'>;

/** Lists the differences between two policies, one change each, to be read after "changed the policy". */
export function policyChanges({ before, after, reordered, omitted = 0 }: Changed): Part[][] {
  const earlier = before?.rules ?? [];
  const later = after?.rules ?? [];
  const names = [...new Set([...earlier, ...later].map(({ name }) => name))];
  return [
    ...(after?.enrolment
      ? [['first authenticator: ', { name: withoutStop(enrolmentText(after.enrolment)) }]]
      : []),
    ...(after?.assurance ? [['what counts: ', { name: withoutStop(assuranceText(after.assurance)) }]] : []),
    ...names.map((name) => ruleChange(named(earlier, name), named(later, name))),
    ...(reordered ? [['changed the order of the rules']] : []),
    ...(omitted > 0 ? [[omitted === 1 ? 'changed 1 more rule' : `changed ${omitted} more rules`]] : []),
  ];
}

const named = (rules: Rule[], wanted: string) => rules.find(({ name }) => name === wanted);

function ruleChange(before: Rule | undefined, after: Rule | undefined): Part[] {
  if (!after)
    return ['removed the rule ', ...quoted(before?.name ?? ''), ...(before ? explained(before) : [])];
  if (!before) return ['added the rule ', ...quoted(after.name), ...mode(after), ...explained(after)];
  if (ruleText(before) === ruleText(after)) return modeChange(before, after);
  return [
    'changed the rule ',
    ...quoted(after.name),
    ...mode(after),
    ' from “',
    ...sentence(before),
    '” to “',
    ...sentence(after),
    '”',
  ];
}

function modeChange(before: Rule, after: Rule): Part[] {
  if (before.enforced === after.enforced)
    return ['changed the rule ', ...quoted(after.name), ...explained(after)];
  return [after.enforced ? 'enforced the rule ' : 'stopped enforcing the rule ', ...quoted(after.name)];
}

const quoted = (name: string): Part[] => ['“', { name }, '”'];
const mode = ({ enforced }: Rule) => (enforced ? [] : [', reported only']);
/** Another change may follow after a semicolon. */
const withoutStop = (text: string) => text.replace(/\.$/, '');
const explained = (rule: Rule): Part[] => [': ', ...sentence(rule)];

/** A rule's sentence, whose patterns are between backquotes. */
const sentence = (rule: Rule): Part[] =>
  withoutStop(ruleText(rule))
    .split('`')
    .map((text, place) => (place % 2 === 1 ? { code: text } : { name: text }));
