import { useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { NoticeChoice as Choice, NoticeChoiceAnswer } from '../../../../src/contract/inbox.ts';
import { Banner, Card } from '../../components/card.tsx';
import { SecondaryButton } from '../../components/controls.tsx';
import { EmailForm } from '../../components/email-form.tsx';
import { loadFailure } from '../../components/load-failure.tsx';
import { MailedCode } from '../../components/mailed-code.tsx';
import { Label, SkeletonLine } from '../../components/text.tsx';
import { sentenceOf } from '../../lib/api-client.ts';
import { WAITS_FOR_YOU_IF } from '../../lib/asked-texts.ts';
import type { Confirmation } from '../../lib/email-confirmation.ts';
import { keepQuery } from '../../lib/page-context.ts';
import { timeToday } from '../../lib/times.ts';
import { useAnswer, useClient, useUser } from '../../lib/use-client.ts';
import { useStepFocus } from '../../lib/use-step-focus.ts';
import { type EmailState, useEmail } from './use-email.ts';

/** `/email`: the person's e-mail address, confirmed with a code, and which messages go there. */
export function EmailPage() {
  const { email } = useUser();
  const state = useEmail();
  const panel = useStepFocus<HTMLDivElement>(state.confirmation ? 'confirming' : 'awaiting');
  return (
    <Card title="E-mail" banner={state.error}>
      <div ref={panel} className="stack" tabIndex={-1}>
        {state.confirmation ? (
          <CodeStep state={state} confirmation={state.confirmation} />
        ) : (
          <AddressStep state={state} confirmed={email} />
        )}
      </div>
      <p role="status">{state.info}</p>
      {/* A confirmed address changes what it says. */}
      {!state.confirmation && <NoticeChoice key={email} />}
    </Card>
  );
}

type Props = {
  state: EmailState;
  /** The confirmed address; empty if there is none. */
  confirmed: string;
};

/** Says what the address is for, and asks for it. */
function AddressStep({ state, confirmed }: Props) {
  const { pending, address, setAddress, request } = state;
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
        pending={pending}
        address={address}
        onChange={setAddress}
        onSubmit={() => void request()}
        action={pending ? 'Processing' : 'Set E-Mail'}
      >
        <SecondaryButton onClick={back}>Back</SecondaryButton>
      </EmailForm>
    </>
  );
}

type CodeStepProps = { state: EmailState; confirmation: Confirmation };

/** Asks for the code from the e-mail, and offers what to do if it doesn't arrive. */
function CodeStep({ state, confirmation: { email } }: CodeStepProps) {
  const { pending, codeError, lockedUntil, request, confirm, discard } = state;
  const back = useBack();
  const [code, setCode] = useState('');
  const [focus, setFocus] = useState(1);

  const startOver = () => {
    setCode('');
    setFocus((count) => count + 1);
  };
  const submit = async (digits: string) => {
    if (await confirm(digits)) startOver();
  };
  const resend = async () => {
    if (!(await request())) startOver();
  };

  return (
    <>
      <MailedCode
        address={email}
        action="Submit Code"
        busyAction="Processing"
        busy={pending}
        code={code}
        onChange={setCode}
        onSubmit={(digits) => void submit(digits)}
        error={codeError}
        lockedUntil={lockedUntil}
        focus={focus}
      />
      <div className="buttons">
        <SecondaryButton busy={pending} onClick={() => void resend()}>
          Send a new code
        </SecondaryButton>
        <SecondaryButton busy={pending} onClick={discard}>
          Use another address
        </SecondaryButton>
        <SecondaryButton
          onClick={() => {
            discard();
            back();
          }}
        >
          Cancel
        </SecondaryButton>
      </div>
    </>
  );
}

/** `src/inbox/queue-notices.ts` sends them then. */
const DAILY_HOUR_UTC = 7;

const CHOICES: Record<Choice, string> = {
  off: 'Off',
  'at-once': 'Immediately',
  daily: `Once a day, at ${timeToday(DAILY_HOUR_UTC)}`,
};
const ENTRIES = Object.entries(CHOICES) as [Choice, string][];

/** When the person gets an e-mail about a pull request that waits for them. */
function NoticeChoice() {
  const { loaded, reload, error, info, choose } = useNoticeChoice();
  const answer = loaded.status === 'ok' ? loaded.value : null;
  return (
    <fieldset className="divided" aria-busy={loaded.status === 'awaiting' || undefined}>
      <legend>When a pull request waits for you</legend>
      {error !== null && <Banner text={error} />}
      {loadFailure(loaded, reload, "Your choice can't be shown.")}
      <p className="quiet">{WAITS_FOR_YOU_IF} You get at most one e-mail for each commit.</p>
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
      {answer && !answer.hasAddress && <p>You get none of these e-mails until you confirm an address.</p>}
      <p role="status">{info}</p>
    </fieldset>
  );
}

const CALL = '/notice-choice';

/** The person's choice about e-mails for pull requests that wait for them, which is saved as soon as it's made. */
function useNoticeChoice() {
  const { api } = useClient();
  const { loaded, setLoaded, reload } = useAnswer<NoticeChoiceAnswer>(CALL, {});
  const [error, setError] = useState<string | null>(null);
  const [info, setInfo] = useState('');
  // Arrow keys pass several choices: the last one decides, and its answer is the one that's shown.
  const latest = useRef<Promise<unknown>>(Promise.resolve());

  const choose = async (choice: Choice) => {
    if (loaded.status !== 'ok') return;
    const before = loaded.value;
    setError(null);
    setInfo('');
    setLoaded({ status: 'ok', value: { ...before, choice } });
    const saving = latest.current.then(() => api.post<NoticeChoiceAnswer>(CALL, { choice }));
    const settled = saving.catch(() => undefined);
    latest.current = settled;
    try {
      const value = await saving;
      if (latest.current !== settled) return;
      setLoaded({ status: 'ok', value });
      setInfo('Saved.');
    } catch (cause) {
      if (latest.current !== settled) return;
      setLoaded({ status: 'ok', value: before });
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
