import { type SelectHTMLAttributes, useId } from 'react';
import styles from './field.module.css';

type Props = SelectHTMLAttributes<HTMLSelectElement> & { label: string };

/** One of a few, with its label; the options are its children. */
export function Choice({ label, children, ...select }: Props) {
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
