import { type InputHTMLAttributes, useId } from 'react';
import styles from './field.module.css';

type Props = InputHTMLAttributes<HTMLInputElement> & { label: string; hint?: string };

/** A labelled one-line input with an optional hint. What people type decides its writing direction. */
export function Field({ label, hint, ...input }: Props) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input dir="auto" {...input} id={id} aria-describedby={hint ? `${id}-hint` : undefined} />
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}
