import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { GithubLink } from '../../components/github-link.tsx';
import { logout } from '../../lib/logout.ts';
import { useClient } from '../../lib/use-client.ts';
import styles from './account.module.css';

/** Ends all of the person's sessions, as *Logout* does, and says where to end those on GitHub. */
export function SignOutEverywhere() {
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const press = () => {
    setBusy(true);
    void logout(client).finally(() => setBusy(false));
  };
  return (
    <section className={styles.sessions} aria-labelledby="sessions">
      <h3 id="sessions">Sessions</h3>
      <p>
        Signing out ends your OTP Guard sessions on every device. Your GitHub session goes on:{' '}
        <GithubLink href={`${client.config.github}/settings/sessions`}>end it on GitHub</GithubLink>.
      </p>
      <Button look="secondary" busy={busy} onClick={press}>
        Sign out everywhere
      </Button>
    </section>
  );
}
