import { useEffect, useId, useRef } from 'react';
import { type CodeState, toDigits } from '../lib/code.ts';
import styles from './code-field.module.css';
import { cross } from './cross.ts';
import { Icon } from './icon.tsx';
import { done } from './outlines.ts';

type Props = {
  label: string;
  hint: string;
  code: string;
  state: CodeState;
  onChange: (code: string) => void;
  readOnly: boolean;
  disabled: boolean;
  /** Takes the focus at first where it is above 0, and again whenever it grows. */
  focus: number;
};

const SAYS: Record<CodeState, string> = {
  unset: '',
  valid: 'This code is right.',
  invalid: 'This code is not right.',
};

/** One field for a one-time code, with its live tick or cross. */
export function CodeField({ label, hint, code, state, onChange, readOnly, disabled, focus }: Props) {
  const id = useId();
  const ref = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (focus > 0) ref.current?.focus();
  }, [focus]);

  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <div className={styles.line}>
        <input
          ref={ref}
          id={id}
          value={code}
          onChange={(event) => onChange(toDigits(event.target.value))}
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern="[0-9]{6}"
          title="6 digits"
          required
          readOnly={readOnly}
          disabled={disabled}
          aria-invalid={state === 'invalid'}
          aria-describedby={`${id}-hint`}
        />
        {state !== 'unset' && (
          <span className={styles[state]}>
            <Icon outline={state === 'valid' ? done : cross} size="large" />
          </span>
        )}
      </div>
      <p className="visually-hidden" role="status">
        {SAYS[state]}
      </p>
      <p id={`${id}-hint`} className={styles.hint}>
        {hint}
      </p>
    </div>
  );
}
