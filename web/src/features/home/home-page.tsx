import { type ReactNode, useId } from 'react';
import { useNavigate } from 'react-router-dom';
import { Avatar } from '../../components/avatar.tsx';
import card from '../../components/card.module.css';
import { Banner } from '../../components/card.tsx';
import { GithubLink, InternalLink, SecondaryButton } from '../../components/controls.tsx';
import { JustDone } from '../../components/just-done.tsx';
import { SecurityImage } from '../../components/security-image.tsx';
import { Label } from '../../components/text.tsx';
import type { PageState } from '../../lib/address/page-state.ts';
import { sentenceOf } from '../../lib/api/api-client.ts';
import { useAction } from '../../lib/react/use-action.ts';
import { useClient, useSessionProblem, useSessionState, useUser } from '../../lib/react/use-client.ts';
import { forget } from '../../lib/session/logout.ts';
import { countAuthenticators, type User } from '../../lib/session/user.ts';
import styles from './account.module.css';
import { OrganizationList } from './organization-list.tsx';

/** `/`: the inbox (`children`), and the signed-in person's account. */
export function HomePage({ children }: { children: ReactNode }) {
  return (
    <div className={`stack ${styles.home}`}>
      <HomeBanner />
      <JustDone />
      {children}
      <AccountPanel />
    </div>
  );
}

function HomeBanner() {
  const { session } = useClient();
  const state = useSessionState();
  const problem = useSessionProblem();
  if (state.status !== 'signed-in' || state.fresh !== 'failed') return null;
  return (
    <Banner text={problem}>
      <SecondaryButton onClick={() => void session.refresh()}>Try again</SecondaryButton>
    </Banner>
  );
}

/** The signed-in person's account and organizations, next to the inbox. */
function AccountPanel() {
  const user = useUser();
  const id = useId();
  return (
    <section className={card.card} aria-labelledby={id}>
      <h2 id={id} className={styles.title}>
        Account
      </h2>
      <div className="row gap-3">
        <Avatar login={user.username} src={user.avatar} />
        <p>
          Signed in as <strong>{user.username}</strong>
        </p>
      </div>
      <AccountLinks user={user} />
      <OrganizationList user={user} />
      <SignOutEverywhere />
    </section>
  );
}

/** Links to a person's authenticators, e-mail address and security image, each with its current state. */
function AccountLinks({ user }: { user: User }) {
  const registered = countAuthenticators(user);
  return (
    <ul>
      <AccountLink to="/authenticators" text="My Authenticators">
        {registered === 0 ? 'None' : `${registered} registered`}
      </AccountLink>
      <AccountLink to="/email" text="E-mail">
        {user.email ? <Label text={user.email} /> : 'Not set'}
      </AccountLink>
      <AccountLink to="/image" text="Security image">
        {user.image ? (
          <>
            <span className="visually-hidden">Set</span>
            <SecurityImage image={user.image} size="small" />
          </>
        ) : (
          'Not set'
        )}
      </AccountLink>
    </ul>
  );
}

const AccountLink = ({ to, text, children }: { to: string; text: string; children: ReactNode }) => (
  <li className={`between ${styles.row}`}>
    <InternalLink to={to}>{text}</InternalLink>
    <span className={styles.quiet}>{children}</span>
  </li>
);

/**
 * Ends all of the person's sessions, as *Logout* does, and says where to end those on GitHub. Only the server's answer
 * is a confirmation: without one the person stays signed in, and reads that they are.
 */
function SignOutEverywhere() {
  const client = useClient();
  const { pending, error, run } = useAction();
  const navigate = useNavigate();
  const press = () =>
    run(
      async () => {
        await client.api.post('/logout', {});
        void navigate('/', { replace: true, state: { signedOut: true } satisfies PageState });
        forget(client);
      },
      (cause) => `You're still signed in.\n${sentenceOf(cause)}`,
    );
  return (
    <section className="stack gap-3 divided" aria-labelledby="sessions">
      <h3 id="sessions">Sessions</h3>
      <p>
        Signing out ends your OTP Guard sessions on every device. You stay signed in to GitHub.{' '}
        <GithubLink href={`${client.config.github}/settings/sessions`}>Sign out there, too</GithubLink>.
      </p>
      {error && <Banner text={error} />}
      <SecondaryButton busy={pending} onClick={() => void press()}>
        Sign out everywhere
      </SecondaryButton>
    </section>
  );
}
