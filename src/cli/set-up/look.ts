import { systemClock } from '../../clock.ts';
import { createExpiringMap } from '../../expiring-map.ts';
import { isComplete, type SetUpProduct, type SetUpState } from './progress.ts';

/** A page in several tabs asks every other second, and GitHub and the record store shouldn't be asked each time. */
const FRESH_MS = 3_000;

/** Reads the product's state, at most once in three seconds. A failure isn't kept. */
export function createLook({ readState }: Pick<SetUpProduct, 'readState'>): () => Promise<SetUpState> {
  const answers = createExpiringMap<Promise<SetUpState>>(systemClock);
  return () => {
    const recent = answers.get('state');
    if (recent !== undefined) return recent;
    const answer = readState();
    answers.set('state', answer, FRESH_MS);
    answer.catch(() => answers.delete('state'));
    return answer;
  };
}

/** Another text whenever the page would look different. */
export const versionOf = (state: SetUpState): string =>
  isComplete(state)
    ? 'done'
    : [
        state.account?.org ? 'stored' : state.account ? 'installed' : 'none',
        state.hasWebhook && 'webhook',
        state.hasOwner && 'owner',
        state.enrolment.mode,
        state.enrolment.isChosen && 'chosen',
        state.isRequired && 'required',
        state.hasPull && 'pull',
      ]
        .filter(Boolean)
        .join('-');
