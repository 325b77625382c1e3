export { RegisterPage } from './register-page.tsx';
export { RegisterPasskeyPage, RegisterSecurityKeyPage } from './register-webauthn-page.tsx';
