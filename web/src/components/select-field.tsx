import { type SelectHTMLAttributes, useId } from 'react';
import styles from './field.module.css';

type Props = SelectHTMLAttributes<HTMLSelectElement> & { label: string };

/** A labelled `<select>`; its options are the children. */
export function SelectField({ label, children, ...select }: Props) {
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
