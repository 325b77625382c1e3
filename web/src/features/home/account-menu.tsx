import { type RefObject, useEffect, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { ActionError } from '../../components/action-error.tsx';
import card from '../../components/card.module.css';
import { GithubLink, SecondaryButton } from '../../components/controls.tsx';
import type { PageState } from '../../lib/address/page-state.ts';
import { sentenceOf } from '../../lib/api/api-client.ts';
import { useAction } from '../../lib/react/use-action.ts';
import { useClient } from '../../lib/react/use-client.ts';
import { forget, logout } from '../../lib/session/logout.ts';
import styles from './account.module.css';
import { Account } from './account.tsx';

type Props = {
  /** Opens and closes the menu. */
  button: RefObject<HTMLButtonElement | null>;
  close: (openedAt: null) => void;
};

/**
 * The menu under the person's picture: their account, and the ways to sign out. Escape and a press or focus outside
 * close it, and the focus returns to the button unless it's elsewhere.
 */
export default function AccountMenu({ button, close }: Props) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const leave = ({ target }: Event) => {
      const isInside = [panel, button].some(({ current }) => current?.contains(target as Node));
      if (!isInside) close(null);
    };
    const press = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') close(null);
    };
    const listening = new AbortController();
    const { signal } = listening;
    for (const name of ['pointerdown', 'focusin']) document.addEventListener(name, leave, { signal });
    document.addEventListener('keydown', press, { signal });
    return () => {
      listening.abort();
      if (document.activeElement === document.body) button.current?.focus();
    };
  }, [button, close]);
  return (
    <div ref={panel} className={`${card.card} ${styles.menu}`}>
      <Account />
      <SignOut />
    </div>
  );
}

/**
 * *Logout* ends the session here, even if the server doesn't answer. *Sign out everywhere* is done only once the server
 * confirms it: without an answer the person stays signed in, and reads that they are.
 */
function SignOut() {
  const client = useClient();
  const { pending, error, run } = useAction();
  const navigate = useNavigate();
  const everywhere = () =>
    run(
      async () => {
        await client.api.post('/logout', {});
        void navigate('/', { replace: true, state: { signedOut: true } satisfies PageState });
        forget(client);
      },
      (cause) => `You're still signed in.\n${sentenceOf(cause)}`,
    );
  const leave = () => run(() => logout(client));
  return (
    <div className="stack gap-2 divided">
      <ActionError text={error} />
      <div className="buttons">
        <SecondaryButton busy={pending} onClick={() => void leave()}>
          Logout
        </SecondaryButton>
        <SecondaryButton busy={pending} onClick={() => void everywhere()}>
          Sign out everywhere
        </SecondaryButton>
      </div>
      <p className="quiet">
        Everywhere means your OTP Guard sessions on every device. You stay signed in to GitHub.{' '}
        <GithubLink href={`${client.config.github}/settings/sessions`}>Sign out there, too</GithubLink>.
      </p>
    </div>
  );
}
