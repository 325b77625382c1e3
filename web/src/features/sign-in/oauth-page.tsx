import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { recordStoreOf } from '../../lib/record-store.ts';
import { useClient } from '../../lib/use-client.ts';
import { Authenticating } from './authenticating.tsx';
import { completeSignIn, type SignInOutcome } from './complete-sign-in.ts';
import { LoginCard } from './login-card.tsx';

/** `/oauth`: GitHub sends the person here with a code, or with the reason for a failure. */
export function OauthPage() {
  const complete = useCompleteOnce(useLocation().search);
  const navigate = useNavigate();
  const [failure, setFailure] = useState<SignInOutcome | null>(null);

  useEffect(() => {
    // First of all, removes the code from the address and the history.
    void navigate('/oauth', { replace: true });
    void complete().then((outcome) => {
      if (outcome.error) setFailure(outcome);
      else void navigate(outcome.returnTo, { replace: true });
    });
  }, [complete, navigate]);

  if (!failure) return <Authenticating />;
  return <LoginCard returnTo={failure.returnTo} error={failure.error} />;
}

/** GitHub accepts a code once and React may run an effect twice, so both runs share one outcome. */
function useCompleteOnce(search: string) {
  const client = useClient();
  const [complete] = useState(() => {
    let outcome: Promise<SignInOutcome> | undefined;
    return () => {
      outcome ??= completeSignIn({ ...client, store: recordStoreOf(client) }, search);
      return outcome;
    };
  });
  return complete;
}
