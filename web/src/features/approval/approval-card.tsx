import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { ApprovalAnswer } from '../../../../src/contract/approvals.ts';
import { ActionError } from '../../components/action-error.tsx';
import { Approver } from '../../components/approver.tsx';
import { Card } from '../../components/card.tsx';
import { Button, GithubLink, InternalLink, OtherMethod } from '../../components/controls.tsx';
import { DoneNotice } from '../../components/done-notice.tsx';
import { Incomplete } from '../../components/incomplete.tsx';
import { NotYou } from '../../components/not-you.tsx';
import { SecurityImages } from '../../components/security-images.tsx';
import { Label } from '../../components/text.tsx';
import { pullAddress } from '../../lib/address/github.ts';
import { DONE_TEXTS } from '../../lib/address/page-state.ts';
import { useClient, usePageContext, usePageState, useUser } from '../../lib/react/use-client.ts';
import { useTarget } from '../../lib/react/use-target.ts';
import { authenticatorsOf } from '../../lib/session/user.ts';
import styles from './approval.module.css';
import { type ApprovalTarget, NAMES, readApprovalTarget, TITLE } from './approval-target.ts';
import { Denials } from './denials.tsx';
import { NextStep } from './next-step.tsx';
import { canRetry } from './problem.ts';
import type { PullBesideProps } from './pull-beside.tsx';
import { usePullChanges } from './pull-details.tsx';
import { PullOverview } from './pull-overview.tsx';
import type { ApprovalMethod, Decide } from './use-approval.ts';
import { APPROVE_TOO, type Approval, DENY, mayDeny, viewOf } from './view-of.ts';

/** Few people see them, so they aren't part of the entry. */
const Finished = lazy(() => import('./finished.tsx'));
const DenyForm = lazy(() => import('./deny-form.tsx'));
/** Approving doesn't need it, so it loads after the page, which works without it. */
const PullBeside = lazy<ComponentType<PullBesideProps>>(() =>
  import('./pull-beside.tsx').catch(() => ({ default: () => null })),
);

type Props = {
  approval: Approval;
  method: ApprovalMethod;
  /** True if the rest of the files is on its way. */
  isListing?: boolean;
  reload?: () => void;
  /** Resolves to null if it was sent, else to why it wasn't. */
  decide?: (decide: Decide) => Promise<unknown>;
  /** Called once the person has taken back their approval or denial. */
  withdrawn?: () => void;
  /** The control that approves. */
  children: ReactNode;
};

const nothing = async () => null;

/**
 * Shows what is approved, by whom and how, and one button; or the proofs, if there's nothing left to approve. The layout
 * is the same while it loads.
 */
export function ApprovalCard(props: Props) {
  const { approval, method, isListing = false, children } = props;
  const { reload = nothing, withdrawn = nothing, decide = nothing } = props;
  const { status, request, answer } = approval;
  const { done, movedFrom } = usePageState();
  const isShown = useIsShown(request !== null);
  const [isSettingAside, setSettingAside] = useState(false);
  const view = viewOf(approval);
  const isLoading = status === 'loading';
  const isDenial = view.page === 'form' && view.isDenial;
  /** True if the person can still approve the commit, or has just approved it. */
  const isOpen = view.page === 'form' || answer !== null;
  const changes = usePullChanges(request !== null && isOpen);
  const overview = <PullOverview request={request} loading={isLoading} changes={isOpen ? changes : null} />;
  return (
    <div className={`stack ${styles.sides}`}>
      <Card title={view.title} busy={isLoading}>
        {done && <p role="status">{DONE_TEXTS[done]}</p>}
        <SecurityImages />
        {request && movedFrom && (
          <p role="status">
            The link that you opened names <Label text={movedFrom} inline />. This pull request is in{' '}
            <Label text={request.statement.repo.name} inline /> now. Check that it's the one you mean.
          </p>
        )}
        {request && (
          <Denials
            {...{ request, view }}
            isWithdrawn={approval.isWithdrawn}
            onOpen={setSettingAside}
            onDone={reload}
          />
        )}
        {isOpen && overview}
        {(request || isLoading) && isOpen && (
          <Approver
            {...method}
            loading={isLoading}
            verb={answer ? 'approved' : isDenial ? 'denies' : 'approves'}
          />
        )}
        {view.page === 'form' ? (
          isSettingAside || (
            <Form approval={approval} method={method} isDenial={isDenial} onReload={reload} decide={decide}>
              {children}
            </Form>
          )
        ) : view.page === 'approved' ? (
          <ApprovedNotice answer={view.answer} />
        ) : (
          <Suspense
            fallback={
              isOpen || (
                <>
                  {/* Keeps the place of the line with which a finished page begins. */}
                  <p className="target" />
                  {overview}
                </>
              )
            }
          >
            <Finished
              view={view}
              overview={isOpen ? null : overview}
              onWithdrawn={withdrawn}
              onReload={reload}
            />
          </Suspense>
        )}
      </Card>
      {(request || isLoading) && (
        <div className={styles.beside}>
          {request && isShown && (
            <Suspense>
              <PullBeside
                request={request}
                isSigned={isOpen && !isDenial && method.type === 'webauthn'}
                isListing={isListing}
                isForm={view.page === 'form'}
                sameFilesAs={changes.status === 'ok' ? changes.value.sameFilesAs : null}
              />
            </Suspense>
          )}
        </div>
      )}
    </div>
  );
}

/** Waits until the browser shows the button, so that nothing beside it is loaded before a person can approve. */
function useIsShown(isReady: boolean): boolean {
  const [isShown, setIsShown] = useState(false);
  useEffect(() => setIsShown(isReady), [isReady]);
  return isShown;
}

/** Why there is no approval yet. If the person can try again with a code, its field explains it, above its own button. */
function refusalOf({ request, problem }: Approval, { type }: ApprovalMethod): string | null {
  if (type === 'totp' && canRetry(problem)) return null;
  return problem?.text ?? request?.refusal ?? null;
}

type FormProps = Pick<Props, 'approval' | 'method' | 'children'> & {
  isDenial: boolean;
  onReload: () => void;
  decide: (decide: Decide) => Promise<unknown>;
};

/** What the person can do: approve or deny, another step that's needed first, or leave. */
function Form({ approval, method, isDenial, onReload, decide, children }: FormProps) {
  const { config } = useClient();
  const context = usePageContext();
  const { pathname } = useLocation();
  const { request } = approval;
  const refusal = refusalOf(approval, method);
  const isCode = method.type === 'totp';
  return (
    <>
      <Suspense fallback={<DenyFormRoom />}>
        {isDenial ? (
          request ? (
            <DenyForm approval={approval} type={method.type} {...{ request, decide }} onDenied={onReload} />
          ) : (
            <DenyFormRoom />
          )
        ) : (
          <>
            {(refusal || !isCode) && <ActionError keepsRoom text={refusal} />}
            <NextStep approval={approval} onReload={onReload}>
              {children}
            </NextStep>
            <ImageInvitation />
          </>
        )}
      </Suspense>
      <OtherMethod
        own={authenticatorsOf(useUser(), context.ownerID)}
        isCode={isCode}
        to={isCode ? '/collect-passkey' : '/collect-totp'}
      />
      <div className="spread target">
        {!request?.refusal && !isDenial && (
          <GithubLink className="target" href={request?.pull.url ?? pullAddress(config, context)}>
            Decide later
          </GithubLink>
        )}
        {mayDeny(approval) && (
          <InternalLink className="target" to={pathname} query={isDenial ? APPROVE_TOO : DENY}>
            {isDenial ? 'Approve instead' : 'Deny'}
          </InternalLink>
        )}
        {approval.status !== 'loading' && <NotYou />}
      </div>
    </>
  );
}

const DenyFormRoom = () => <div className={styles.denyForm} />;

/** Says that GitHub shows a passed check. */
function ApprovedNotice({ answer: { redirect } }: { answer: ApprovalAnswer }) {
  const { local } = useClient();
  useEffect(() => {
    if (!local.getItem(INVITED)) local.setItem(INVITED, 'next');
  }, [local]);
  return <DoneNotice text="Approved." redirect={redirect} back="Back to the pull request" />;
}

/** The entry of the browser's storage about the invitation: `next` after an approval, `true` once it was answered. */
const INVITED = 'image-invited';

/** Invites a person without a security image to choose one, on the first visit after an approval. */
function ImageInvitation() {
  const { local } = useClient();
  const { image } = useUser();
  const { pathname, search } = useLocation();
  const [isInvited, setInvited] = useState(() => !image && local.getItem(INVITED) === 'next');
  const decline = () => {
    local.setItem(INVITED, 'true');
    setInvited(false);
  };
  if (!isInvited) return null;
  return (
    <div className="spread target">
      <InternalLink className="target" to="/image" query={{ redirectURL: pathname + search }}>
        Choose a security image
      </InternalLink>
      <Button variant="link" onClick={decline}>
        Not now
      </Button>
    </div>
  );
}

type ApprovalTargetPageProps = { Approve: ComponentType<{ target: ApprovalTarget }> };

/** Renders `Approve` for the commit in the address, or says what the address lacks. */
export function ApprovalTargetPage({ Approve }: ApprovalTargetPageProps) {
  const target = useTarget(readApprovalTarget);
  if (!target) return <Incomplete title={TITLE} needs={NAMES} />;
  // The key makes another commit another page, so that nothing of the previous one stays on the screen.
  return <Approve key={JSON.stringify(target)} target={target} />;
}
