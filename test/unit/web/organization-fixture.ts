import type { Organization } from '../../../web/src/lib/user.ts';

/** An organization that has the App, with what a test says of it. */
export const organizationOf = (facts: Partial<Organization> = {}): Organization => ({
  id: 'org000000000001',
  orgId: 9919,
  name: 'octo-org',
  installationId: 77,
  suspended: false,
  htmlUrl: 'https://github.com/octo-org',
  image: null,
  role: 'member',
  ...facts,
});
