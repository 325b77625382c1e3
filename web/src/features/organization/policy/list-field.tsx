import { type ReactNode, useId, useState } from 'react';
import styles from '../../../components/field.module.css';

type Props = {
  label: string;
  hint: string;
  value: readonly string[];
  onChange: (value: string[]) => void;
  /** About what was typed. */
  children?: ReactNode;
};

/** A list of names or patterns, one per line: patterns can contain commas. */
export function ListField({ label, hint, value, onChange, children }: Props) {
  const id = useId();
  // Keeps empty lines and spaces while the person types.
  const [text, setText] = useState(value.join('\n'));
  const type = (typed: string) => {
    setText(typed);
    onChange(
      typed
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== ''),
    );
  };
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <textarea
        dir="auto"
        id={id}
        rows={Math.min(6, Math.max(2, text.split('\n').length))}
        value={text}
        onChange={({ target }) => type(target.value)}
        aria-describedby={`${id}-hint`}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
      />
      <p id={`${id}-hint`} className={styles.hint}>
        {hint}
      </p>
      {children}
    </div>
  );
}
