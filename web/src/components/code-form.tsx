import type { FormEvent } from 'react';
import { useSecondsLeft } from '../lib/react/use-seconds-left.ts';
import { CODE_DIGITS, canSubmitCode, codeState } from '../lib/signing/one-time-code.ts';
import type { Status } from '../lib/signing/sign-shown.ts';
import { formatWait } from '../lib/times.ts';
import { CodeField } from './code-field.tsx';
import { SignButton } from './controls.tsx';

type Props = {
  /** The field's name and hint; those of an authenticator app if they're left out. */
  label?: string;
  hint?: string;
  /** The button's text, and its text while the server is asked. */
  action: string;
  busyAction: string;
  variant?: 'primary' | 'danger';
  status: Status;
  code: string;
  onChange: (code: string) => void;
  onSubmit: (code: string) => void;
  /** Checks six digits in the browser; leave it out if only the server knows the secret. */
  check?: (code: string) => boolean;
  /** Why the last code was refused, in one or two lines. It stands at the field, where the person looks. */
  error?: string | null;
  /** The time at which the server accepts codes again, in milliseconds since 1970. */
  lockedUntil?: number | null;
  focus?: number;
};

const NEXT_CODE = 'The 6 digits that your app shows now. A code works once.';

/** Submits a one-time code automatically at the sixth digit. The button sends the same digits again. */
export function CodeForm(props: Props) {
  const { label = 'One-time code', hint = NEXT_CODE, code, onChange, onSubmit, check } = props;
  const { action, busyAction, variant, status } = props;
  const busy = status !== 'awaiting';
  const secondsLeft = useSecondsLeft(props.lockedUntil ?? null);
  const state = codeState(code, check);

  const change = (next: string) => {
    if (busy) return;
    onChange(next);
    if (next.length === CODE_DIGITS && next !== code && canSubmitCode(next, codeState(next, check)))
      onSubmit(next);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!busy && secondsLeft === 0 && canSubmitCode(code, state)) onSubmit(code);
  };

  return (
    <form className="stack" onSubmit={submit}>
      <CodeField
        label={label}
        hint={hint}
        error={props.error ?? null}
        wait={secondsLeft > 0 ? `You can enter a code again ${formatWait(secondsLeft)}.` : null}
        code={code}
        state={state}
        onChange={change}
        readOnly={busy}
        disabled={secondsLeft > 0}
        focus={props.focus ?? 0}
      />
      <SignButton type="submit" {...{ action, busyAction, variant, status }} disabled={secondsLeft > 0} />
    </form>
  );
}
