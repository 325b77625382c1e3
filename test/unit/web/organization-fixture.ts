import type { Organization } from '../../../web/src/lib/user.ts';

/** An organization with the App installed; `facts` override its members. */
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
