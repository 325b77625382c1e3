import { useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { NoticeChoice as Choice } from '../../../../src/contract/inbox.ts';
import { ActionError } from '../../components/action-error.tsx';
import { Card } from '../../components/card.tsx';
import { InternalLink, SecondaryButton } from '../../components/controls.tsx';
import { EmailForm } from '../../components/email-form.tsx';
import { loadFailure } from '../../components/load-failure.tsx';
import { MailedCodeStep } from '../../components/mailed-code.tsx';
import { Label, SkeletonLine } from '../../components/text.tsx';
import { keepQuery } from '../../lib/address/page-context.ts';
import { ApiError, lockedUntil as readLock, sentenceOf } from '../../lib/api/api-client.ts';
import { ASKED_OF_YOU_IF } from '../../lib/asked-texts.ts';
import { useAnswer } from '../../lib/react/queries.ts';
import { useClient, useUser } from '../../lib/react/use-client.ts';
import { type Confirmation, type MailedCode, useMailedCode } from '../../lib/react/use-mailed-code.ts';
import { useStepFocus } from '../../lib/react/use-step-focus.ts';
import { timeToday } from '../../lib/times.ts';

/** `/email`: the person's e-mail address, confirmed with a code, and which messages go there. */
export function EmailPage() {
  const { session } = useClient();
  const { id, email } = useUser();
  const mailed = useMailedCode(`email:${id}`);
  const { sent } = mailed;
  const { lockedUntil, confirm } = useConfirm(mailed);
  const panel = useStepFocus<HTMLDivElement>(sent ? 'confirming' : 'awaiting');
  if (!id || !session.token()) return <Card title="E-mail" banner={NO_MODEL} />;
  return (
    <Card title="E-mail">
      <div ref={panel} className="stack" tabIndex={-1}>
        {sent ? (
          <MailedCodeStep
            mailed={mailed}
            action="Submit Code"
            busyAction="Processing"
            onSubmit={(code) => confirm(sent, code)}
            lockedUntil={lockedUntil}
          >
            <CancelButton mailed={mailed} />
          </MailedCodeStep>
        ) : (
          <AddressStep mailed={mailed} confirmed={email} />
        )}
      </div>
      <p role="status">{mailed.info}</p>
      {/* A confirmed address changes what it says. */}
      {!sent && <NoticeChoice key={email} />}
    </Card>
  );
}

const NO_MODEL = 'missing model or missing auth token\nSign out, then sign in again.';

/** Confirms the address with its code. The server may take no other code until `lockedUntil`. */
function useConfirm({ setSent, setAddress, setInfo, run }: MailedCode) {
  const { api, session, now } = useClient();
  const [lockedUntil, setLockedUntil] = useState<number | null>(null);
  const confirm = (sent: Confirmation, code: string) =>
    run(
      async () => {
        const answer: unknown = await api.post('/github-confirm-email', { ...sent, code });
        if (answer !== 'ok')
          throw new ApiError(typeof answer === 'string' && answer ? { detail: answer } : {});
        await session.refresh();
        setSent(null);
        setAddress('');
        setInfo('E-mail address confirmed.');
      },
      (cause) => {
        setLockedUntil(cause instanceof ApiError ? readLock(cause, now()) : null);
        return sentenceOf(cause);
      },
    );
  return { lockedUntil, confirm };
}

type Props = {
  mailed: MailedCode;
  /** The confirmed address; empty if there is none. */
  confirmed: string;
};

/** Says what the address is for, and asks for it. */
function AddressStep({ mailed, confirmed }: Props) {
  const back = useBack();
  return (
    <>
      <p>
        {confirmed ? (
          <>
            Confirmed: <Label text={confirmed} inline />
          </>
        ) : (
          'No e-mail address yet.'
        )}
      </p>
      <p>
        {confirmed ? 'We e-mail you' : 'Once you confirm one, we e-mail you'} about your authenticators,
        approvals, sessions and this address, and when an organization needs you: to register, to vouch or, as
        an owner, to look at a change.
      </p>
      <EmailForm
        label={confirmed ? 'Another e-mail address' : 'E-mail address'}
        mailed={mailed}
        action="Set E-Mail"
        busyAction="Processing"
      >
        <SecondaryButton onClick={back}>Back</SecondaryButton>
      </EmailForm>
    </>
  );
}

/** Leaves the page, and the address that isn't confirmed. */
function CancelButton({ mailed: { goBack } }: Pick<Props, 'mailed'>) {
  const back = useBack();
  const cancel = () => {
    goBack('address');
    back();
  };
  return <SecondaryButton onClick={cancel}>Cancel</SecondaryButton>;
}

/** `src/inbox/queue-notices.ts` sends them then. */
const DAILY_HOUR_UTC = 7;

const CHOICES: Record<Choice, string> = {
  off: 'Off',
  'at-once': 'Immediately',
  daily: `Once a day, at ${timeToday(DAILY_HOUR_UTC)}`,
};
const ENTRIES = Object.entries(CHOICES) as [Choice, string][];

/** Asks when the person wants an e-mail about a pull request or a deployment that waits for them. */
function NoticeChoice() {
  const { loaded, reload, error, info, choose } = useNoticeChoice();
  const answer = loaded.status === 'ok' ? loaded.value : null;
  return (
    <fieldset className="divided" aria-busy={loaded.status === 'awaiting' || undefined}>
      <legend>When a pull request or a deployment is asked of you</legend>
      <ActionError text={error} />
      {loadFailure(loaded, reload, "Your choice can't be shown.")}
      {loaded.status !== 'failed' &&
        ENTRIES.map(([choice, text]) =>
          answer ? (
            <label key={choice}>
              <input
                type="radio"
                name="notices"
                checked={answer.choice === choice}
                onChange={() => choose(choice)}
              />
              {text}
            </label>
          ) : (
            <SkeletonLine key={choice} className="target" like={text} />
          ),
        )}
      <details className="quiet">
        <summary>What is asked of you</summary>
        {ASKED_OF_YOU_IF} You get at most one e-mail for each commit or run. Your{' '}
        <InternalLink to="/">inbox</InternalLink> also has those that any member can approve.
      </details>
      {answer && !answer.hasAddress && <p>You get none of these e-mails until you confirm an address.</p>}
      <p role="status">{info}</p>
    </fieldset>
  );
}

const CALL = '/notice-choice';

/** The person's choice about e-mails for what waits for them, which is saved as soon as it's made. */
function useNoticeChoice() {
  const { api } = useClient();
  const { loaded, change, reload } = useAnswer(CALL, {});
  const [error, setError] = useState<string | null>(null);
  const [info, setInfo] = useState('');
  // Arrow keys pass several choices: the last one decides, and its answer is shown.
  const latest = useRef<Promise<unknown>>(Promise.resolve());

  const choose = async (choice: Choice) => {
    if (loaded.status !== 'ok') return;
    const before = loaded.value;
    setError(null);
    setInfo('');
    change(() => ({ ...before, choice }));
    const saving = latest.current.then(() => api.post(CALL, { choice }));
    const settled = saving.catch(() => undefined);
    latest.current = settled;
    try {
      const value = await saving;
      if (latest.current !== settled) return;
      change(() => value);
      setInfo('Saved.');
    } catch (cause) {
      if (latest.current !== settled) return;
      change(() => before);
      setError(sentenceOf(cause));
    }
  };

  return { loaded, reload, error, info, choose: (choice: Choice) => void choose(choice) };
}

/** Goes back one page, or home if this is the first page in the tab. */
function useBack(): () => void {
  const navigate = useNavigate();
  const { search } = useLocation();
  return () => {
    // The router stores its position in the history's state.
    if (Number(window.history.state?.idx) > 0) void navigate(-1);
    else void navigate(keepQuery('/', search), { replace: true });
  };
}
