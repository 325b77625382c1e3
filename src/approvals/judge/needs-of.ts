import { listWords } from '../../contract/rule-words.ts';
import type { Lack } from '../../organizations/ports.ts';
import { excludedPeople } from '../../policies/counts.ts';
import { NO_FACTS } from '../../policies/facts.ts';
import { stillMissing } from '../../policies/judge-rules.ts';
import type { Grounds, JudgedPull, Verdict } from './judge.ts';

/**
 * What the check of a head still waits for, as one sentence in plain text about one of its pull requests; null if the
 * check passes. It names who can give what is missing, and who approved so far.
 */
export function needsOf({ passed, pulls }: Verdict, pr: number): string | null {
  if (passed) return null;
  const own = pulls.find(({ pull }) => pull.number === pr);
  if (own && !own.passed) return lackOf(own);
  const others = pulls.filter((judged) => !judged.passed).map(({ pull }) => `#${pull.number}`);
  if (others.length === 0) return "OTP Guard doesn't see an open pull request with this commit now.";
  const names = listWords(others, 'and');
  return others.length === 1
    ? `The check waits for ${names} too, which has the same commit and isn't approved yet.`
    : `The check waits for ${names} too, which have the same commit and aren't approved yet.`;
}

function lackOf({ rules, approvals }: JudgedPull): string {
  const lacks = rules
    .filter(({ enforced, met }) => enforced && !met)
    .map(({ missing }) => stillMissing(missing));
  const logins = [...new Set(approvals.map(({ login }) => login))];
  const soFar = logins.length > 0 ? [`${listWords(logins, 'and')} approved so far`] : [];
  return `${[...lacks, ...soFar].join('; ')}.`;
}

/** The enforced rules that a pull request doesn't meet, with the facts that later decide for whom it waits. */
export function lacksOf({ pull, rules }: JudgedPull, { policy, facts }: Grounds): Lack[] {
  const about = { pull, facts: facts.get(pull.number) ?? NO_FACTS };
  return rules
    .filter(({ enforced, met }) => enforced && !met)
    .map(({ name, missing, approvals, counted }) => {
      const rule = policy.rules.find((one) => one.name === name);
      return {
        rule: name,
        missing,
        lacking: approvals - counted.length,
        counted: counted.map(({ githubId }) => githubId),
        excluded: rule ? excludedPeople(rule, about) : [],
      };
    });
}
