import { isTeam } from '../../../../../src/contract/accounts.ts';
import type { Rule } from '../../../../../src/contract/policy.ts';
import type {
  AssurancePreviewAnswer,
  PolicyPreviewAnswer,
  RuleApprovers,
} from '../../../../../src/contract/policy-calls.ts';
import { listWords } from '../../../../../src/contract/rule-words.ts';
import type { Loaded } from '../../../lib/react/use-client.ts';

/** Says who could approve now, and couldn't with these conditions. */
export function previewText({ enrolled, without, logins }: AssurancePreviewAnswer): string {
  if (without === 0) return 'Every member who can approve now still could.';
  if (enrolled === 1) return `The only member who can approve now couldn't: ${logins.join(', ')}.`;
  const more = without > logins.length ? ` and ${without - logins.length} more` : '';
  return `Of ${enrolled} members who can approve now, ${without} couldn't: ${logins.join(', ')}${more}.`;
}

/** Says which open pull requests a preview judged, or why it judged none. */
export function judgedText(preview: Loaded<PolicyPreviewAnswer>): string {
  if (preview.status === 'awaiting') return 'Testing on the open pull requests.';
  if (preview.status === 'failed') return `The open pull requests can't be tested now. ${preview.text}`;
  const { open, judged } = preview.value;
  if (open === 0) return 'No pull request is open now, so there is nothing to test on.';
  if (judged === 0) return 'None of the open pull requests could be tested now.';
  if (open === 1) return 'Tested on the open pull request.';
  return `Tested on ${judged < open ? `${judged} of ${open}` : `the ${judged}`} open pull requests.`;
}

/** Says what a previewed policy would change for the pull requests that were judged; empty if nothing is known. */
export function verdictsText(preview: Loaded<PolicyPreviewAnswer>, at: number): string {
  if (preview.status !== 'ok' || preview.value.judged === 0) return '';
  const found = preview.value.policies[at];
  if (!found) return '';
  const { wait, pass } = found;
  if (wait + pass === 0) return 'None is affected.';
  const waiting =
    wait === 0
      ? 'None would have to wait.'
      : `${wait === 1 ? '1 pull request that passes' : `${wait} pull requests that pass`} now would have to wait.`;
  const passing =
    pass === 0
      ? 'None would start to pass.'
      : `${pass === 1 ? '1 that waits' : `${pass} that wait`} now would pass.`;
  return `${waiting} ${passing}`;
}

/** Says what a previewed policy would change, and on which pull requests it was tested. */
export const testedText = (preview: Loaded<PolicyPreviewAnswer>, at: number): string =>
  `${judgedText(preview)} ${verdictsText(preview, at)}`.replace('. None is', ': none is').trim();

/** Names the people who can meet a rule, or says what keeps everyone from it. */
export function approversText({ require }: Rule, { canBeMet, able, logins }: RuleApprovers): string {
  const { approvals, from, permission, notBy } = require;
  const left = able - logins.length;
  const known = [...logins, ...(left > 0 ? [`${left} more`] : [])];
  if (canBeMet === 'no') {
    return able === 0
      ? 'Nobody can meet this rule: no one that it names has an authenticator that it accepts.'
      : `Nobody can meet this rule: it needs ${approvals} approvals, and only ${listWords(known, 'and')} can give one.`;
  }
  // Members of a team are among all members.
  const others = from.includes('members')
    ? []
    : from.filter((source) => isTeam(source) || source === 'collaborators').map(groupText);
  const isTight = notBy.length > 0 && others.length === 0 && able <= approvals;
  return [
    `Can approve${permission ? ` with ${permission} permission` : ''}: ${listWords([...known, ...others], 'and')}.`,
    ...(canBeMet === 'unknown' ? ["We can't tell whether they are enough."] : []),
    ...(isTight
      ? [`Just enough: it can't be met where ${able === 1 ? logins[0] : 'one of them'} doesn't count.`]
      : []),
  ].join(' ');
}

const groupText = (source: string) => (isTeam(source) ? `members of ${source}` : 'outside collaborators');

/** Says how many of the rules nobody can meet. */
export function meetableText(rules: RuleApprovers[]): string {
  const never = rules.filter(({ canBeMet }) => canBeMet === 'no').length;
  if (rules.length === 1)
    return never === 1 ? 'Nobody can meet the rule.' : 'The rule can be met, as far as we know.';
  if (never === 0) return `Each of the ${rules.length} rules can be met, as far as we know.`;
  return `Nobody can meet ${never} of the ${rules.length} rules.`;
}

/** Says which rules of a policy block nothing; empty if all are enforced. */
export function reportedText(rules: Rule[]): string {
  const names = rules.filter(({ enforced }) => !enforced).map(({ name }) => `“${name}”`);
  if (names.length === 0) return '';
  return names.length === 1
    ? `${names[0]} is only reported: it blocks nothing.`
    : `${names.length} rules are only reported and block nothing: ${listWords(names, 'and')}.`;
}

/** Says what is required where no rule applies. */
export const DEFAULT_TEXT =
  'Every pull request and every deployment must meet all enforced rules that apply to it. If none applies, it needs 1 approval from any member.';
