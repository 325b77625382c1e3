import type { FormEvent } from 'react';
import { useSecondsLeft } from '../lib/react/use-seconds-left.ts';
import { CODE_DIGITS, canSubmitCode, codeState } from '../lib/signing/one-time-code.ts';
import { formatWait } from '../lib/times.ts';
import { CodeField } from './code-field.tsx';
import { Button } from './controls.tsx';

type Props = {
  label: string;
  hint: string;
  /** The button's text, and its text while `busy`. */
  action: string;
  busyAction: string;
  variant?: 'primary' | 'danger';
  busy: boolean;
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

/** Submits a one-time code automatically at the sixth digit. The button sends the same digits again. */
export function CodeForm(props: Props) {
  const { label, hint, action, busyAction, busy, code, onChange, onSubmit, check } = props;
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
      <Button type="submit" variant={props.variant} busy={busy} disabled={secondsLeft > 0}>
        {busy ? busyAction : action}
      </Button>
    </form>
  );
}
