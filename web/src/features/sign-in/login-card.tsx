import { useEffect, useState } from 'react';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Icon } from '../../components/icon.tsx';
import { useClient } from '../../lib/use-client.ts';
import { Authenticating } from './authenticating.tsx';
import { beginSignIn } from './begin.ts';
import { githubMark } from './github-mark.ts';

type Props = {
  /** The path of the dashboard to come back to. */
  returnTo: string;
  /** Why the person has to sign in (again), where there is a reason. */
  error?: string | null;
};

/** The one button that leads to GitHub and back to where the person was. */
export function LoginCard({ returnTo, error: reason = null }: Props) {
  const client = useClient();
  const [status, setStatus] = useState<'awaiting' | 'pending'>('awaiting');
  const [error, setError] = useState(reason);

  // The browser's back button brings this page back as it was left: on its way to GitHub.
  useEffect(() => {
    const onShow = (event: PageTransitionEvent) => {
      if (event.persisted) setStatus('awaiting');
    };
    window.addEventListener('pageshow', onShow);
    return () => window.removeEventListener('pageshow', onShow);
  }, []);

  const begin = async () => {
    setError(null);
    setStatus('pending');
    try {
      window.location.assign(await beginSignIn(client, returnTo));
    } catch (cause) {
      setError(cause instanceof Error ? cause.message : `Unknown error: ${cause}`);
      setStatus('awaiting');
    }
  };

  if (status === 'pending') return <Authenticating />;
  return (
    <Card title="Sign in" banner={error && <Banner text={error} />}>
      <p>OTP Guard asks for your passkey before a pull request is merged.</p>
      <Button onClick={() => void begin()}>
        <Icon outline={githubMark} />
        Authenticate with GitHub
      </Button>
    </Card>
  );
}
