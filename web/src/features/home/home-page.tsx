import type { ReactNode } from 'react';
import card from '../../components/card.module.css';
import { Banner } from '../../components/card.tsx';
import { SecondaryButton } from '../../components/controls.tsx';
import { HiddenOrganizations } from '../../components/hidden-organizations.tsx';
import { JustDone } from '../../components/just-done.tsx';
import { useClient, useSessionProblem, useSessionState } from '../../lib/react/use-client.ts';
import { Account } from './account.tsx';
import styles from './home.module.css';

/** `/`: the inbox (`children`), and below it the signed-in person's account. */
export function HomePage({ children }: { children: ReactNode }) {
  return (
    <div className="stack">
      <HomeBanner />
      <JustDone />
      {children}
      <section className={`${card.card} ${styles.account}`} aria-label="Account">
        <Account />
        <HiddenOrganizations />
      </section>
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
