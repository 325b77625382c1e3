import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { ApprovalAnswer, ApprovalParamsAnswer } from '../../../../src/contract/approvals.ts';
import { authenticatorKinds } from '../../../../src/contract/authenticator-kinds.ts';
import { ActionError } from '../../components/action-error.tsx';
import ApprovalProofs from '../../components/approval-proofs.tsx';
import { Button, GithubLink, InternalLink, SecondaryButton } from '../../components/controls.tsx';
import { checkIcon, Icon } from '../../components/icon.tsx';
import { Ago } from '../../components/text.tsx';
import { pullAddress } from '../../lib/address/github.ts';
import { useAction } from '../../lib/react/use-action.ts';
import { useClient, usePageContext } from '../../lib/react/use-client.ts';
import { useStepFocus } from '../../lib/react/use-step-focus.ts';
import styles from './approval.module.css';
import { readApprovalTarget, requireApprovalTarget } from './approval-target.ts';
import type { PullEnd } from './problem.ts';
import { APPROVE_TOO, DENY, type FinishedView } from './view-of.ts';

/** `overview` shows the pull request. It stands below the first line, which says what happened. */
type Overview = { overview: ReactNode };
type Props = Overview & { view: FinishedView; onWithdrawn: () => void; onReload: () => void };

/** Replaces the form if there's nothing left to approve. Few people see it, so it isn't part of the entry. */
export default function Finished({ view, ...own }: Props) {
  switch (view.page) {
    case 'own':
    case 'denied':
      return <OwnDecision request={view.request} isDenial={view.page === 'denied'} {...own} />;
    case 'passed':
      return <PassedPull request={view.request} overview={own.overview} />;
    case 'waits':
      return <StillWaits {...view} />;
    default:
      return <PullOver how={view.page} overview={own.overview} />;
  }
}

const Done = ({ children }: { children: ReactNode }) => (
  <p className={`marked success ${styles.first}`}>
    <Icon path={checkIcon} />
    <span>{children}</span>
  </p>
);

type OwnDecisionProps = Omit<Props, 'view'> & { request: ApprovalParamsAnswer; isDenial: boolean };

/** Shows a person who approved or denied this commit what they did and its proof, and lets them take it back. */
function OwnDecision({ request, isDenial, overview, onWithdrawn, onReload }: OwnDecisionProps) {
  const { yourApproval, needs, pull, denials } = request;
  const what = isDenial ? 'denial' : 'approval';
  const { step, pending, reported, error, enter, withdraw } = useWithdrawal(onWithdrawn);
  const panel = useStepFocus<HTMLDivElement>(step);
  const isWithdrawn = step === 'withdrawn';
  return (
    <>
      {isWithdrawn ? (
        <p role="status" className={styles.first}>
          Your {what} is withdrawn.
          {!reported &&
            ` GitHub may still show the check as ${isDenial ? 'denied' : 'passed'}; we\u2019ll keep trying to update it.`}
        </p>
      ) : (
        !isDenial &&
        yourApproval && (
          <Done>
            You approved this commit <Ago at={yourApproval.at} /> with{' '}
            {authenticatorKinds[yourApproval.method].method}.
          </Done>
        )
      )}
      {overview}
      {needs && !isWithdrawn && denials.length === 0 && <p className="bold">{needs}</p>}
      {/* The key loads them again after a withdrawal. */}
      <CommitProofs key={isWithdrawn ? step : 'given'} />
      <div ref={panel} className="stack" tabIndex={-1}>
        {step === 'confirm' && (
          <>
            <p>
              {isDenial
                ? 'After that, the check can pass.'
                : 'If nobody else approved it, the check goes back to waiting.'}{' '}
              You can {isDenial ? 'deny' : 'approve'} this commit again later.
              {isDenial && yourApproval && ' Your approval of it is withdrawn too.'}
            </p>
            <ActionError keepsRoom text={error} />
            <Button variant="danger" busy={pending} onClick={withdraw}>
              {pending ? 'Withdrawing' : `Withdraw my ${what}`}
            </Button>
            <SecondaryButton onClick={() => enter('given')}>Keep it</SecondaryButton>
          </>
        )}
        {isWithdrawn && (
          <SecondaryButton onClick={onReload}>
            {isDenial ? 'Look at it again' : 'Approve again'}
          </SecondaryButton>
        )}
        <div className="spread target">
          <BackToPull href={pull.url} />
          {step === 'given' && (
            <Button variant="link" onClick={() => enter('confirm')}>
              Withdraw {what}
            </Button>
          )}
        </div>
      </div>
    </>
  );
}

const BackToPull = ({ href }: { href: string }) => (
  <GithubLink className="target" href={href}>
    Back to the pull request
  </GithubLink>
);

function useWithdrawal(onWithdrawn: () => void) {
  const { api, session } = useClient();
  const context = usePageContext();
  const [step, setStep] = useState<'given' | 'confirm' | 'withdrawn'>('given');
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

type StillWaitsProps = { answer: ApprovalAnswer; isDenied: boolean };

/** Shown after an approval if the check doesn't pass with it yet, or if GitHub doesn't show it yet. The page stays. */
function StillWaits({ answer: { redirect, passed, needs, reported }, isDenied }: StillWaitsProps) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => ref.current?.focus(), []);
  return (
    <div ref={ref} className="stack" tabIndex={-1}>
      <div role="status">
        {!passed && <p className="bold">You approved. {needs}</p>}
        {isDenied && <p>Your approval counts once the denial is withdrawn.</p>}
        {!reported && (
          <p>
            Your approval is safe. GitHub hasn't accepted the check yet; we'll keep trying. You can close this
            page.
          </p>
        )}
      </div>
      <CommitProofs />
      <BackToPull href={redirect} />
    </div>
  );
}

/** Says that the pull request is merged or closed, and shows the approvals that the commit had. */
export function PullOver({ how, overview }: Overview & { how: PullEnd }) {
  const { config } = useClient();
  const context = usePageContext();
  const { owner, repo, pr } = context;
  return (
    <>
      <p role="status" className={styles.first}>
        {how === 'merged' ? 'This pull request was merged.' : 'This pull request is closed.'} There's nothing
        left to approve.
      </p>
      {overview}
      <CommitProofs />
      <GithubLink
        className="target"
        href={pullAddress(config, context)}
      >{`${owner}/${repo} #${pr}`}</GithubLink>
    </>
  );
}

/** The proofs of the commit in the address. */
function CommitProofs() {
  const target = readApprovalTarget(usePageContext());
  return target && <ApprovalProofs target={{ ...target, story: target.pr }} />;
}

/** Says that others approved this pull request. Another one with the same commit may still wait. */
export function PassedPull({ request, overview }: Overview & { request: ApprovalParamsAnswer }) {
  const { pathname } = useLocation();
  const { pull, refusal, needs } = request;
  return (
    <>
      <Done>All approvals are in.</Done>
      {overview}
      {needs && <p className="bold">{needs}</p>}
      <CommitProofs />
      <div className="spread">
        <BackToPull href={pull.url} />
        {refusal === null && (
          <span className="links">
            <InternalLink className="target" to={pathname} query={APPROVE_TOO}>
              Add your approval
            </InternalLink>
            <InternalLink className="target" to={pathname} query={DENY}>
              Deny
            </InternalLink>
          </span>
        )}
      </div>
    </>
  );
}
