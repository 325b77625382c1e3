import type { ReactNode } from 'react';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { JustDone } from '../../components/just-done.tsx';
import { knownInfoMessage } from '../../lib/info-message.ts';
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
