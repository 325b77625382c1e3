import type { Rule } from '../contract/policy.ts';
import type { PullFacts, RuledPull } from './facts.ts';
import { createGlobs } from './globs.ts';
import { everyAuthorMatches, someAuthorMatches } from './match-authors.ts';
import { isAbout } from './needed-facts.ts';
import { anyOf, both, either, isTrue, type Ternary } from './ternary.ts';

/**
 * Whether a rule applies to a pull request. A rule that asks for approvals
 * applies if a part of the pull request matches, and maybe if that isn't known.
 * One that asks for none applies only if all of it is known to match.
 */
export function applies(rule: Rule, pull: RuledPull, facts: PullFacts): Ternary {
  const about = isAbout(rule, pull);
  if (about === 'no') return 'no';
  if (rule.require.approvals === 0)
    return isTrue(
      about === 'yes' && everyAuthorMatches(rule.when.authors, pull, facts) && isWithin(rule, facts),
    );
  return both(about, both(someAuthorMatches(rule.when.authors, pull, facts), touches(rule, facts)));
}

/** Whether the pull request changes a file that the rule names. */
function touches({ when: { paths } }: Rule, { files }: PullFacts): Ternary {
  if (!paths) return 'yes';
  const known = anyOf(files?.paths ?? [], createGlobs(paths));
  return either(known, files?.isComplete ? 'no' : 'maybe');
}

/** Whether it changes nothing but such files. */
function isWithin({ when: { paths } }: Rule, { files }: PullFacts): boolean {
  if (!paths) return true;
  const globs = createGlobs(paths);
  return (
    files?.isComplete === true && files.paths.length > 0 && files.paths.every((path) => globs(path) === 'yes')
  );
}
