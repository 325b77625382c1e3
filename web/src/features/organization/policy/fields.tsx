import { type ReactNode, useState } from 'react';
import {
  type AuthenticatorType,
  authenticatorKinds,
} from '../../../../../src/contract/authenticator-kinds.ts';
import { AreaField } from '../../../components/field.tsx';
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
  <fieldset>
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

/** Fields that few need. They're open from the start if one of them is set. */
export function Fold({ title, isOpen, children }: { title: string; isOpen: boolean; children: ReactNode }) {
  // Emptying the last field mustn't fold it away while a person types.
  const [open] = useState(isOpen);
  return (
    <details open={open || undefined}>
      <summary>{title}</summary>
      <div className={`stack ${styles.folded}`}>{children}</div>
    </details>
  );
}

const METHOD_ORDER: AuthenticatorType[] = ['passkey', 'security-key', 'totp'];

/** The kinds of authenticator, to choose from. */
export const METHODS = METHOD_ORDER.map((type) => [type, authenticatorKinds[type].title] as const);

type ListFieldProps = {
  label: string;
  hint: string;
  value: readonly string[];
  onChange: (value: string[]) => void;
  /** About what was typed. */
  children?: ReactNode;
};

/** A list of names or patterns, one per line: patterns can contain commas. */
export function ListField({ label, hint, value, onChange, children }: ListFieldProps) {
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
    <AreaField
      label={label}
      hint={hint}
      dir="auto"
      rows={Math.min(6, Math.max(2, text.split('\n').length))}
      value={text}
      onChange={({ target }) => type(target.value)}
      autoCapitalize="none"
      autoComplete="off"
    >
      {children}
    </AreaField>
  );
}
