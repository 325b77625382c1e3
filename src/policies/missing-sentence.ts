import type { Assurance, Rule } from '../contract/policy.ts';
import {
  approvalsWords,
  conditionWords,
  listWords,
  methodWords,
  sourceWords,
} from '../contract/rule-words.ts';
import type { NotBy } from './excluded.ts';

// Every sentence that says what a pull request lacks. They're plain text, and contain nothing that a stranger chose.

type Lack = {
  /** How many approvals are missing. */
  lacking: number;
  /** Those to exclude whom OTP Guard doesn't all know. */
  unknown: NotBy[];
  /** Whether it's known that the rule applies. */
  isCertain: boolean;
};

/** What is missing for a rule, and who can give it. */
export function missingSentence({ require }: Rule, { lacking, unknown, isCertain }: Lack): string {
  const needed = `${approvalsWords(lacking, 'more ')} from ${sourceWords(require.from, lacking)}`;
  return `Needs ${needed}${conditionWords(require)}${extraWords(unknown)}${isCertain ? '' : DOUBT}.`;
}

/** What is missing if no enforced rule is known to apply. */
export function missingForSeed({ methods, userVerification }: Assurance, isLimited: boolean): string {
  const verified = userVerification === 'required' ? ', with user verification' : '';
  return `Needs 1 approval from a member${isLimited ? `, with ${methodWords(methods)}` : ''}${verified}.`;
}

/** A missing sentence for a person whose approval counts already, without the period: `1 more is needed, from an owner`. */
export const stillMissing = (missing: string): string =>
  missing
    .replace(/^Needs (\d+) (?:more )?approvals? from/, (_, lacking) =>
      lacking === '1' ? '1 more is needed, from' : `${lacking} more are needed, from`,
    )
    .replace(/\.$/, '');

const extraWords = (unknown: NotBy[]) =>
  unknown.length === 0
    ? ''
    : `; one more than usual because OTP Guard doesn't know ${listWords(
        unknown.map((who) => unknownWords[who]),
        'or',
      )}`;

const unknownWords = {
  author: 'who opened the pull request',
  committers: 'who wrote each commit',
  pusher: 'who pushed its head',
} as const satisfies Record<NotBy, string>;

const DOUBT = "; OTP Guard doesn't know enough about the pull request to rule out that this applies";
