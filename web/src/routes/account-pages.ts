/** The account's pages are small and often visited together, so they share a chunk. */
export { AuthenticatorTypesPage } from '../features/authenticator-types/authenticator-types-page.tsx';
export { AuthenticatorPage } from '../features/authenticators/authenticator-page.tsx';
export { AuthenticatorsPage } from '../features/authenticators/authenticators-page.tsx';
export { CommitPage } from '../features/commit/commit-page.tsx';
export { EmailPage } from '../features/email/email-page.tsx';
export { NotFoundPage } from '../features/not-found/not-found-page.tsx';
export { SelectOrganizationPage } from '../features/select-organization/select-organization-page.tsx';
