import type { ReactNode } from 'react';
import styles from './policy.module.css';

/** One checkbox with its label. */
export const CheckField = ({
  label,
  checked,
  onChange,
}: {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) => (
  <label className={styles.check}>
    <input type="checkbox" checked={checked} onChange={({ target }) => onChange(target.checked)} />
    <span>{label}</span>
  </label>
);

type Props<Value extends string> = {
  legend: string;
  options: readonly (readonly [Value, string])[];
  value: readonly Value[];
  onChange: (value: Value[]) => void;
  children?: ReactNode;
};

/** Checkboxes under one legend; the value keeps the order of the options. */
export const CheckGroup = <Value extends string>({
  legend,
  options,
  value,
  onChange,
  children,
}: Props<Value>) => (
  <fieldset className={styles.group}>
    <legend>{legend}</legend>
    {options.map(([name, label]) => (
      <CheckField
        key={name}
        label={label}
        checked={value.includes(name)}
        onChange={(checked) =>
          onChange(
            options.map(([one]) => one).filter((one) => (one === name ? checked : value.includes(one))),
          )
        }
      />
    ))}
    {children}
  </fieldset>
);
