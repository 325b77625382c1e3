import { type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes, useId } from 'react';
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

/** Takes a name, which no keyboard should change. */
export const NameField = (props: Props) => (
  <Field autoComplete="off" autoCapitalize="none" spellCheck={false} {...props} />
);

/** Narrows a list by what is typed into it. */
export const SearchField = (props: Props) => (
  <Field {...props} type="search" autoComplete="off" spellCheck={false} />
);

type SelectFieldProps<Value extends string> = {
  label: string;
  value: Value;
  /** The values in their order, each with its text. */
  options: readonly (readonly [string, string])[];
  onChoose: (value: Value) => void;
};

/** A labelled choice of one value. */
export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const { label, value, options, onChoose } = props;
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={({ target }) => onChoose(target.value as Value)}>
        {options.map(([one, text]) => (
          <option key={one} value={one} dir="auto">
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

type AreaFieldProps = TextareaHTMLAttributes<HTMLTextAreaElement> & {
  label: string;
  hint: ReactNode;
  /** Set if it takes hashes or signatures. */
  isCode?: boolean;
};

/** A labelled input of several lines with its hint, and what else is about it. */
export function AreaField({ label, hint, isCode = false, children, ...area }: AreaFieldProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <textarea
        spellCheck={false}
        {...area}
        id={id}
        className={isCode ? styles.code : undefined}
        aria-describedby={`${id}-hint`}
      />
      <p id={`${id}-hint`} className={styles.hint}>
        {hint}
      </p>
      {children}
    </div>
  );
}
