import { useEffect, useState } from 'react';
import type { ApprovalParamsAnswer, ShownDenial } from '../../../../src/contract/approvals.ts';
import { whyNoReason } from '../../../../src/contract/reason.ts';
import { Button, SecondaryButton } from '../../components/controls.tsx';
import { ReasonField } from '../../components/reason-field.tsx';
import { StepUp } from '../../components/step-up.tsx';
import { useClient } from '../../lib/react/use-client.ts';
import { useStepFocus } from '../../lib/react/use-step-focus.ts';
import { announceApproval } from '../../lib/signing/sign-shown.ts';
import { useProvenAction } from '../../lib/signing/use-proven-action.ts';

export type SetAsideProps = {
  denial: Pick<ShownDenial, 'id' | 'login'>;
  target: ApprovalParamsAnswer['target'];
  /** Called when the form opens and when it closes: the page asks for one proof at a time. */
  onOpen: (isOpen: boolean) => void;
  /** Called once the page has to show that the denial is gone. */
  onDone: () => void;
};

/** Lets an owner set a denial of somebody else aside, with a reason of their own and a step-up. */
export default function SetAside({ denial: { id, login }, target, onOpen, onDone }: SetAsideProps) {
  const { api, session } = useClient();
  const [step, setStep] = useState<'closed' | 'reason' | 'confirm' | 'unreported'>('closed');
  const [reason, setReason] = useState('');
  const [isTried, setTried] = useState(false);
  const panel = useStepFocus<HTMLDivElement>(step);
  useEffect(() => {
    onOpen(step !== 'closed');
    return () => onOpen(false);
  }, [step, onOpen]);
  const org = { org: target.owner, orgID: String(target.ownerID) };
  const action = { type: 'set-aside-denial', denialID: id, ...org } as const;
  const { form } = useProvenAction(action, async ({ stepUp }) => {
    const body = { ...org, denial: id, reason: reason.trim(), stepUp, accessToken: session.accessToken() };
    const { reported } = await api.post('/set-aside-denial', body);
    announceApproval();
    if (!reported) return setStep('unreported');
    // The denial goes together with this form, which has the focus.
    document.querySelector('main')?.focus();
    onDone();
  });
  const next = () => {
    setTried(true);
    if (whyNoReason(reason.trim()) === null) setStep('confirm');
  };
  if (step === 'closed') {
    return (
      <div>
        <Button variant="link" onClick={() => setStep('reason')}>
          Set aside<span className="visually-hidden"> the denial of {login}</span>
        </Button>
      </div>
    );
  }
  return (
    <div ref={panel} className="stack" tabIndex={-1}>
      {step === 'reason' && (
        <>
          <ReasonField
            label={`Why do you set ${login}'s denial aside?`}
            hint={`Up to 500 characters. The log keeps them, and ${login} gets them by e-mail.`}
            reason={reason}
            onChange={setReason}
            isTried={isTried}
          />
          <SecondaryButton onClick={next}>Continue</SecondaryButton>
        </>
      )}
      {step === 'confirm' && (
        <StepUp {...form} variant="danger" isBelowImages>
          Before you set the denial aside, confirm that it's you. After that, the check can pass.
        </StepUp>
      )}
      {step === 'unreported' && (
        <p role="status">
          The denial is set aside. GitHub may still show it; we'll keep trying to update the check.
        </p>
      )}
      <div>
        <Button variant="link" onClick={step === 'unreported' ? onDone : () => setStep('closed')}>
          {step === 'unreported' ? 'Close' : 'Keep the denial'}
        </Button>
      </div>
    </div>
  );
}
