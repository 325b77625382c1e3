import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Banner } from '../../components/banner.tsx';
import { Card } from '../../components/card.tsx';
import { SecurityImages } from '../../components/security-images.tsx';
import { ApprovedNotice } from './approved-notice.tsx';
import { Approver } from './approver.tsx';
import { MovedNotice } from './moved-notice.tsx';
import { NextStep } from './next-step.tsx';
import { OtherMethodLink } from './other-method-link.tsx';
import { PullFacts } from './pull-facts.tsx';
import type { Approval, ApprovalMethod } from './use-approval.ts';

/** Rarely shown, so they aren't part of the entry. */
const CommitProofs = lazy(() => import('./commit-proofs.tsx'));
const OwnApproval = lazy(() => import('./own-approval.tsx'));
const RuleOutcomes = lazy(() => import('./rule-outcomes.tsx'));

export const TITLE = 'Approve pull request';

type Props = {
  approval: Approval;
  method: ApprovalMethod;
  onReload: () => void;
  /** The control that approves. */
  children: ReactNode;
};

/** Shows what is approved, by whom and how, and one button. The layout is the same while it loads. */
export function ApprovalCard({ approval, method, onReload, children }: Props) {
  const { status, request, problem, answer } = approval;
  const isLoading = status === 'loading';
  const own = !problem && !answer && request?.yourApproval;
  const refusal = problem?.text ?? (!answer && !own && request?.refusal);
  const isRuled = request?.rules.some(({ name }) => name !== '');
  /** The page shows one request after another. */
  const [withdrawn, setWithdrawn] = useState<Approval['request']>(null);
  const isApproved = answer !== null || (own && withdrawn !== request);
  return (
    <Card
      title={isApproved ? 'Approved' : TITLE}
      busy={isLoading}
      banner={refusal && <Banner text={refusal} />}
    >
      <SecurityImages />
      {request && <MovedNotice to={request.statement.repo.name} />}
      <PullFacts request={request} loading={isLoading} />
      {request && isRuled && (
        <Suspense>
          <RuleOutcomes rules={request.rules} />
        </Suspense>
      )}
      {(request || isLoading) && !own && <Approver method={method} />}
      {answer && <ApprovedNotice answer={answer} />}
      {answer?.reported === false && (
        <Suspense>
          <CommitProofs />
        </Suspense>
      )}
      {!answer && own && (
        <Suspense>
          <OwnApproval approval={own} onWithdrawn={() => setWithdrawn(request)} onReload={onReload} />
        </Suspense>
      )}
      {!answer && !own && (
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
