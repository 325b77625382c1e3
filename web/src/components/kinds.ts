import type { AuthenticatorType } from '../../../src/contract/authenticator-kinds.ts';
import { passkeyIcon } from './icon.tsx';

/** `DeviceMobileIcon` */
export const phoneIcon =
  'M3.75 0h8.5C13.216 0 14 .784 14 1.75v12.5A1.75 1.75 0 0 1 12.25 16h-8.5A1.75 1.75 0 0 1 2 14.25V1.75C2 .784 2.784 0 3.75 0ZM3.5 1.75v12.5c0 .138.112.25.25.25h8.5a.25.25 0 0 0 .25-.25V1.75a.25.25 0 0 0-.25-.25h-8.5a.25.25 0 0 0-.25.25ZM8 13a1 1 0 1 1 0-2 1 1 0 0 1 0 2Z';

/** `KeyIcon` */
const keyIcon =
  'M10.5 0a5.499 5.499 0 1 1-1.288 10.848l-.932.932a.749.749 0 0 1-.53.22H7v.75a.749.749 0 0 1-.22.53l-.5.5a.749.749 0 0 1-.53.22H5v.75a.749.749 0 0 1-.22.53l-.5.5a.749.749 0 0 1-.53.22h-2A1.75 1.75 0 0 1 0 14.25v-2c0-.199.079-.389.22-.53l4.932-4.932A5.5 5.5 0 0 1 10.5 0Zm-4 5.5c-.001.431.069.86.205 1.269a.75.75 0 0 1-.181.768L1.5 12.56v1.69c0 .138.112.25.25.25h1.69l.06-.06v-1.19a.75.75 0 0 1 .75-.75h1.19l.06-.06v-1.19a.75.75 0 0 1 .75-.75h1.19l1.023-1.025a.75.75 0 0 1 .768-.18A4 4 0 1 0 6.5 5.5ZM11 6a1 1 0 1 1 0-2 1 1 0 0 1 0 2Z';

/** The dashboard's texts and icon of a kind of authenticator, in addition to the names in the contract. */
type KindPresentation = {
  icon: string;
  /** The more technical name, as a second line. */
  technicalName: string;
  /** One line for the person who chooses what to register. */
  summary: string;
  what: string;
  protection: string;
  advice: string;
};

/** One entry for each kind in `src/contract/authenticator-kinds.ts`, the recommended kind first. */
export const kinds: Record<AuthenticatorType, KindPresentation> = {
  passkey: {
    icon: passkeyIcon,
    technicalName: 'Platform',
    summary: 'Your fingerprint, face or PIN on this device.',
    what: 'A key on your computer or phone that you unlock with your fingerprint, face or PIN.',
    protection:
      'A fake site gets nothing: the passkey works only on this site, and signs exactly the commit that you see. Apple, Google, Microsoft or a password manager may sync it to your other devices; anyone who takes over that account gets it too.',
    advice: 'The best choice for most people.',
  },
  'security-key': {
    icon: keyIcon,
    technicalName: 'Security Key',
    summary: 'A USB, NFC or Bluetooth key that you plug in or hold to your device.',
    what: 'A small device that connects by USB, NFC or Bluetooth.',
    protection:
      "Protects against the same attacks as a passkey. It also can't be copied, and malware on your computer can't use it without your touch.",
    advice: 'The strongest choice, and a good spare to keep in a drawer in case you lose your phone.',
  },
  totp: {
    icon: phoneIcon,
    technicalName: 'TOTP',
    summary: 'Six-digit codes from an app on your phone.',
    what: 'An app on your phone that shows a new six-digit code every 30 seconds.',
    protection:
      "A stolen GitHub password or session isn't enough to approve. But a fake site can ask you for a code and use it, and a code doesn't say what it approves.",
    advice: "Choose it for devices that don't support the other two.",
  },
};
