import type { BatchAnswer } from '../../../../src/contract/approvals.ts';

export const pullRequests = (count: number) => (count === 1 ? '1 pull request' : `${count} pull requests`);

/** Tells whether GitHub shows that the check passes with the approval. */
export const isPassed = ({ passed, reported }: BatchAnswer['approved'][number]) => passed && reported;

/** *Approved* are only those whose check passes. */
export function resultTitle({ approved, left }: BatchAnswer): string {
  if (approved.length === 0) return 'Nothing was approved';
  const all = approved.length + left.length;
  const passed = approved.filter(isPassed).length;
  if (passed === 0) return approved.length === 1 ? 'The check still waits' : 'The checks still wait';
  return passed === all ? 'Approved' : `Approved ${passed} of ${all}`;
}

export function resultText({ approved, left }: BatchAnswer): string {
  if (approved.length === 0) return 'None of them could be approved, so nothing was used up.';
  const waiting = approved.filter((one) => !isPassed(one)).length;
  const sentences = [
    `You approved ${pullRequests(approved.length)} with one signature.`,
    waiting > 0 && (waiting === 1 ? 'One check still waits.' : `${waiting} checks still wait.`),
    left.length > 0 && (left.length === 1 ? "One isn't approved." : `${left.length} aren't approved.`),
  ];
  return sentences.filter(Boolean).join(' ');
}
