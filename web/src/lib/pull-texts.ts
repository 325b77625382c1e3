import type { RuleOutcome } from '../../../src/contract/approvals.ts';

/** The number of files and lines that a pull request changes, such as `3 files, +10 −2`. */
export const sizeText = (size: { files: number; additions: number; deletions: number }) =>
  `${size.files === 1 ? '1 file' : `${size.files} files`}, +${size.additions} \u2212${size.deletions}`;

/** The approvals that a rule has or lacks. */
export function outcomeText({ met, approvals, by, missing }: RuleOutcome): string {
  if (!met) return missing;
  return approvals === 0 ? 'Needs no approval.' : `Met by ${by.join(', ')}.`;
}
