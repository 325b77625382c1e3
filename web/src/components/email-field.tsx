import { Field } from './field.tsx';

type Props = { label: string; pending: boolean; address: string; onChange: (address: string) => void };

/** Asks for an e-mail address. The form has `noValidate`, because the server's sentences say more than the browser's. */
export const EmailField = ({ label, pending, address, onChange }: Props) => (
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
