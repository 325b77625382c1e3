import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { Banner } from '../../components/banner.tsx';
import { Card } from '../../components/card.tsx';
import { SecurityImages } from '../../components/security-images.tsx';
import { ApprovedNotice } from './approved-notice.tsx';
import { Approver } from './approver.tsx';
import { APPROVE_TOO, isPassed } from './is-passed.ts';
import { MovedNotice } from './moved-notice.tsx';
import { NextStep } from './next-step.tsx';
import { OtherMethodLink } from './other-method-link.tsx';
import { PullFacts } from './pull-facts.tsx';
import type { Approval, ApprovalMethod } from './use-approval.ts';

/** Rarely shown, so they aren't part of the entry. */
const CommitProofs = lazy(() => import('./commit-proofs.tsx'));
const OwnApproval = lazy(() => import('./own-approval.tsx'));
const PassedPull = lazy(() => import('./passed-pull.tsx'));
const PullOver = lazy(() => import('./pull-over.tsx'));
const RuleOutcomes = lazy(() => import('./rule-outcomes.tsx'));

export const TITLE = 'Approve pull request';

type Props = {
  approval: Approval;
  method: ApprovalMethod;
  onReload: () => void;
  /** The control that approves. */
  children: ReactNode;
};

/**
 * Shows what is approved, by whom and how, and one button; or the proofs, if there's nothing left to approve. The layout
 * is the same while it loads.
 */
export function ApprovalCard({ approval, method, onReload, children }: Props) {
  const { status, request, problem, answer } = approval;
  const isLoading = status === 'loading';
  const end = problem?.next.kind === 'over' ? problem.next.how : null;
  const own = !problem && !answer && request?.yourApproval;
  const isPassedByOthers = usePassedByOthers(approval);
  const isForm = !own && !end && !isPassedByOthers;
  const refusal = isForm && (problem?.text ?? (!answer && request?.refusal));
  const isRuled = request?.rules.some(({ name }) => name !== '');
  /** The page shows one request after another. */
  const [withdrawn, setWithdrawn] = useState<Approval['request']>(null);
  const isApproved = answer !== null || (own && withdrawn !== request) || isPassedByOthers;
  return (
    <Card
      title={end ? `Pull request ${end}` : isApproved ? 'Approved' : TITLE}
      busy={isLoading}
      banner={refusal && <Banner text={refusal} />}
    >
      <SecurityImages />
      {request && <MovedNotice to={request.statement.repo.name} />}
      <PullFacts request={request} loading={isLoading} finished={!isForm} />
      {(request || isLoading) && isForm && <Approver method={method} />}
      {answer && <ApprovedNotice answer={answer} />}
      <Suspense>
        {request && isRuled && <RuleOutcomes rules={request.rules} />}
        {answer?.reported === false && <CommitProofs />}
        {own && <OwnApproval approval={own} onWithdrawn={() => setWithdrawn(request)} onReload={onReload} />}
        {request && isPassedByOthers && <PassedPull request={request} />}
        {end && <PullOver how={end} />}
      </Suspense>
      {!answer && isForm && (
        <>
          <NextStep approval={approval} onReload={onReload}>
            {children}
          </NextStep>
          <OtherMethodLink method={method} />
        </>
      )}
    </Card>
  );
}

/** Whether the pull request passes without the person, and they didn't ask for the form all the same. */
function usePassedByOthers({ request, problem, answer }: Approval): boolean {
  const wantsForm = new URLSearchParams(useLocation().search).get('form') === APPROVE_TOO.form;
  if (!request || problem || answer || request.yourApproval || !isPassed(request)) return false;
  return !wantsForm || request.refusal !== null;
}
