/** The pages to register a passkey or a security key, and the choice before them, share a chunk; the QR code is in another. */
export { RegisterPage } from './register-page.tsx';
export {
  RegisterPasskeyPage,
  RegisterPhonePage,
  RegisterSecurityKeyPage,
} from './register-webauthn-page.tsx';
