import { organizationImage } from '../../contract/image.ts';
import {
  memberReminder,
  organizationMembersRequest,
  organizationPullsRequest,
  organizationRequest,
} from '../../contract/organization.ts';
import {
  organizationHealthRequest,
  organizationRepositoriesRequest,
} from '../../contract/organization-health.ts';
import { protectionBaseline } from '../../contract/protection.ts';
import { setOrganizationImage } from '../../organizations/organization-image.ts';
import { organizationMembers, remindMembers } from '../../organizations/organization-members.ts';
import { organizationStatistics } from '../../organizations/organization-statistics.ts';
import { organizationPulls } from '../../organizations/waiting-pulls.ts';
import { takeBaseline } from '../../protection/baseline.ts';
import { organizationRepositories } from '../../protection/check-repositories.ts';
import { organizationHealth } from '../../protection/organization-health.ts';
import { organizationHome } from '../../protection/organization-home.ts';
import { aboutOrg, forPerson, forReader, forSession } from './call.ts';

export const organizationCalls = [
  forSession('/organization', 'organization', aboutOrg, organizationRequest, organizationHome),
  forSession('/organization-health', 'health', aboutOrg, organizationHealthRequest, organizationHealth),
  forSession(
    '/organization-members',
    'organization',
    aboutOrg,
    organizationMembersRequest,
    organizationMembers,
  ),
  forSession('/organization-pulls', 'organization', aboutOrg, organizationPullsRequest, organizationPulls),
  forSession(
    '/organization-repositories',
    'organization',
    aboutOrg,
    organizationRepositoriesRequest,
    organizationRepositories,
  ),
  forSession(
    '/organization-statistics',
    'organization',
    aboutOrg,
    organizationRequest,
    organizationStatistics,
  ),
  forSession('/github-set-image', 'organization', aboutOrg, organizationImage, setOrganizationImage),
  forReader('/protection-baseline', 'organization', aboutOrg, protectionBaseline, takeBaseline, {
    // It writes to each repository's record.
    costOf: () => ({ requests: 1, work: 10 }),
  }),
  forPerson('/remind-members', 'reminder', aboutOrg, memberReminder, remindMembers),
];
