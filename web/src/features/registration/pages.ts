export { RegisterPage } from './register-page.tsx';
export { RegisterPasskeyPage } from './register-passkey-page.tsx';
