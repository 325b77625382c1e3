import { useLayoutEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { ApprovalAnswer, ApprovalParamsAnswer } from '../../../../src/contract/approvals.ts';
import ApprovalProofs from '../../components/approval-proofs.tsx';
import { Banner } from '../../components/card.tsx';
import { Button, GithubLink, InternalLink, SecondaryButton } from '../../components/controls.tsx';
import { checkIcon, Icon } from '../../components/icon.tsx';
import { pullAddress } from '../../lib/address/github.ts';
import { useAction } from '../../lib/react/use-action.ts';
import { useClient, usePageContext } from '../../lib/react/use-client.ts';
import { useStepFocus } from '../../lib/react/use-step-focus.ts';
import styles from './approval.module.css';
import { readApprovalTarget, requireApprovalTarget } from './approval-target.ts';
import type { PullEnd } from './problem.ts';
import { APPROVE_TOO, type FinishedView } from './view-of.ts';

type Props = { view: FinishedView; onWithdrawn: () => void; onReload: () => void };

/** Replaces the form if there's nothing left to approve. Few people see it, so it isn't part of the entry. */
export default function Finished({ view, ...own }: Props) {
  switch (view.page) {
    case 'own':
      return <OwnApproval needs={view.request.needs} {...own} />;
    case 'passed':
      return <PassedPull request={view.request} />;
    case 'waits':
      return <StillWaits answer={view.answer} />;
    default:
      return <PullOver how={view.page} />;
  }
}

type OwnApprovalProps = {
  /** The condition that the check still waits for, as a sentence; null if it passes. */
  needs: string | null;
  onWithdrawn: () => void;
  onReload: () => void;
};

/** Replaces the form for a person who approved this commit: shows the proof, and lets them take the approval back. */
function OwnApproval({ needs, onWithdrawn, onReload }: OwnApprovalProps) {
  const context = usePageContext();
  const { config } = useClient();
  const { step, pending, reported, error, enter, withdraw } = useWithdrawal(onWithdrawn);
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
      {step === 'confirm' && (
        <>
          <p>
            If nobody else approved it, the check goes back to waiting. You can approve this commit again
            later.
          </p>
          <Button variant="danger" busy={pending} onClick={withdraw}>
            {pending ? 'Withdrawing' : 'Withdraw my approval'}
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

function useWithdrawal(onWithdrawn: () => void) {
  const { api, session } = useClient();
  const context = usePageContext();
  const [step, setStep] = useState<'approved' | 'confirm' | 'withdrawn'>('approved');
  const [reported, setReported] = useState(true);
  const { pending, error, setError, run } = useAction();

  const enter = (next: typeof step) => {
    setError(null);
    setStep(next);
  };
  const withdraw = () =>
    run(async () => {
      const body = { ...requireApprovalTarget(context), accessToken: session.accessToken() };
      const answer = await api.post('/github-withdraw-approval', body);
      setReported(answer.reported);
      setStep('withdrawn');
      onWithdrawn();
    });
  return { step, pending, reported, error, enter, withdraw: () => void withdraw() };
}

/** Shown after an approval if the check doesn't pass with it yet, or if GitHub doesn't show it yet. The page stays. */
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

/** Says that the pull request is merged or closed, and shows the approvals that the commit had. */
export function PullOver({ how }: { how: PullEnd }) {
  const { config } = useClient();
  const context = usePageContext();
  const { owner, repo, pr } = context;
  return (
    <div className={`stack ${styles.own}`}>
      <p role="status">
        {how === 'merged' ? 'This pull request was merged.' : 'This pull request is closed.'} There's nothing
        left to approve.
      </p>
      <GithubLink href={pullAddress(config, context)}>{`${owner}/${repo} #${pr}`}</GithubLink>
      <CommitProofs />
    </div>
  );
}

/** The proofs of the commit in the address. */
function CommitProofs() {
  const target = readApprovalTarget(usePageContext());
  return target && <ApprovalProofs target={target} />;
}

/** Says that others approved this pull request. Another one with the same commit may still wait. */
export function PassedPull({ request: { pull, refusal, needs } }: { request: ApprovalParamsAnswer }) {
  const { pathname } = useLocation();
  return (
    <div className={`stack ${styles.own}`}>
      {needs ? (
        <p className="bold">All approvals of this pull request are in. {needs}</p>
      ) : (
        <p className="marked success">
          <Icon path={checkIcon} />
          <span>All approvals are in.</span>
        </p>
      )}
      <GithubLink href={pull.url}>Back to the pull request</GithubLink>
      <CommitProofs />
      {refusal === null && (
        <InternalLink to={pathname} query={APPROVE_TOO}>
          Add your approval
        </InternalLink>
      )}
    </div>
  );
}
