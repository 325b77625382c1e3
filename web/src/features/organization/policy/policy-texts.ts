import type {
  AssurancePreviewAnswer,
  PolicyPreviewAnswer,
} from '../../../../../src/contract/policy-calls.ts';
import type { Loaded } from '../../../lib/react/use-client.ts';

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
export const DEFAULT_TEXT = 'A pull request that no enforced rule applies to needs 1 approval from a member.';
