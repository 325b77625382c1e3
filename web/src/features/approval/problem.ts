import { ApiError, NO_ANSWER } from '../../lib/api-client.ts';
import type { Config } from '../../lib/config.ts';
import { readLivePull } from '../../lib/github.ts';
import { webauthnSentence } from '../../lib/webauthn-errors.ts';
import { StatementRefused } from './request.ts';
import type { Target } from './target.ts';

/** Why there is no approval yet, and what stands in the place of the button. */
export type Problem = {
  text: string;
  next:
    | { kind: 'approve' }
    /** The same once more, with what is on the screen: only the answer was missing. */
    | { kind: 'again' }
    | { kind: 'reload' }
    | { kind: 'register' }
    | { kind: 'new-head'; head: string }
    | { kind: 'leave' };
};

/** Whoever did not answer, an approval that is stored stays, and one that is not can be given again. */
const NOTHING_LOST = 'OTP Guard did not answer. Nothing is lost: check your connection, then try again.';

type Deps = { config: Config; accessToken: () => string };

/** `shown` is whether something to approve is on the screen: then the same button tries again. */
type Input = { target: Target; error: unknown; shown: boolean };

/** The problem that an error is for the person; null when there is nothing to say. */
export async function toProblem(deps: Deps, { target, error, shown }: Input): Promise<Problem | null> {
  if (error instanceof StatementRefused) return { text: error.message, next: { kind: 'reload' } };
  if (error instanceof ApiError) {
    const text = error.message === NO_ANSWER ? NOTHING_LOST : error.message;
    return { text, next: await afterRefusal(deps, { target, error, shown }) };
  }
  const text = webauthnSentence(error, 'authentication');
  return text === null ? null : { text, next: { kind: 'approve' } };
}

async function afterRefusal(
  deps: Deps,
  { target, error, shown }: Input & { error: ApiError },
): Promise<Problem['next']> {
  if (error.message === 'missing authenticator') return { kind: 'register' };
  if (error.status !== 409) {
    if (!shown) return { kind: 'reload' };
    return { kind: error.status === 0 || error.status >= 500 ? 'again' : 'approve' };
  }
  const live = await readLivePull(deps.config, deps.accessToken(), target);
  if (!live?.open) return { kind: 'leave' };
  // The same head, and still a conflict: its base branch is another one now.
  return live.head === target.head ? { kind: 'reload' } : { kind: 'new-head', head: live.head };
}
