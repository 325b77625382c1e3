import { type InputHTMLAttributes, type SelectHTMLAttributes, useId } from 'react';
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

/** Narrows a list by what is typed into it. */
export const SearchField = (props: Props) => (
  <Field {...props} type="search" autoComplete="off" spellCheck={false} />
);

type EmailFieldProps = {
  label: string;
  pending: boolean;
  address: string;
  onChange: (address: string) => void;
};

/** Asks for an e-mail address. The form has `noValidate`, because the server's sentences say more than the browser's. */
export const EmailField = ({ label, pending, address, onChange }: EmailFieldProps) => (
  <Field
    label={label}
    type="email"
    inputMode="email"
    autoComplete="email"
    required
    readOnly={pending}
    value={address}
    onChange={(event) => onChange(event.target.value)}
  />
);

type SelectFieldProps = SelectHTMLAttributes<HTMLSelectElement> & { label: string };

/** A labelled `<select>`; its options are the children. */
export function SelectField({ label, children, ...select }: SelectFieldProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <select {...select} id={id}>
        {children}
      </select>
    </div>
  );
}
