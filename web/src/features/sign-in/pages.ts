/** The sign-in card and its two pages share a chunk. */
export { LoginCard } from './login-card.tsx';
export { LoginPage } from './login-page.tsx';
export { OauthPage } from './oauth-page.tsx';
