import {
  type ComponentType,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useLocation } from 'react-router-dom';
import type { ApprovalAnswer } from '../../../../src/contract/approvals.ts';
import { Avatar, AvatarSkeleton } from '../../components/avatar.tsx';
import { Card } from '../../components/card.tsx';
import { GithubLink, InternalLink } from '../../components/controls.tsx';
import { checkIcon, Icon } from '../../components/icon.tsx';
import { Incomplete } from '../../components/incomplete.tsx';
import { NotYou } from '../../components/not-you.tsx';
import { SecurityImages } from '../../components/security-images.tsx';
import { pullAddress } from '../../lib/address/github.ts';
import { safeUrl } from '../../lib/address/safe-url.ts';
import { useClient, usePageContext, useUser } from '../../lib/react/use-client.ts';
import { authenticatorsOf } from '../../lib/session/user.ts';
import styles from './approval.module.css';
import { type ApprovalTarget, NAMES, readApprovalTarget, TITLE } from './approval-target.ts';
import { APPROVE_TOO, finishOf, verdictOf } from './finish.ts';
import { MovedNotice } from './moved-notice.tsx';
import { NextStep } from './next-step.tsx';
import type { PullBesideProps } from './pull-beside.tsx';
import { PullOverview } from './pull-overview.tsx';
import type { Approval, ApprovalMethod } from './use-approval.ts';

/** Few people see it, so it isn't part of the entry. */
const Finished = lazy(() => import('./finished.tsx'));
/** Approving doesn't need it, so it loads after the page, which works without it. */
const PullBeside = lazy<ComponentType<PullBesideProps>>(() =>
  import('./pull-beside.tsx').catch(() => ({ default: () => null })),
);

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
    <div className={`stack ${styles.sides}`}>
      <Card title={verdict ?? title} busy={isLoading} banner={refusal}>
        {location.state === 'registered' && <p role="status">Your authenticator is registered.</p>}
        <SecurityImages />
        {request && <MovedNotice to={request.statement.repo.name} />}
        <PullOverview request={request} loading={isLoading} finished={!isForm} approved={answer !== null} />
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
            {/* A signed refusal, with its reason, gets its button here. */}
            <div className={`spread ${styles.leave}`}>
              {!request?.refusal && (
                <GithubLink className="target" href={request?.pull.url ?? pullAddress(config, context)}>
                  Leave without approving
                </GithubLink>
              )}
              {!isLoading && <NotYou />}
            </div>
          </>
        )}
      </Card>
      {(request || isLoading) && (
        <div className={styles.beside}>
          {request && (
            <Suspense>
              <PullBeside
                request={request}
                approval={approval}
                method={method}
                isForm={isForm}
                isDecided={answer !== null || withdrawn === request}
              />
            </Suspense>
          )}
        </div>
      )}
    </div>
  );
}

type ApproverProps = { method: ApprovalMethod; loading: boolean; approved: boolean };

/** Shows who approves, or has just approved, and with what. */
function Approver({ method: { icon, text }, loading, approved }: ApproverProps) {
  const { username, avatar } = useUser();
  return (
    <div className={`row gap-3 divided ${styles.approver}`}>
      {loading ? <AvatarSkeleton /> : <Avatar login={username} src={avatar} />}
      <p>
        <strong>{username}</strong>
        <span className={styles.method}>
          <Icon path={icon} />
          {approved ? 'approved' : 'approves'} with {text}
        </span>
      </p>
    </div>
  );
}

/** Leads from the passkey page to the code page and back, if the person has an authenticator for it. */
function OtherMethodLink({ method: { type } }: { method: ApprovalMethod }) {
  const { totp, webauthn } = authenticatorsOf(useUser(), usePageContext().ownerID);
  const toCode = type === 'webauthn';
  if (toCode ? !totp : webauthn.length === 0) return null;
  return (
    <p>
      <InternalLink to={toCode ? '/collect-totp' : '/collect-passkey'}>
        {toCode ? 'Use a one-time code instead' : 'Use a passkey instead'}
      </InternalLink>
    </p>
  );
}

/** Long enough to see the tick, short enough not to wait. */
const REDIRECT_AFTER_MS = 700;

/** Long enough to follow an invitation, which this browser shows once. */
const INVITATION_MS = 6000;
const INVITED = 'image-invited';

/** Says that GitHub shows a passed check, and goes back to the pull request. */
function ApprovedNotice({ answer: { redirect } }: { answer: ApprovalAnswer }) {
  const { config, local } = useClient();
  const { image } = useUser();
  const [isInvited] = useState(() => !image && !local.getItem(INVITED));
  const ref = useRef<HTMLDivElement>(null);
  const pullUrl = safeUrl(redirect, config);

  useLayoutEffect(() => ref.current?.focus(), []);
  useEffect(() => {
    if (isInvited) local.setItem(INVITED, 'true');
  }, [isInvited, local]);
  useEffect(() => {
    if (!pullUrl) return;
    const leave = () => window.location.assign(pullUrl);
    const timer = window.setTimeout(leave, isInvited ? INVITATION_MS : REDIRECT_AFTER_MS);
    return () => window.clearTimeout(timer);
  }, [pullUrl, isInvited]);

  return (
    <div ref={ref} className={styles.approved} role="status" tabIndex={-1}>
      <Icon path={checkIcon} size="large" />
      <p className="bold">Approved.</p>
      <GithubLink href={redirect}>Back to the pull request</GithubLink>
      {isInvited && <ImageInvitation />}
    </div>
  );
}

/** Invites a person who has just approved to choose a security image. */
function ImageInvitation() {
  const { pathname, search } = useLocation();
  return (
    <p>
      You'll be back at the pull request in a few seconds, unless you first{' '}
      <InternalLink to="/image" query={{ redirectURL: pathname + search }}>
        choose a security image
      </InternalLink>
      , by which you'll tell this page from a copy.
    </p>
  );
}

type ApprovalTargetPageProps = { Approve: ComponentType<{ target: ApprovalTarget }> };

/** Renders `Approve` for the commit in the address, or says what the address lacks. */
export function ApprovalTargetPage({ Approve }: ApprovalTargetPageProps) {
  const context = usePageContext();
  const target = useMemo(() => readApprovalTarget(context), [context]);
  if (!target) return <Incomplete title={TITLE} needs={NAMES} />;
  // The key makes another commit another page, so that nothing of the previous one stays on the screen.
  return <StableTarget key={JSON.stringify(target)} target={target} Approve={Approve} />;
}

/** Keeps one target object for the life of the page: effects depend on its identity. */
function StableTarget({ target: initial, Approve }: ApprovalTargetPageProps & { target: ApprovalTarget }) {
  const [target] = useState(initial);
  return <Approve target={target} />;
}
