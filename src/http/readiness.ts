import { systemClock } from '../clock.ts';
import { createExpiringMap } from '../expiring-map.ts';

/** Why the product can't take work now; null if it can. */
export type Readiness = () => Promise<string | null>;

/** GitHub is asked at most every half minute, so that a probe doesn't cost a request each time. */
const GITHUB_CHECK_MS = 30_000;
/** Everyone who asks within two seconds gets the same answer. */
const ANSWER_MS = 2_000;

/**
 * Checks the record store and GitHub. Assumes that GitHub has just accepted the
 * App's credentials.
 *
 * @param deps.checkStore Rejects if the record store doesn't answer.
 * @param deps.checkGitHub Rejects with a sentence if GitHub doesn't accept the App.
 */
export function createReadiness(deps: {
  checkStore(): Promise<unknown>;
  checkGitHub(): Promise<unknown>;
}): Readiness {
  const answers = createExpiringMap<Promise<string | null>>(systemClock);
  const githubAnswers = createExpiringMap<true>(systemClock);
  githubAnswers.set('accepted', true, GITHUB_CHECK_MS);

  return () => {
    const recent = answers.get('latest');
    if (recent !== undefined) return recent;
    const answer = check();
    answers.set('latest', answer, ANSWER_MS);
    return answer;
  };

  async function check(): Promise<string | null> {
    try {
      await deps.checkStore();
    } catch {
      return 'The record store does not answer.';
    }
    if (githubAnswers.get('accepted')) return null;
    try {
      await deps.checkGitHub();
      githubAnswers.set('accepted', true, GITHUB_CHECK_MS);
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  }
}
