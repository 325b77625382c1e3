import type { PullSummary, RuleOutcome, ShownFiles } from '../../../src/contract/approvals.ts';

/** The number of files and lines that a pull request changes, such as `3 files, +10 −2`. */
export const sizeText = (size: { files: number; additions: number; deletions: number }) =>
  `${size.files === 1 ? '1 file' : `${size.files} files`}, +${size.additions} \u2212${size.deletions}`;

/** The approvals that a rule has or lacks. */
export function outcomeText({ met, approvals, by, missing }: RuleOutcome): string {
  if (!met) return missing;
  return approvals === 0 ? 'Needs no approval.' : `Met by ${by.join(', ')}.`;
}

export type ShownFile = ShownFiles['listed'][number];

/** More rows would be too slow on a phone, and the server names the rules of no more files. */
export const MOST_SHOWN = 300;

/** Tells whether a person should look at the file closely. */
export const isStrong = ({ marks }: ShownFile): boolean => marks.some((mark) => mark.isStrong);

/** Such as `12 changed files, 2 to look at closely`. */
export function filesTitle(files: ShownFiles | null, size: PullSummary['size']): string {
  const total = files?.total ?? size?.files;
  if (total === undefined) return 'Changed files';
  const strong = files?.listed.filter(isStrong).length ?? 0;
  const isCounted = files?.isComplete && total <= MOST_SHOWN;
  const look = strong === 0 ? '' : `, ${isCounted ? '' : 'at least '}${strong} to look at closely`;
  return `${total} changed ${total === 1 ? 'file' : 'files'}${look}`;
}
