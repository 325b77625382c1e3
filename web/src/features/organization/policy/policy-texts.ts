import { authenticatorKinds } from '../../../../../src/contract/authenticator-kinds.ts';
import type { Policy, Rule } from '../../../../../src/contract/policy.ts';
import type {
  AssurancePreviewAnswer,
  PolicyPreviewAnswer,
} from '../../../../../src/contract/policy-calls.ts';
import { explainRule, listWords } from '../../../../../src/contract/rule-words.ts';
import type { Loaded } from '../../../lib/use-client.ts';

/** Says what a person's first authenticator in the organization needs. */
export function enrolmentText({ mode, domains, vouchers, vouchExistingBy }: Policy['enrolment']): string {
  if (mode === 'email') {
    return `It needs a code from an e-mail address at ${listWords(domains) || 'a domain that is still missing'}.`;
  }
  if (mode === 'open') return 'A GitHub sign-in is enough to register it.';
  const by = vouchers === 'owners' ? 'an owner' : 'a member';
  const existing = vouchExistingBy
    ? ` From ${vouchExistingBy} on, authenticators from before need that too.`
    : '';
  return `It counts once ${by} with a passkey or security key has vouched for it.${existing}`;
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

/** Says who could approve now, and couldn't with these conditions. */
export function previewText({ enrolled, without, logins }: AssurancePreviewAnswer): string {
  if (without === 0) return 'Every member who can approve now still could.';
  if (enrolled === 1) return `The only member who can approve now couldn't: ${logins.join(', ')}.`;
  const more = without > logins.length ? ` and ${without - logins.length} more` : '';
  return `Of ${enrolled} members who can approve now, ${without} couldn't: ${logins.join(', ')}${more}.`;
}

/** Says which open pull requests a preview judged; empty while that isn't known. */
export function judgedText(preview: Loaded<PolicyPreviewAnswer>): string {
  if (preview.status === 'awaiting') return 'Judging the open pull requests.';
  if (preview.status === 'failed') return `The open pull requests can't be judged now. ${preview.text}`;
  const { open, judged } = preview.value;
  if (open === 0) return 'No pull request is open now, so there is nothing to judge.';
  if (judged === 0) return 'None of the open pull requests could be judged now.';
  if (open === 1) return 'Previewed over 1 open pull request, as it is now.';
  const which = judged < open ? `${judged} of ${open} open pull requests` : `${judged} open pull requests`;
  return `Previewed over ${which}, as they are now.`;
}

/** Says what a previewed policy would change for the pull requests that were judged; empty if nothing is known. */
export function verdictsText(preview: Loaded<PolicyPreviewAnswer>, at: number): string {
  if (preview.status !== 'ok' || preview.value.judged === 0) return '';
  const found = preview.value.policies[at];
  if (!found) return '';
  const { wait, pass } = found;
  if (wait + pass === 0) {
    return `Changes nothing for ${preview.value.judged === 1 ? 'this pull request' : 'these pull requests'}.`;
  }
  return `${wait} would wait that ${wait === 1 ? 'passes' : 'pass'} now, ${pass} the other way round.`;
}

/** Says what is required where no rule applies. */
export const SEED_TEXT = 'A pull request that no enforced rule applies to needs 1 approval from a member.';

/** Says what a rule requires; the page adds whether the rule is enforced. Patterns are between backquotes. */
export const ruleText = (rule: Rule): string => explainRule({ ...rule, enforced: true });
