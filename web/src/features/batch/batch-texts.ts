import type { BatchAnswer, PullSummary, RuleOutcome } from '../../../../src/contract/approvals.ts';

export const pullRequests = (count: number) => (count === 1 ? '1 pull request' : `${count} pull requests`);

export function resultTitle({ approved, left }: Pick<BatchAnswer, 'approved' | 'left'>): string {
  if (approved.length === 0) return 'Nothing was approved';
  return left.length === 0 ? 'Approved' : `Approved ${approved.length} of ${approved.length + left.length}`;
}

export function resultText({ approved, left }: Pick<BatchAnswer, 'approved' | 'left'>): string {
  if (approved.length === 0) return 'All of them changed since, so nothing was used up.';
  const done = `You approved ${pullRequests(approved.length)} with one signature.`;
  return left.length === 0
    ? done
    : `${done} ${left.length === 1 ? "One isn't" : `${left.length} aren't`} approved.`;
}

/** How much a pull request changes. */
export const sizeText = ({ files, additions, deletions }: NonNullable<PullSummary['size']>) =>
  `${files === 1 ? '1 file' : `${files} files`}, +${additions} −${deletions}`;

/** The approvals that a rule has or lacks. */
export function ruleText({ enforced, met, approvals, by, missing }: RuleOutcome): string {
  const outcome = met ? (approvals === 0 ? 'Needs no approval.' : `Met by ${by.join(', ')}.`) : missing;
  return enforced ? outcome : `(reported only) ${outcome}`;
}
