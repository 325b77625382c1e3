/** The pages of an organization are visited one after the other: one chunk. */
export { OrganizationAuthenticatorsPage } from '../features/organization/authenticators/authenticators-page.tsx';
export { OrganizationHomePage } from '../features/organization/home/organization-home-page.tsx';
export { LogPage } from '../features/organization/log/log-page.tsx';
export { RepositoriesPage } from '../features/organization/repositories/repositories-page.tsx';
