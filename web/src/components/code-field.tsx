import { useId, useLayoutEffect, useRef } from 'react';
import { type CodeState, toDigits } from '../lib/signing/one-time-code.ts';
import styles from './code-field.module.css';
import field from './field.module.css';
import { checkIcon, errorIcon, Icon } from './icon.tsx';

type Props = {
  label: string;
  hint: string;
  /** Replaces the hint: why the last code was refused, and when the next one may come. */
  error: string | null;
  wait: string | null;
  code: string;
  state: CodeState;
  onChange: (code: string) => void;
  readOnly: boolean;
  disabled: boolean;
  /** If above 0, the field takes the focus when it appears or is enabled, and each time this number grows. */
  focus: number;
  autoComplete?: 'one-time-code' | 'off';
};

const ANNOUNCEMENTS: Record<CodeState, string> = {
  unset: '',
  valid: 'This code is right.',
  invalid: "This code isn't right.",
};

/** A field for a one-time code. A tick or cross appears next to a code whose state is known. */
export function CodeField(props: Props) {
  const { label, hint, error, wait, code, state, onChange, readOnly, disabled, focus } = props;
  const id = useId();
  const ref = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (focus > 0 && !disabled) ref.current?.focus();
  }, [focus, disabled]);

  return (
    <div className={field.field}>
      <label htmlFor={id}>{label}</label>
      <div className={`row gap-3 ${styles.line}`}>
        <input
          ref={ref}
          id={id}
          value={code}
          onChange={(event) => onChange(toDigits(event.target.value))}
          inputMode="numeric"
          autoComplete={props.autoComplete ?? 'one-time-code'}
          pattern="[0-9]{6}"
          title="6 digits"
          required
          readOnly={readOnly}
          disabled={disabled}
          aria-invalid={state === 'invalid' || error !== null}
          aria-describedby={`${id}-hint`}
        />
        {state !== 'unset' && (
          <span className={styles[state]}>
            <Icon path={state === 'valid' ? checkIcon : crossIcon} size="large" />
          </span>
        )}
      </div>
      <p className="visually-hidden" role="status">
        {ANNOUNCEMENTS[state]}
      </p>
      <div id={`${id}-hint`} className={styles.hint}>
        {error !== null && (
          <div className={styles.error} role="alert">
            <Icon path={errorIcon} />
            <p>{error.replaceAll('\n', ' ')}</p>
          </div>
        )}
        {wait !== null ? <p>{wait}</p> : error === null && <p>{hint}</p>}
      </div>
    </div>
  );
}

/** `XCircleFillIcon` */
const crossIcon =
  'M2.343 13.657A8 8 0 1 1 13.658 2.343 8 8 0 0 1 2.343 13.657ZM6.03 4.97a.751.751 0 0 0-1.042.018.751.751 0 0 0-.018 1.042L6.94 8 4.97 9.97a.749.749 0 0 0 .326 1.275.749.749 0 0 0 .734-.215L8 9.06l1.97 1.97a.749.749 0 0 0 1.275-.326.749.749 0 0 0-.215-.734L9.06 8l1.97-1.97a.749.749 0 0 0-.326-1.275.749.749 0 0 0-.734.215L8 6.94Z';
