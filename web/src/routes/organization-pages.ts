/** People visit an organization's pages one after the other, so they share a chunk. */
export { OrganizationAuthenticatorsPage } from '../features/organization/authenticators/authenticators-page.tsx';
export { ExportsPage } from '../features/organization/exports/exports-page.tsx';
export { OrganizationHomePage } from '../features/organization/home/organization-home-page.tsx';
export { LogPage } from '../features/organization/log/log-page.tsx';
export { MembersPage } from '../features/organization/members/members-page.tsx';
export { WebhooksPage } from '../features/organization/outgoing-webhooks/webhooks-page.tsx';
export { PullsPage } from '../features/organization/pulls/pulls-page.tsx';
export { RepositoriesPage } from '../features/organization/repositories/repositories-page.tsx';
export { RollOutPage } from '../features/organization/roll-out/roll-out-page.tsx';
