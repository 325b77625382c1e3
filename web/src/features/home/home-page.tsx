import type { ReactNode } from 'react';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { JustDone } from '../../components/just-done.tsx';
import { useClient, usePageContext, useSessionProblem, useSessionState } from '../../lib/use-client.ts';
import styles from './account.module.css';
import { AccountPanel } from './account-panel.tsx';

/** `/`: the inbox (`children`), and the signed-in person's account. */
export function HomePage({ children }: { children: ReactNode }) {
  const info = knownInfoMessage(usePageContext().info);
  return (
    <div className={styles.home}>
      <HomeBanner />
      {info && <p role="status">{info}</p>}
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
      <Button look="secondary" onClick={() => void session.refresh()}>
        Try again
      </Button>
    </Banner>
  );
}

/** The messages that the product passes in the `info` parameter. */
const KNOWN_MESSAGES: readonly string[] = [
  'Thanks for connecting to GitHub! Please refresh in a few minutes to see your repositories',
  'Connect your first repository with GitHub',
  'Successfully set image',
  'Successfully edited authenticator',
];

/** The `info` parameter if it's one of our messages, else null: anyone can write a link with another text. */
const knownInfoMessage = (info: string): string | null => (KNOWN_MESSAGES.includes(info) ? info : null);
