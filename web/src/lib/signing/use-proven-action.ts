import { sentenceOf } from '../api/api-client.ts';
import { useAction } from '../react/use-action.ts';
import { useUser } from '../react/use-client.ts';
import { authenticatorsOf } from '../session/user.ts';
import { isProofRefused, type Proof } from './step-up.ts';
import { useStepUp } from './use-step-up.ts';

/** An action that needs a proof with an authenticator. `form` is for `StepUp`; a refused proof leads back to it. */
export function useProvenAction(
  action: Parameters<typeof useStepUp>[0] & { orgID: string },
  send: (proof: Proof) => Promise<void>,
  check?: Parameters<typeof useStepUp>[1],
) {
  const { pending, error, run } = useAction();
  const stepUp = useStepUp(action, check);
  const ownAuthenticators = authenticatorsOf(useUser(), action.orgID);
  const explain = (cause: unknown) => {
    if (!isProofRefused(cause)) return sentenceOf(cause);
    stepUp.refuse(cause);
    return null;
  };
  const onProof = (proof: Proof) => void run(() => send(proof), explain);
  return { pending, form: { stepUp, ownAuthenticators, onProof, error: error ?? stepUp.error } };
}
