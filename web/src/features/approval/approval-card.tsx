import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { AfterPage } from '../../components/after-page.tsx';
import { Banner } from '../../components/banner.tsx';
import { Card } from '../../components/card.tsx';
import { GithubLink } from '../../components/github-link.tsx';
import { SecurityImages } from '../../components/security-images.tsx';
import { pullAddress } from '../../lib/github.ts';
import { useClient, usePageContext } from '../../lib/use-client.ts';
import styles from './approval.module.css';
import { ApprovedNotice } from './approved-notice.tsx';
import { Approver } from './approver.tsx';
import { extra } from './extra.ts';
import { APPROVE_TOO, finishOf, verdictOf } from './finish.ts';
import { NextStep } from './next-step.tsx';
import { OtherMethodLink } from './other-method-link.tsx';
import { PullFacts } from './pull-facts.tsx';
import type { Approval, ApprovalMethod } from './use-approval.ts';

/** Rarely shown, so they aren't part of the entry. */
const Finished = lazy(() => import('./finished.tsx'));
const MovedNotice = lazy(() => import('./moved-notice.tsx'));
const NotYou = extra('NotYou');
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
  const { config } = useClient();
  const context = usePageContext();
  const isLoading = status === 'loading';
  const isRuled = request?.rules.some(({ name }) => name !== '');
  const location = useLocation();
  const wantsForm = new URLSearchParams(location.search).get('form') === APPROVE_TOO.form;
  const finish = finishOf(approval, wantsForm);
  const isForm = finish === null || finish === 'waits';
  // A refused code is explained at its field (`code-page.tsx`): there the person looks, and the focus is.
  const isAtField = method.type === 'totp' && problem?.next.kind === 'approve';
  const refusal = isForm && !isAtField && (problem?.text ?? (!answer && request?.refusal));
  /** The page shows one request after another. */
  const [withdrawn, setWithdrawn] = useState<Approval['request']>(null);
  const verdict = finish === 'own' && withdrawn === request ? null : verdictOf(approval, finish);
  const title = problem?.next.kind === 'over' ? `Pull request ${problem.next.how}` : TITLE;
  return (
    <Card title={verdict ?? title} busy={isLoading} banner={refusal && <Banner text={refusal} />}>
      {location.state === 'registered' && <p role="status">Your authenticator is registered.</p>}
      <SecurityImages />
      {request && location.state?.movedFrom && (
        <Suspense>
          <MovedNotice to={request.statement.repo.name} />
        </Suspense>
      )}
      <PullFacts request={request} loading={isLoading} finished={!isForm} approved={answer !== null} />
      {request && isRuled && !answer && (
        <Suspense>
          <RuleOutcomes rules={request.rules} />
        </Suspense>
      )}
      {(request || isLoading) && isForm && (
        <Approver method={method} loading={isLoading} approved={answer !== null} />
      )}
      {answer && !finish && <ApprovedNotice answer={answer} />}
      {finish && (
        <Suspense>
          <Finished
            how={finish}
            request={request}
            answer={answer}
            onWithdrawn={() => setWithdrawn(request)}
            onReload={onReload}
          />
        </Suspense>
      )}
      {!answer && isForm && (
        <>
          <NextStep approval={approval} onReload={onReload}>
            {children}
          </NextStep>
          <OtherMethodLink method={method} />
          <div className={styles.leave}>
            {!request?.refusal && (
              <GithubLink href={request?.pull.url ?? pullAddress(config, context)}>
                Leave without approving
              </GithubLink>
            )}
            {!isLoading && (
              <AfterPage>
                <NotYou />
              </AfterPage>
            )}
          </div>
        </>
      )}
    </Card>
  );
}
