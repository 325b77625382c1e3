import { describe, expect, test } from '@jest/globals';
import { findOrganization, organizationQuery } from '../../../web/src/lib/user.ts';
import { organizationOf } from './organization-fixture.ts';

const octo = organizationOf({ orgId: 9919, name: 'octo-org', installationId: 77 });
const other = organizationOf({ orgId: 2, name: 'Other-Org' });
const user = { organizations: [octo, other] };

describe('the organization that an address names', () => {
  test.each([
    ['octo-org', '9919', octo],
    ['renamed', '9919', octo],
    ['OTHER-org', '', other],
    ['octo-org', '1', null],
    ['octo-org', '09919', null],
    ['nobody', '', null],
    ['', '', null],
  ])('by the owner %j and the id %j is found by its id, or else by its name', (owner, ownerID, found) => {
    expect(findOrganization(user, { owner, ownerID })).toBe(found);
  });
});

test('links to the pages of an organization name it by login, id and installation', () => {
  expect(organizationQuery(octo)).toEqual({ owner: 'octo-org', ownerID: '9919', installation: '77' });
});
