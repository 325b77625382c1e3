import { bypassLists } from '../../contract/bypass-lists.ts';
import { organizationRequest } from '../../contract/organization.ts';
import {
  organizationHealthRequest,
  organizationRepositoriesRequest,
} from '../../contract/organization-health.ts';
import { takeBypassLists } from '../../protection/bypass-lists.ts';
import { organizationRepositories } from '../../protection/check-repositories.ts';
import { type HealthDeps, organizationHealth } from '../../protection/organization-health.ts';
import { organizationHome } from '../../protection/organization-home.ts';
import { aboutOrg, callsOf, forReader, forSession } from './call.ts';

export const protectionCalls = callsOf<HealthDeps>([
  forSession('/organization', 'organization', aboutOrg, organizationRequest, organizationHome),
  forSession('/organization-health', 'health', aboutOrg, organizationHealthRequest, organizationHealth),
  forSession(
    '/organization-repositories',
    'organization',
    aboutOrg,
    organizationRepositoriesRequest,
    organizationRepositories,
  ),
  forReader('/bypass-lists', 'health', aboutOrg, bypassLists, takeBypassLists, {
    // It writes to each repository's record, and reads the rules of ten.
    costOf: () => ({ requests: 1, work: 10 }),
  }),
]);
