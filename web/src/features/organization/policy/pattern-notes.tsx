import { useEffect, useState } from 'react';
import { type PatternKind, patternFault } from '../../../../../src/contract/patterns.ts';
import type { Rule } from '../../../../../src/contract/policy.ts';
import type { PatternMatchesAnswer } from '../../../../../src/contract/policy-calls.ts';
import { useClient } from '../../../lib/react/use-client.ts';
import type { Organization } from '../../../lib/session/user.ts';
import styles from './policy.module.css';
import { PatternText } from './policy-words.tsx';

/** Patterns of environments and refs aren't compared with anything. */
type Kind = Parameters<typeof patternFault>[0];

type Props = {
  kind: Kind;
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
      <p className="quiet" role="status">
        {text}
      </p>
      {warnings.length > 0 && (
        <ul className={`stack gap-1 quiet ${styles.warnings}`}>
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

function warningsOf(kind: Kind, pattern: string, matches: Props['matches']): string[] {
  const fault = patternFault(kind, pattern);
  if (fault) return [`\`${pattern}\` matches nothing. ${fault}`];
  const isAtTop = kind === 'paths' && /[*?]/.test(pattern) && pattern !== '**' && !pattern.includes('/');
  const field = matches === 'failed' ? null : fieldOf(kind, matches);
  const isUnmatched = field && field.of > 0 && field.unmatched.includes(pattern);
  return [
    ...(isAtTop
      ? [`\`${pattern}\` matches files at the top alone. For those in folders too, write \`**/${pattern}\`.`]
      : []),
    ...(isUnmatched ? [`\`${pattern}\` matches none of them.`] : []),
  ];
}

const fieldOf = (kind: Kind, matches: PatternMatchesAnswer | null) =>
  kind === 'environments' || kind === 'refs' ? null : matches?.[kind];

function matchesText(kind: Kind, matches: Props['matches']): string {
  if (matches === 'failed') return "The waiting pull requests can't be compared now.";
  const field = fieldOf(kind, matches);
  if (!field || !matches) return '';
  const { of, matching, first } = field;
  if (of === 0) return 'No pull request waits that it could be compared with.';
  const looked = matches.waiting > of ? ` that we looked at, of ${matches.waiting}` : '';
  const named = first.map(({ repo, pr }) => `${repo} #${pr}`).join(', ');
  const more = matching > first.length ? ' and others' : '';
  return `Matches ${matching} of ${of} waiting ${of === 1 ? 'pull request' : 'pull requests'}${looked}${named && `: ${named}`}${more}.`;
}

/** The pause after the last keystroke before the server is asked. */
const PAUSE_MS = 700;

const KINDS: PatternKind[] = ['repositories', 'branches', 'paths'];

/**
 * Which waiting pull requests the patterns of a rule match: null while that isn't known, `failed` if it can't be known
 * now. Asks a moment after the person stopped typing, and only about patterns that a name can match.
 */
export function usePatternMatches(
  { orgId, name }: Organization,
  when: Rule['when'],
  isShown: boolean,
): PatternMatchesAnswer | 'failed' | null {
  const { api, session } = useClient();
  const [known, setKnown] = useState<{ of: string; answer: PatternMatchesAnswer | 'failed' } | null>(null);
  const lists = KINDS.flatMap((kind) => {
    const usable = (when[kind] ?? []).filter((pattern) => !patternFault(kind, pattern));
    return usable.length > 0 ? [[kind, usable]] : [];
  });
  const wanted = isShown && lists.length > 0 ? JSON.stringify(Object.fromEntries(lists)) : null;

  useEffect(() => {
    if (wanted === null) return;
    let isStale = false;
    const ask = async () => {
      const body = { org: name, orgID: orgId, accessToken: session.accessToken(), ...JSON.parse(wanted) };
      const answer = await api.post('/github-match-patterns', body).catch(() => null);
      if (!isStale) setKnown({ of: wanted, answer: answer ?? 'failed' });
    };
    const timer = setTimeout(() => void ask(), PAUSE_MS);
    return () => {
      isStale = true;
      clearTimeout(timer);
    };
  }, [api, session, orgId, name, wanted]);

  return known && known.of === wanted ? known.answer : null;
}
