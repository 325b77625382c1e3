import { useRef, useState } from 'react';
import type { VouchChallengeAnswer, WaitingAuthenticator } from '../../../../src/contract/enrolment.ts';
import { useAction } from '../react/use-action.ts';
import { useClient } from '../react/use-client.ts';
import { comparisonDigits, refuseVouchStatement } from './check-vouch-statement.ts';
import type { Status } from './sign-shown.ts';
import { useSignDeps } from './use-signing.ts';
import { useStepUp } from './use-step-up.ts';

type Target = { org: string; orgID: string; waiting: WaitingAuthenticator };

/** The error at the field for the digits that were heard, if they are those of another key. */
export const otherDigits = (login: string) =>
  `That isn't the code of this authenticator, so nothing was signed. Ask ${login} to read it again. ` +
  "If it stays another one, don't vouch: another person may have registered this authenticator.";

/** A vouch for an authenticator that is on the screen: by its holder for their other device, else by another person. */
export function useVouch({ org, orgID, waiting: { id, holder } }: Target) {
  const { session } = useClient();
  const { api, accessToken, signer } = useSignDeps();
  const heard = useRef<string>(undefined);
  const [isDone, setIsDone] = useState(false);
  const { pending, error, setError, run } = useAction();

  /** Refuses a statement that isn't about the page's holder, and one about another key than the holder's. */
  const check = async ({ options, statement, drawn }: VouchChallengeAnswer) => {
    const refusal = await refuseVouchStatement(options.challenge, statement, {
      ...signer,
      org: { id: Number(orgID), login: org },
      holder,
    });
    if (refusal !== null || heard.current === undefined) return refusal;
    return heard.current === (await comparisonDigits(statement, drawn)) ? null : otherDigits(holder.login);
  };
  const action = { type: 'vouch', org, orgID, authenticatorID: id } as const;
  const stepUp = useStepUp(action, check);

  /**
   * Signs that the authenticator is the holder's, and sends it. It counts then.
   *
   * @param digits The six that its holder read out; undefined for a person's own other device, which shows them too.
   */
  const sign = async (digits?: string) => {
    heard.current = digits;
    setError(null);
    const proof = await stepUp.proveByKey();
    if (!proof) return;
    const body = { org, orgID, authenticatorID: id, stepUp: proof.stepUp, accessToken: accessToken() };
    const isSent = await run(async () => void (await api.post('/github-vouch', body)));
    setIsDone(isSent);
    // For their other device, the person has one more that counts.
    if (isSent) void session.refresh();
  };
  const status: Status = pending ? 'pending' : stepUp.status;
  return {
    status: isDone ? ('complete' as const) : status,
    error: stepUp.error ?? error,
    sign: (digits?: string) => void sign(digits),
  };
}
