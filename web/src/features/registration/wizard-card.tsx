import type { ReactNode } from 'react';
import { Card } from '../../components/card.tsx';
import { ActionLink } from '../../components/controls.tsx';
import { SessionFailedCard } from '../../components/load-failure.tsx';
import { SecurityImages } from '../../components/security-images.tsx';
import { StepUp } from '../../components/step-up.tsx';
import { Steps } from '../../components/steps.tsx';
import { SkeletonLine } from '../../components/text.tsx';
import { WrongPerson } from '../../components/wrong-person.tsx';
import { useStepFocus } from '../../lib/react/use-step-focus.ts';
import type { NamedOrganization } from '../../lib/session/user.ts';
import { NO_AUTHENTICATORS } from '../../lib/signing/step-up.ts';
import { CompanyAddressStep } from './company-address-step.tsx';
import type { Wizard } from './use-wizard.ts';
import type { WizardState } from './wizard.ts';

type Props = {
  title: string;
  organization: NamedOrganization;
  wizard: Wizard;
  /** True if the form needs a wide card. */
  wide?: boolean;
  /** The form that registers. */
  children: ReactNode;
};

const STEPS: Partial<Record<WizardState, 'Authenticate' | 'Address'>> = {
  authenticating: 'Authenticate',
  authenticateTOTP: 'Authenticate',
  confirmingAddress: 'Address',
};

/** A registration's card: the current step. */
export function WizardCard({ title, organization, wizard, wide = false, children }: Props) {
  const { state, ownAuthenticators, failed, refusal, enrolment, companyAddress, stepUp, setProof } = wizard;
  const step = STEPS[state] ?? 'Register';
  const panel = useStepFocus<HTMLDivElement>(step);

  if (failed) return <SessionFailedCard title={title} />;
  if (refusal) return <WrongPerson title={title} refusal={refusal} />;
  if (state === 'unknown' || !ownAuthenticators) return <Loading title={title} />;
  if (state === 'needsAuthenticator') return <NeedsAuthenticator title={title} />;

  const { totp, webauthn } = ownAuthenticators;
  const hasAuthenticator = totp || webauthn.length > 0;
  const isByAddress = !hasAuthenticator && enrolment?.mode === 'email';
  const firstStep = isByAddress ? 'Address' : 'Authenticate';
  return (
    <Card title={title} wide={wide}>
      {(hasAuthenticator || isByAddress) && <Steps steps={[firstStep, 'Register']} current={step} />}
      <div ref={panel} className="stack" tabIndex={-1}>
        {step === 'Register' && (
          <>
            <SecurityImages />
            {children}
          </>
        )}
        {step === 'Address' && enrolment && (
          <CompanyAddressStep
            companyAddress={companyAddress}
            org={organization.org}
            domains={enrolment.domains}
          />
        )}
        {step === 'Authenticate' && (
          <StepUp
            stepUp={stepUp}
            ownAuthenticators={ownAuthenticators}
            onProof={setProof}
            error={stepUp.error}
          >
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
    <SkeletonLine like="A guess at the length of the first step, which depends on the authenticators here." />
  </Card>
);

const NeedsAuthenticator = ({ title }: { title: string }) => (
  <Card title={title} banner={NO_AUTHENTICATORS}>
    <ActionLink to="/register">Register an authenticator</ActionLink>
  </Card>
);
