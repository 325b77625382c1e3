import type { ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { authenticatorKinds } from '../../../../src/contract/authenticator-kinds.ts';
import type { DeployParamsAnswer } from '../../../../src/contract/deployments.ts';
import { ActionError } from '../../components/action-error.tsx';
import { Approver } from '../../components/approver.tsx';
import { Card } from '../../components/card.tsx';
import {
  ActionLink,
  actionLink,
  Button,
  GithubLink,
  InternalLink,
  OtherMethod,
} from '../../components/controls.tsx';
import { DoneNotice } from '../../components/done-notice.tsx';
import { passkeyIcon } from '../../components/icon.tsx';
import { Incomplete } from '../../components/incomplete.tsx';
import { kinds } from '../../components/kinds.ts';
import { NotYou } from '../../components/not-you.tsx';
import { ReasonForm } from '../../components/reason-form.tsx';
import { SecurityImages } from '../../components/security-images.tsx';
import { SignForm } from '../../components/sign-form.tsx';
import { WrongPerson } from '../../components/wrong-person.tsx';
import { keepQuery } from '../../lib/address/page-context.ts';
import { DONE_TEXTS } from '../../lib/address/page-state.ts';
import { codeOf } from '../../lib/api/api-client.ts';
import { usePageContext, usePageState, useUser } from '../../lib/react/use-client.ts';
import { useCode } from '../../lib/react/use-code.ts';
import { useTarget } from '../../lib/react/use-target.ts';
import { authenticatorsOf } from '../../lib/session/user.ts';
import { hasWebauthn } from '../../lib/signing/abilities.ts';
import { methodFor } from '../../lib/signing/method-for.ts';
import { type DeployTarget, type Method, NAMES, readDeployTarget } from './deploy-request.ts';
import { DeploymentOverview, OverviewSkeleton } from './deployment-overview.tsx';
import { useDeployment } from './use-deployment.ts';

const TITLE = 'Approve deployment';
const WAITS = 'The deployment still waits';

type Over = Exclude<DeployParamsAnswer['deployment']['state'], 'waiting'>;

/** What became of a deployment that waits no longer. */
const OVER: Record<Over, { title: string; text: string }> = {
  approved: {
    title: 'Deployment approved',
    text: 'All approvals are in. GitHub starts its jobs, now and in later waves.',
  },
  rejected: {
    title: 'Deployment rejected',
    text: 'Its jobs failed on GitHub. Running them again asks for approvals again.',
  },
  bypassed: {
    title: 'Deployed without an approval',
    text: 'An administrator of the repository started the waiting jobs on GitHub. The log has an entry about it.',
  },
  refused: {
    title: 'Deployment refused',
    text: "OTP Guard refused it: its commit comes from a fork, or isn't the one that GitHub asked about.",
  },
  ended: {
    title: 'The run no longer waits',
    text: "It was cancelled or has ended, or OTP Guard's rule was taken off. There's nothing left to approve.",
  },
  expired: {
    title: 'Deployment expired',
    text: 'It waited for 30 days, after which GitHub lets its jobs fail.',
  },
};

/** `/deploy`: shows what a workflow run wants to deploy to an environment, and lets the person approve or reject it. */
export function DeployPage() {
  const target = useTarget(readDeployTarget);
  if (!target) return <Incomplete title={TITLE} needs={NAMES} />;
  return <OfTarget key={JSON.stringify(target)} target={target} />;
}

function OfTarget({ target }: { target: DeployTarget }) {
  const wants = new URLSearchParams(useLocation().search);
  const own = authenticatorsOf(useUser(), target.ownerID);
  const onlyLooks = hasWebauthn() ? 'show' : 'show-code';
  const method = own.totp && wants.get('by') === 'code' ? 'totp' : (methodFor(own) ?? onlyLooks);
  const page = useDeployment(target, method);
  const { request, problem, answer, status } = page;
  const { done } = usePageState();

  if (problem?.next === 'other-person') {
    return <WrongPerson title={TITLE} refusal={{ code: codeOf(problem.error), text: problem.text }} />;
  }
  const state = request?.deployment.state ?? 'waiting';
  const over = state === 'waiting' ? null : OVER[state];
  const isDone = answer !== null && !answer.isRejection && answer.passed && answer.reported;
  const isDecided = answer !== null || (request?.deployment.decisions ?? []).some(({ isYours }) => isYours);
  const isRejection = wants.get('form') === 'reject' && request?.refusal === null;
  const form = isRejection ? 'Reject deployment' : TITLE;
  const title = isDone ? OVER.approved.title : (over?.title ?? (isDecided ? WAITS : form));
  const isForm = !isDone && !over && !isDecided;
  return (
    <Card title={title} busy={status === 'loading'}>
      {done && <p role="status">{DONE_TEXTS[done]}</p>}
      <SecurityImages />
      {over && !isDone && <p role="status">{over.text}</p>}
      {request ? <DeploymentOverview request={request} /> : status === 'loading' && <OverviewSkeleton />}
      {isDone && <DoneNotice text="Approved." redirect={answer.redirect} back="Back to the run" />}
      {isForm && <Form {...{ page, method, isRejection }} />}
      {request && !isForm && !isDone && (
        <>
          {!over && <StillWaits {...{ request, answer }} />}
          <GithubLink className="target" href={request.deployment.url}>
            Back to the run
          </GithubLink>
        </>
      )}
    </Card>
  );
}

type Page = ReturnType<typeof useDeployment>;

/** What the deployment still needs after the person's decision. */
function StillWaits({ request, answer }: Pick<Page, 'answer'> & { request: DeployParamsAnswer }) {
  const needs = answer?.needs ?? request.needs;
  const { decisions } = request.deployment;
  const isRejection =
    answer?.isRejection ?? decisions.some(({ isYours, decision }) => isYours && decision === 'reject');
  const isUnreported = answer ? !answer.reported : request.passed || isRejection;
  return (
    <div role="status">
      {needs && !isRejection && <p className="bold">Your approval counts. {needs}</p>}
      {isUnreported && (
        <p>
          Your decision is safe. GitHub hasn't accepted it yet; we'll keep trying. You can close this page.
        </p>
      )}
    </div>
  );
}

type FormProps = { page: Page; method: Method; isRejection: boolean };

/** What the person can do: approve or reject, another step that's needed first, or leave. */
function Form({ page, method, isRejection }: FormProps) {
  const { pathname } = useLocation();
  const { ownerID } = usePageContext();
  const own = authenticatorsOf(useUser(), ownerID);
  const { request, problem, status } = page;
  const isCode = method === 'totp';
  const isOwn = isCode || method === 'webauthn';
  return (
    <>
      {request?.needs && !isRejection && <p>{request.needs}</p>}
      {isOwn && (request || status === 'loading') && (
        <Approver
          icon={isCode ? kinds.totp.icon : passkeyIcon}
          text={authenticatorKinds[isCode ? 'totp' : 'passkey'].method}
          loading={status === 'loading'}
          verb={isRejection ? 'rejects' : 'approves'}
        />
      )}
      <Action {...{ page, method, isRejection }} />
      {isOwn && <OtherMethod {...{ own, isCode }} to={pathname} query={{ by: isCode ? null : 'code' }} />}
      <div className="spread target">
        {request && !request.refusal && problem?.next !== 'reload' && (
          <>
            {!isRejection && (
              <GithubLink className="target" href={request.deployment.url}>
                Decide later
              </GithubLink>
            )}
            {isOwn && (
              <InternalLink className="target" to={pathname} query={{ form: isRejection ? null : 'reject' }}>
                {isRejection ? 'Approve instead' : 'Reject'}
              </InternalLink>
            )}
          </>
        )}
        {status !== 'loading' && <NotYou />}
      </div>
    </>
  );
}

/** The page's one button, with what went wrong above it. */
function Action({ page, method, isRejection }: FormProps): ReactNode {
  const { pathname, search } = useLocation();
  const { field, takeFocus, refused } = useCode();
  const { request, problem, status, approve, reject, reload } = page;
  const text = problem?.text ?? null;
  const isCode = method === 'totp';
  const again = () => {
    // The field replaces the focused button, so it takes the focus.
    takeFocus();
    reload();
  };
  const isForeign = request !== null && !isCode && method !== 'webauthn';
  const instead =
    problem?.next === 'reload' ? (
      <Button onClick={again}>{request ? 'Look at it again' : 'Try again'}</Button>
    ) : request?.refusal ? (
      <GithubLink className={actionLink} href={request.deployment.url}>
        Back to the run
      </GithubLink>
    ) : problem?.next === 'register' || isForeign ? (
      <ActionLink to="/register" query={{ redirectURL: keepQuery(pathname, search) }}>
        Register an authenticator
      </ActionLink>
    ) : null;
  if (instead) {
    return (
      <>
        <ActionError text={text ?? request?.refusal ?? null} />
        {instead}
      </>
    );
  }
  if (isRejection && request) {
    return (
      <ReasonForm
        draft={`reject ${request.statement.run} ${request.statement.environment}`}
        hint="Up to 500 characters. GitHub shows them to everyone who can see the run."
        verb="Reject"
        busyAction="Rejecting"
        isCode={isCode}
        status={status}
        error={text}
        onSubmit={reject}
      />
    );
  }
  return (
    <SignForm
      verb="Approve"
      busyAction="Approving"
      {...{ isCode, status, field }}
      error={text}
      onSubmit={(otp) => void approve(otp).then(refused)}
    />
  );
}
