import type { BatchAnswer, BatchItem, FileMark, ShownFiles } from '../../../../src/contract/approvals.ts';

export const pullRequests = (count: number) => (count === 1 ? '1 pull request' : `${count} pull requests`);

/** The identity of a row: into another base branch, it's another change. */
export const keyOf = ({ statement: { repo, pr, base } }: BatchItem) => `${repo.id}-${pr}-${base}`;

/** What the page calls it, such as `octo-org/hello #7`. */
export const nameOf = ({ statement: { repo, pr } }: BatchItem) => `${repo.name} #${pr}`;

/** The strong marks of its files, each once. */
export function strongMarks(files: ShownFiles | null): FileMark[] {
  const strong = files?.listed.flatMap(({ marks }) => marks).filter(({ isStrong }) => isStrong) ?? [];
  return strong.filter(({ name }, index) => strong.findIndex((mark) => mark.name === name) === index);
}

/** Why a person has to open a pull request before they approve it, in the words of the button. */
const REASONS = ['a workflow', 'other marks', 'unlisted files'] as const;
type Reason = (typeof REASONS)[number];

/** Null if nothing is special about the files. If some aren't listed, one of them may be a workflow. */
export function reasonToLook(files: ShownFiles | null): Reason | null {
  const marks = strongMarks(files);
  if (marks.some(({ name }) => name === 'Workflow')) return 'a workflow';
  if (marks.length > 0) return 'other marks';
  return files?.isComplete ? null : 'unlisted files';
}

/** The name of the button, such as `Approve 3 (1 with a workflow)`. */
export function approveText(reasons: (Reason | null)[]): string {
  const special = REASONS.map((reason) => ({ reason, count: reasons.filter((one) => one === reason).length }))
    .filter(({ count }) => count > 0)
    .map(({ reason, count }) => `${count} with ${reason}`);
  if (special.length === 0) return `Approve ${pullRequests(reasons.length)} with passkey`;
  return `Approve ${reasons.length} (${special.join(', ')})`;
}

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
