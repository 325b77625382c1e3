/** The sign-in card and its two pages share a chunk. */
export { LoginCard, LoginPage } from './login-card.tsx';
export { OauthPage } from './oauth-page.tsx';
