import { systemClock } from '../clock.ts';
import { createExpiringMap } from '../expiring-map.ts';

/** Whether the product can take work now; the text says why not, or what an operator should look at. */
export type Readiness = () => Promise<{ isReady: boolean; text: string }>;

/** GitHub is asked at most every half minute, so that a probe doesn't cost a request each time. */
const GITHUB_CHECK_MS = 30_000;
/** Everyone who asks within two seconds gets the same answer. */
const ANSWER_MS = 2_000;

const SILENT = "ok, but GitHub's webhooks don't arrive. Checks are late; see the log.";
const LATE = 'ok, but there is no daily backup of the last day; see the log.';

/**
 * Checks the record store and GitHub. Assumes that GitHub has just accepted the
 * App's credentials.
 *
 * @param deps.checkStore Rejects if the record store doesn't answer.
 * @param deps.checkGitHub Rejects with a sentence if GitHub doesn't accept the App.
 * @param deps.areWebhooksSilent No reason to stop sending people here: reconciliations and looks at green heads go on.
 * @param deps.isBackupLate No such reason either.
 */
export function createReadiness(deps: {
  checkStore(): Promise<unknown>;
  checkGitHub(): Promise<unknown>;
  areWebhooksSilent(): Promise<boolean>;
  isBackupLate(): Promise<boolean>;
}): Readiness {
  const answers = createExpiringMap<ReturnType<Readiness>>(systemClock);
  const githubAnswers = createExpiringMap<true>(systemClock);
  githubAnswers.set('accepted', true, GITHUB_CHECK_MS);

  return () => {
    const recent = answers.get('latest');
    if (recent !== undefined) return recent;
    const answer = describe();
    answers.set('latest', answer, ANSWER_MS);
    return answer;
  };

  async function describe(): ReturnType<Readiness> {
    const reason = await check();
    if (reason !== null) return { isReady: false, text: reason };
    const isSilent = await deps.areWebhooksSilent().catch(() => false);
    if (isSilent) return { isReady: true, text: SILENT };
    const isLate = await deps.isBackupLate().catch(() => false);
    return { isReady: true, text: isLate ? LATE : 'ok' };
  }

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
