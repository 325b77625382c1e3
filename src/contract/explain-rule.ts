import type { Rule } from './policy.ts';
import { approvalsWords, conditionWords, listWords, sourceWords } from './rule-words.ts';

/**
 * What a rule means, for the people who write it: "Pull requests into `main` of `web` that touch
 * `.github/` need 2 approvals from @acme/security." Patterns are between backquotes.
 */
export function explainRule(rule: Rule): string {
  const text = `Pull requests${subject(rule)} ${demand(rule)}.`;
  return rule.enforced ? text : `${text} For now this is only reported.`;
}

function subject({ when, require }: Rule): string {
  const isWithout = require.approvals === 0;
  return [
    when.branches && ` into ${patterns(when.branches)}`,
    when.repositories && ` of ${patterns(when.repositories)}`,
    authorWords(when.authors, isWithout),
    when.paths && ` that touch ${isWithout ? 'nothing but ' : ''}${patterns(when.paths)}`,
  ]
    .filter(Boolean)
    .join('');
}

const patterns = (globs: string[]) => listWords(globs.map((glob) => `\`${glob}\``));

function authorWords(authors: Rule['when']['authors'], isWithout: boolean): string {
  if (authors === 'anyone') return '';
  const only = isWithout ? ' alone' : '';
  if (authors === 'machines') return ` by GitHub Apps or bots${only}`;
  if (authors === 'people') return ` by people${only}`;
  return ` by ${listWords(authors)}${only}`;
}

function demand({ require }: Rule): string {
  const { approvals, from } = require;
  if (approvals > 0)
    return `need ${approvalsWords(approvals)} from ${sourceWords(from, approvals)}${conditionWords(require)}`;
  return (
    'need no approval, if it is known who opened and pushed them and who wrote each commit, ' +
    'and GitHub verified the signature of each commit'
  );
}
