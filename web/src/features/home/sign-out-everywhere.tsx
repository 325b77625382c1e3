import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { GithubLink } from '../../components/github-link.tsx';
import { sentenceOf } from '../../lib/api-client.ts';
import { SIGNED_OUT } from '../../lib/just-done.ts';
import { forget } from '../../lib/logout.ts';
import { useClient } from '../../lib/use-client.ts';
import styles from './account.module.css';

/**
 * Ends all of the person's sessions, as *Logout* does, and says where to end those on GitHub. Only the server's answer
 * is a confirmation: without one the person stays signed in, and reads that they are.
 */
export function SignOutEverywhere() {
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const navigate = useNavigate();
  const press = async () => {
    setBusy(true);
    setError(null);
    try {
      await client.api.post('/logout', {});
      void navigate('/', { replace: true, state: SIGNED_OUT });
      forget(client);
    } catch (cause) {
      setError(`You're still signed in.\n${sentenceOf(cause)}`);
      setBusy(false);
    }
  };
  return (
    <section className={styles.sessions} aria-labelledby="sessions">
      <h3 id="sessions">Sessions</h3>
      <p>
        Signing out ends your OTP Guard sessions on every device. Your GitHub session goes on:{' '}
        <GithubLink href={`${client.config.github}/settings/sessions`}>end it on GitHub</GithubLink>.
      </p>
      {error && <Banner text={error} />}
      <Button look="secondary" busy={busy} onClick={() => void press()}>
        Sign out everywhere
      </Button>
    </section>
  );
}
