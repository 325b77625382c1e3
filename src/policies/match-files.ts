import type { Policy } from '../contract/policy.ts';
import type { ChangedFiles, FileMatches, RuledPull } from './facts.ts';
import { createGlobs, MOST_STEPS_OF_A_PATH } from './globs.ts';
import { isAbout } from './needed-facts.ts';
import { either, isTrue, type Ternary } from './ternary.ts';

/** The files of one pull request may take so many steps with all rules: about a tenth of a second in all. */
export const MOST_STEPS = 30_000_000;

/**
 * Whether the changed files match the paths of each rule about the pull request. Between two files it lets other work
 * go first, if it took a few milliseconds since it did. Beyond `most` steps the other files may match.
 */
export async function matchFiles(
  { rules }: Pick<Policy, 'rules'>,
  pull: Pick<RuledPull, 'repo' | 'base'>,
  { paths, isComplete }: ChangedFiles,
  most = MOST_STEPS,
): Promise<FileMatches> {
  const asked = rules.flatMap((rule) => {
    const { name, when, require } = rule;
    if (!when.paths || isAbout(rule, pull) === 'no') return [];
    const needsAll = require.approvals === 0;
    const start: Ternary = needsAll ? isTrue(isComplete && paths.length > 0) : isComplete ? 'no' : 'maybe';
    return [{ name, needsAll, globs: createGlobs(when.paths), matches: start }];
  });
  let left = most;
  let pauseAt = left - MOST_STEPS_OF_A_PATH;
  for (const path of paths) {
    const work = { steps: Math.min(left, MOST_STEPS_OF_A_PATH) };
    const before = work.steps;
    const names = path.split('/');
    for (const one of asked) {
      if (one.needsAll ? one.matches === 'no' : one.matches === 'yes') continue;
      const match = one.globs(names, work);
      one.matches = one.needsAll ? isTrue(match === 'yes') : either(one.matches, match);
    }
    left -= before - work.steps;
    if (left > pauseAt) continue;
    pauseAt = left - MOST_STEPS_OF_A_PATH;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return new Map(asked.map(({ name, matches }) => [name, matches]));
}
