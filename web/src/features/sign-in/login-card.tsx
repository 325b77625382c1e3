import { useEffect, useState } from 'react';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Icon } from '../../components/icon.tsx';
import { JustDone } from '../../components/just-done.tsx';
import { signedOutText } from '../../lib/just-done.ts';
import { recordStoreOf } from '../../lib/record-store.ts';
import { useClient } from '../../lib/use-client.ts';
import { Authenticating } from './authenticating.tsx';
import { githubIcon } from './github-icon.ts';
import { pullOfPath } from './pull-of-path.ts';
import { startSignIn } from './start-sign-in.ts';
import { wrongClock } from './wrong-clock.ts';

type Props = {
  /** The path of the dashboard to return to. */
  returnTo: string;
  /** Why the person has to sign in again, if there is a reason. */
  error?: string | null;
};

/** Signs the person in with GitHub and returns them to the page they opened. */
export function LoginCard({ returnTo, error: reason = null }: Props) {
  const client = useClient();
  const [status, setStatus] = useState<'awaiting' | 'pending'>('awaiting');
  const [error, setError] = useState(reason);

  const pull = pullOfPath(returnTo);

  // Only a sign-in that didn't last makes the clock suspicious.
  useEffect(() => {
    if (reason !== null) void wrongClock(client).then((text) => text && setError(text));
  }, [client, reason]);

  // The browser's back button restores this page with its pending state.
  useEffect(() => {
    const onShow = (event: PageTransitionEvent) => {
      if (event.persisted) setStatus('awaiting');
    };
    window.addEventListener('pageshow', onShow);
    return () => window.removeEventListener('pageshow', onShow);
  }, []);

  const start = async () => {
    setError(null);
    setStatus('pending');
    try {
      window.location.assign(await startSignIn({ ...client, store: recordStoreOf(client) }, returnTo));
    } catch (cause) {
      setError(cause instanceof Error ? cause.message : `Unknown error: ${cause}`);
      setStatus('awaiting');
    }
  };

  if (status === 'pending') return <Authenticating />;
  return (
    <Card title="Sign in" banner={error && <Banner text={error} />}>
      <JustDone read={signedOutText} />
      <p>Approve pull requests with your passkey, security key or authenticator app.</p>
      {pull && <p>You'll continue with {pull}.</p>}
      <Button onClick={() => void start()}>
        <Icon path={githubIcon} />
        Authenticate with GitHub
      </Button>
    </Card>
  );
}
