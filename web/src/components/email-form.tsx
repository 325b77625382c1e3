import type { FormEvent, ReactNode } from 'react';
import { Button } from './controls.tsx';
import { Field } from './field.tsx';

type Props = {
  label: string;
  pending: boolean;
  address: string;
  onChange: (address: string) => void;
  onSubmit: () => void;
  /** The button's text, and other buttons. */
  action: string;
  children?: ReactNode;
};

/** Asks for an e-mail address. The browser doesn't check it, because the server's sentences say more. */
export function EmailForm({ label, pending, address, onChange, onSubmit, action, children }: Props) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!pending) onSubmit();
  };
  return (
    <form className="stack" noValidate onSubmit={submit}>
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
      <Button type="submit" busy={pending}>
        {action}
      </Button>
      {children}
    </form>
  );
}
