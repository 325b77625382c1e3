import type { ComponentProps } from 'react';
import { CodeForm } from './code-form.tsx';
import { SecurityImages } from './security-images.tsx';
import { Label } from './text.tsx';

type Props = { address: string } & Omit<ComponentProps<typeof CodeForm>, 'label' | 'hint'>;

/** Asks for the code that was sent to an address. */
export const MailedCode = ({ address, ...form }: Props) => (
  <>
    <SecurityImages />
    <p>
      We sent a 6-digit code to <Label text={address} strong />.
    </p>
    <CodeForm label="Code from the e-mail" hint="Check your spam folder. Expires in 10 minutes." {...form} />
  </>
);
