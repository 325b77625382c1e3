import { organizationImage } from '../../contract/image.ts';
import {
  memberReminder,
  organizationMembersRequest,
  organizationPullsRequest,
  organizationRequest,
} from '../../contract/organization.ts';
import type { OrganizationDeps } from '../../organizations/deps.ts';
import { setOrganizationImage } from '../../organizations/organization-image.ts';
import { organizationMembers, remindMembers } from '../../organizations/organization-members.ts';
import { organizationStatistics } from '../../organizations/organization-statistics.ts';
import { organizationPulls } from '../../organizations/waiting-pulls.ts';
import { aboutOrg, callsOf, forPerson, forSession } from './call.ts';

export const organizationCalls = callsOf<OrganizationDeps>([
  forSession(
    '/organization-members',
    'organization',
    aboutOrg,
    organizationMembersRequest,
    organizationMembers,
  ),
  forSession('/organization-pulls', 'organization', aboutOrg, organizationPullsRequest, organizationPulls),
  forSession(
    '/organization-statistics',
    'organization',
    aboutOrg,
    organizationRequest,
    organizationStatistics,
  ),
  forSession('/github-set-image', 'organization', aboutOrg, organizationImage, setOrganizationImage),
  forPerson('/remind-members', 'reminder', aboutOrg, memberReminder, remindMembers),
]);
