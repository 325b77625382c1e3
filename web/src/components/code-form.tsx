import type { FormEvent } from 'react';
import { CODE_DIGITS, codeState, isWhole } from '../lib/code.ts';
import { inAWhile } from '../lib/times.ts';
import { useSecondsLeft } from '../lib/use-seconds-left.ts';
import { Button } from './button.tsx';
import { CodeField } from './code-field.tsx';
import styles from './code-form.module.css';

type Props = {
  label: string;
  hint: string;
  /** What the button says, and what it says at work. */
  action: string;
  busyAction: string;
  busy: boolean;
  code: string;
  onChange: (code: string) => void;
  onSubmit: (code: string) => void;
  /** Knows whether six digits are right, where the secret is here. */
  check?: (code: string) => boolean;
  /** Until when no code is taken, in milliseconds since 1970. */
  lockedUntil?: number | null;
  focus?: number;
};

/** A one-time code that goes off by itself at its sixth digit. The button is for another try with the same digits. */
export function CodeForm(props: Props) {
  const { label, hint, action, busyAction, busy, code, onChange, onSubmit, check } = props;
  const left = useSecondsLeft(props.lockedUntil ?? null);
  const state = codeState(code, check);

  const change = (next: string) => {
    if (busy) return;
    onChange(next);
    if (next.length === CODE_DIGITS && next !== code && isWhole(next, codeState(next, check))) onSubmit(next);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!busy && left === 0 && isWhole(code, state)) onSubmit(code);
  };

  return (
    <form className={styles.form} onSubmit={submit}>
      <CodeField
        label={label}
        hint={left > 0 ? `Codes are taken again ${inAWhile(left)}.` : hint}
        code={code}
        state={state}
        onChange={change}
        readOnly={busy}
        disabled={left > 0}
        focus={props.focus ?? 0}
      />
      <Button type="submit" busy={busy} disabled={left > 0}>
        {busy ? busyAction : action}
      </Button>
    </form>
  );
}
