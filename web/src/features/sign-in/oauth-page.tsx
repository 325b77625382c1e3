import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useClient } from '../../lib/use-client.ts';
import { Authenticating } from './authenticating.tsx';
import { finishSignIn, type SignInOutcome } from './finish.ts';
import { LoginCard } from './login-card.tsx';

/** Where GitHub sends the person back to, with a code or with the reason why not. */
export function OauthPage() {
  const finish = useFinishOnce(useLocation().search);
  const navigate = useNavigate();
  const [failure, setFailure] = useState<SignInOutcome | null>(null);

  useEffect(() => {
    // The code leaves the address, and with it the history, before anything else happens.
    void navigate('/oauth', { replace: true });
    void finish().then((outcome) => {
      if (outcome.error) setFailure(outcome);
      else void navigate(outcome.returnTo, { replace: true });
    });
  }, [finish, navigate]);

  if (!failure) return <Authenticating />;
  return <LoginCard returnTo={failure.returnTo} error={failure.error} />;
}

/** A code serves once, and React may run an effect twice: both runs get the one outcome. */
function useFinishOnce(search: string) {
  const client = useClient();
  const [finish] = useState(() => {
    let outcome: Promise<SignInOutcome> | undefined;
    return () => {
      outcome ??= finishSignIn(client, search);
      return outcome;
    };
  });
  return finish;
}
