import { useLayoutEffect, useRef, useState } from 'react';
import type { ApprovalAnswer, WithdrawalAnswer } from '../../../../src/contract/approvals.ts';
import { Banner } from '../../components/card.tsx';
import { Button, GithubLink, SecondaryButton } from '../../components/controls.tsx';
import { sentenceOf } from '../../lib/api-client.ts';
import { pullAddress } from '../../lib/github.ts';
import { useClient, usePageContext } from '../../lib/use-client.ts';
import { useStepFocus } from '../../lib/use-step-focus.ts';
import styles from './approval.module.css';
import { readApprovalTarget } from './approval-target.ts';
import type { Finish } from './finish.ts';
import { CommitProofs, PassedPull, PullOver } from './pull-over.tsx';
import type { Approval } from './use-approval.ts';

type Props = { how: Finish; onWithdrawn: () => void; onReload: () => void } & Pick<
  Approval,
  'request' | 'answer'
>;

/** In place of the form, if there's nothing left to approve. It's seen by few, so it isn't part of the entry. */
export default function Finished({ how, request, answer, onWithdrawn, onReload }: Props) {
  switch (how) {
    case 'own':
      return <OwnApproval needs={request?.needs ?? null} onWithdrawn={onWithdrawn} onReload={onReload} />;
    case 'passed':
      return request && <PassedPull request={request} />;
    case 'waits':
      return answer && <StillWaits answer={answer} />;
    default:
      return <PullOver how={how} />;
  }
}

type OwnApprovalProps = {
  /** The condition that the check still waits for, as a sentence; null if it passes. */
  needs: string | null;
  onWithdrawn: () => void;
  onReload: () => void;
};

/** In place of the form: the person approved this commit, as its proof says, and can take that back. */
function OwnApproval({ needs, onWithdrawn, onReload }: OwnApprovalProps) {
  const context = usePageContext();
  const { config } = useClient();
  const { step, reported, error, enter, withdraw } = useWithdrawal(onWithdrawn);
  const panel = useStepFocus<HTMLDivElement>(step);
  return (
    <div ref={panel} className={`stack ${styles.own}`} tabIndex={-1}>
      {error && <Banner text={error} />}
      {step === 'approved' && (
        <>
          {needs && <p className="bold">Your approval counts. {needs}</p>}
          <GithubLink href={pullAddress(config, context)}>Back to the pull request</GithubLink>
          <SecondaryButton onClick={() => enter('confirm')}>Withdraw approval</SecondaryButton>
        </>
      )}
      {(step === 'confirm' || step === 'pending') && (
        <>
          <p>
            Unless someone else approved it too, the check waits for an approval again. You can approve this
            commit again later.
          </p>
          <Button look="danger" busy={step === 'pending'} onClick={() => void withdraw()}>
            {step === 'pending' ? 'Withdrawing' : 'Withdraw my approval'}
          </Button>
          <SecondaryButton onClick={() => enter('approved')}>Keep it</SecondaryButton>
        </>
      )}
      {step === 'withdrawn' && (
        <>
          <p role="status">
            Your approval is withdrawn.
            {!reported && ' GitHub may still show the check as passed; we\u2019ll keep trying to update it.'}
          </p>
          <GithubLink href={pullAddress(config, context)}>Back to the pull request</GithubLink>
          <SecondaryButton onClick={onReload}>Approve again</SecondaryButton>
        </>
      )}
      {/* The key loads them again after a withdrawal. */}
      <CommitProofs key={step === 'withdrawn' ? step : 'approved'} />
    </div>
  );
}

type Step = 'approved' | 'confirm' | 'pending' | 'withdrawn';

function useWithdrawal(onWithdrawn: () => void) {
  const { api, session } = useClient();
  const target = readApprovalTarget(usePageContext());
  const [step, setStep] = useState<Step>('approved');
  const [reported, setReported] = useState(true);
  const [error, setError] = useState<string | null>(null);

  const enter = (next: Step) => {
    setError(null);
    setStep(next);
  };
  const withdraw = async () => {
    if (!target) return;
    enter('pending');
    try {
      const body = { ...target, accessToken: session.accessToken() };
      const answer = await api.post<WithdrawalAnswer>('/github-withdraw-approval', body);
      setReported(answer.reported);
      setStep('withdrawn');
      onWithdrawn();
    } catch (cause) {
      setError(sentenceOf(cause));
      setStep('confirm');
    }
  };
  return { step, reported, error, enter, withdraw };
}

/** After an approval with which the check doesn't pass yet, or of which GitHub hasn't heard: the page stays. */
function StillWaits({ answer: { redirect, passed, needs, reported } }: { answer: ApprovalAnswer }) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => ref.current?.focus(), []);
  return (
    <div ref={ref} className={`stack ${styles.own}`} tabIndex={-1}>
      <div role="status">
        {!passed && <p className="bold">Your approval counts. {needs}</p>}
        {!reported && (
          <p>
            Your approval is safe. GitHub hasn't accepted the check yet; we'll keep trying. You can close this
            page.
          </p>
        )}
      </div>
      <GithubLink href={redirect}>Back to the pull request</GithubLink>
      <CommitProofs />
    </div>
  );
}
