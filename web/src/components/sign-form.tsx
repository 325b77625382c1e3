import type { useCode } from '../lib/react/use-code.ts';
import type { Status } from '../lib/signing/sign-shown.ts';
import { ActionError } from './action-error.tsx';
import { CodeForm } from './code-form.tsx';
import { SignButton } from './controls.tsx';

export type SignFormProps = {
  /** What the button does, such as `Deny`, and while it does that. */
  verb: string;
  busyAction: string;
  variant?: 'primary' | 'danger';
  isCode: boolean;
  field: ReturnType<typeof useCode>['field'];
  status: Status;
  error: string | null;
  /** The code is empty for a passkey or security key. */
  onSubmit: (code: string) => void;
};

/** The button for a passkey or security key, or the form for a one-time code, with what went wrong. */
export const SignForm = ({ verb, isCode, field, error, onSubmit, ...button }: SignFormProps) =>
  isCode ? (
    <CodeForm action={`${verb} with code`} {...{ error, onSubmit }} {...button} {...field} />
  ) : (
    <>
      <ActionError keepsRoom text={error} />
      <SignButton action={`${verb} with passkey`} {...button} onClick={() => onSubmit('')} />
    </>
  );
