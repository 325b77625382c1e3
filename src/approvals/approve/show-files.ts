import type { ListedFile, ShownFiles } from '../../contract/approvals.ts';
import type { Policy } from '../../contract/policy.ts';
import { eachPath, isAbout, MOST_STEPS } from '../../policies/details-to-read.ts';
import { createGlobs } from '../../policies/globs.ts';
import { systemSleep } from '../../shared/clock.ts';
import { sha256 } from '../../shared/crypto.ts';
import type { HeadDeps } from '../deps.ts';
import type { FileList, PullRequest } from '../ports.ts';
import { limitPatches, MOST_PATCH_CHARACTERS, marksOf } from './file-marks.ts';

/**
 * How long a page waits for the list of files when it has everything else: too short to be felt while it opens, and short
 * after a press, which waits for the prompt. Nobody waits for the whole list of an open page.
 */
const PATIENCE_MS = { first: 250, soon: 2_000 };
/** More files aren't shown with the rules that name them. */
const MOST_MARKED = 300;

/** The changed files for the page, with the rules whose paths they match; null if GitHub doesn't list them in time. */
export async function showFiles(
  { sleep = systemSleep }: Pick<HeadDeps, 'sleep'>,
  { pull, files }: { pull: PullRequest; files: Promise<FileList | null> },
  {
    list,
    policy,
    mostPatchCharacters = MOST_PATCH_CHARACTERS,
  }: { list: 'first' | 'soon' | 'all'; policy: Policy; mostPatchCharacters?: number },
): Promise<ShownFiles | null> {
  const tooLate = async (ms: number) => sleep(ms).then(() => null);
  const fileList = await (list === 'all' ? files : Promise.race([files, tooLate(PATIENCE_MS[list])]));
  if (!fileList) return null;
  const rules = policy.rules.flatMap((rule) =>
    rule.when.paths && isAbout(rule, pull) !== 'no'
      ? [{ name: rule.name, globs: createGlobs(rule.when.paths) }]
      : [],
  );
  // A rule is also about the path that a renamed file had.
  const paths = fileList.files.slice(0, MOST_MARKED).flatMap(pathsOf);
  const named = new Map<string, string[]>();
  await eachPath(paths, MOST_STEPS, (names, work) => {
    const matching = rules.filter(({ globs }) => globs(names, work) === 'yes');
    named.set(
      names.join('/'),
      matching.map(({ name }) => name),
    );
  });
  const rulesOf = (file: ListedFile) => [...new Set(pathsOf(file).flatMap((path) => named.get(path) ?? []))];
  const withRules = fileList.files.map((file) => ({ ...file, rules: rulesOf(file) }));
  const ruled = limitPatches(withRules, mostPatchCharacters);
  return {
    listed: ruled.map((file) => ({ ...file, marks: marksOf(file), anchor: anchorOf(file.path) })),
    total: pull.size?.files ?? fileList.files.length,
    isComplete: fileList.isOf(pull),
  };
}

const pathsOf = ({ path, previousPath }: ListedFile): string[] =>
  previousPath === null ? [path] : [path, previousPath];

const anchorOf = (path: string): string => Buffer.from(sha256(path)).toString('hex');
