import { type PatternKind, patternFault } from '../../../../../src/contract/patterns.ts';
import type { PatternMatchesAnswer } from '../../../../../src/contract/policy-calls.ts';
import { PatternText } from './pattern-text.tsx';
import styles from './policy.module.css';

type Props = {
  kind: PatternKind;
  patterns: readonly string[];
  /** Null while it isn't known. */
  matches: PatternMatchesAnswer | 'failed' | null;
};

/** Says what the patterns of a field match, and what is wrong with them. */
export function PatternNotes({ kind, patterns, matches }: Props) {
  const warnings = patterns.flatMap((pattern) => warningsOf(kind, pattern, matches));
  const text = patterns.length > 0 ? matchesText(kind, matches) : '';
  return (
    <>
      <p className={styles.quiet} role="status">
        {text}
      </p>
      {warnings.length > 0 && (
        <ul className={styles.warnings}>
          {warnings.map((warning) => (
            <li key={warning}>
              <PatternText text={warning} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function warningsOf(kind: PatternKind, pattern: string, matches: Props['matches']): string[] {
  const fault = patternFault(kind, pattern);
  if (fault) return [`\`${pattern}\` matches nothing. ${fault}`];
  const isAtTop = kind === 'paths' && /[*?]/.test(pattern) && pattern !== '**' && !pattern.includes('/');
  const field = matches === 'failed' ? null : matches?.[kind];
  const isUnmatched = field && field.of > 0 && field.unmatched.includes(pattern);
  return [
    ...(isAtTop
      ? [`\`${pattern}\` matches files at the top alone. For those in folders too, write \`**/${pattern}\`.`]
      : []),
    ...(isUnmatched ? [`\`${pattern}\` matches none of them.`] : []),
  ];
}

function matchesText(kind: PatternKind, matches: Props['matches']): string {
  if (matches === 'failed') return "The waiting pull requests can't be compared now.";
  const field = matches?.[kind];
  if (!field) return '';
  const { of, matching, first } = field;
  if (of === 0) return 'No pull request waits that it could be compared with.';
  const looked = matches.waiting > of ? ` that were looked at, of ${matches.waiting}` : '';
  const named = first.map(({ repo, pr }) => `${repo} #${pr}`).join(', ');
  const more = matching > first.length ? ' and others' : '';
  return `Matches ${matching} of ${of} waiting pull requests${looked}${named && `: ${named}`}${more}.`;
}
