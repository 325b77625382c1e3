import type { FormEvent, ReactNode } from 'react';
import type { MailedCode } from '../lib/react/use-mailed-code.ts';
import { ActionError } from './action-error.tsx';
import { Button } from './controls.tsx';
import { Field } from './field.tsx';

type Props = {
  label: string;
  mailed: MailedCode;
  /** The button's text, and its text while the code is sent. */
  action: string;
  busyAction: string;
  /** Other buttons. */
  children?: ReactNode;
};

/** Asks for the address that gets a code. The browser doesn't check it, because the server's sentences say more. */
export function EmailForm({ label, mailed, action, busyAction, children }: Props) {
  const { pending, error, address, setAddress, request } = mailed;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!pending) void request();
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
        onChange={(event) => setAddress(event.target.value)}
      />
      <ActionError text={error} />
      <Button type="submit" busy={pending}>
        {pending ? busyAction : action}
      </Button>
      {children}
    </form>
  );
}
