import type { ReactNode } from 'react';
import { Banner } from '../../components/banner.tsx';
import { actionLink, Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { InternalLink } from '../../components/internal-link.tsx';
import { SecurityImages } from '../../components/security-images.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { StepUp } from '../../components/step-up.tsx';
import { Timeline } from '../../components/timeline.tsx';
import { NO_ANSWER } from '../../lib/api-client.ts';
import { NO_AUTHENTICATORS } from '../../lib/step-up.ts';
import { useClient } from '../../lib/use-client.ts';
import { useStepFocus } from '../../lib/use-step-focus.ts';
import type { Organization } from './organization.ts';
import styles from './registration.module.css';
import type { Wizard } from './use-wizard.ts';

type Props = {
  title: string;
  organization: Organization;
  wizard: Wizard;
  /** Why the registration itself failed. */
  error: string | null;
  /** The form that registers. */
  children: ReactNode;
};

const STEPS = ['Authenticate', 'Register'];

/** A registration's card: the current step, and what went wrong in it. */
export function WizardCard({ title, organization, wizard, error, children }: Props) {
  const { state, ownAuthenticators, failed, stepUp, setProof } = wizard;
  const isRegistering = state === 'registering';
  const step = isRegistering ? 'Register' : 'Authenticate';
  const panel = useStepFocus<HTMLDivElement>(step);

  if (failed) return <NoAnswer title={title} />;
  if (state === 'unknown' || !ownAuthenticators) return <Loading title={title} />;
  if (state === 'needsAuthenticator') return <NeedsAuthenticator title={title} />;

  const { totp, webauthn } = ownAuthenticators;
  const text = isRegistering ? error : stepUp.error;
  return (
    <Card title={title} banner={text && <Banner text={text} />}>
      {(totp || webauthn.length > 0) && <Timeline steps={STEPS} current={step} />}
      <div ref={panel} className={styles.step} tabIndex={-1}>
        {isRegistering ? (
          <>
            <SecurityImages />
            {children}
          </>
        ) : (
          <StepUp stepUp={stepUp} ownAuthenticators={ownAuthenticators} onProof={setProof}>
            You already have an authenticator for <strong>{organization.org}</strong>. Confirm with it before
            you register another.
          </StepUp>
        )}
      </div>
    </Card>
  );
}

const Loading = ({ title }: { title: string }) => (
  <Card title={title} busy>
    <p>
      <Skeleton like="A guess at the length of the first step, which depends on the authenticators here." />
    </p>
  </Card>
);

function NoAnswer({ title }: { title: string }) {
  const { session } = useClient();
  return (
    <Card title={title} banner={<Banner text={NO_ANSWER} />}>
      <Button onClick={() => void session.refresh()}>Try again</Button>
    </Card>
  );
}

const NeedsAuthenticator = ({ title }: { title: string }) => (
  <Card title={title} banner={<Banner text={NO_AUTHENTICATORS} />}>
    <InternalLink className={actionLink} to="/register">
      Register an authenticator
    </InternalLink>
  </Card>
);
