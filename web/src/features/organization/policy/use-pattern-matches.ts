import { useEffect, useState } from 'react';
import { type PatternKind, patternFault } from '../../../../../src/contract/patterns.ts';
import type { Rule } from '../../../../../src/contract/policy.ts';
import type { PatternMatchesAnswer } from '../../../../../src/contract/policy-calls.ts';
import { useClient } from '../../../lib/use-client.ts';
import type { Organization } from '../../../lib/user.ts';

/** After the last keystroke. */
const PAUSE_MS = 700;

const KINDS: PatternKind[] = ['repositories', 'branches', 'paths'];

/**
 * Which waiting pull requests the patterns of a rule match: null while that isn't known, `failed` if it can't be known
 * now. Asks a moment after somebody stopped typing, and only about patterns that a name can match.
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
      const answer = await api.post<PatternMatchesAnswer>('/github-match-patterns', body).catch(() => null);
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
