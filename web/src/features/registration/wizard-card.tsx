import type { ReactNode } from 'react';
import { Banner } from '../../components/banner.tsx';
import { actionLink, Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { KeptLink } from '../../components/kept-link.tsx';
import { KnownImages } from '../../components/known-images.tsx';
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
  /** The step that registers. */
  children: ReactNode;
};

const STEPS = ['Authenticate', 'Register'];

/** A registration's card: the step that the person is at, and what went wrong there. */
export function WizardCard({ title, organization, wizard, error, children }: Props) {
  const { state, own, failed, stepUp, setProof } = wizard;
  const registering = state === 'registering';
  const step = registering ? 'Register' : 'Authenticate';
  const panel = useStepFocus<HTMLDivElement>(step);

  if (failed) return <NoAnswer title={title} />;
  if (state === 'unknown' || !own) return <Unknown title={title} />;
  if (state === 'needsAuthenticator') return <NeedsAuthenticator title={title} />;

  const text = registering ? error : stepUp.error;
  return (
    <Card title={title} banner={text && <Banner text={text} />}>
      {(own.totp || own.webauthn.length > 0) && <Timeline steps={STEPS} current={step} />}
      <div ref={panel} className={styles.step} tabIndex={-1}>
        {registering ? (
          <>
            <KnownImages />
            {children}
          </>
        ) : (
          <StepUp stepUp={stepUp} own={own} onProved={setProof}>
            You have an authenticator for <strong>{organization.org}</strong> already. Confirm with it before
            you register another.
          </StepUp>
        )}
      </div>
    </Card>
  );
}

const Unknown = ({ title }: { title: string }) => (
  <Card title={title} busy>
    <p>
      <Skeleton like="What comes next depends on the authenticators that you have here already." />
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
    <KeptLink className={actionLink} to="/register">
      Register an authenticator
    </KeptLink>
  </Card>
);
