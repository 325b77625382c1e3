import { describe, expect, test } from '@jest/globals';
import { findOrganization, organizationQuery } from '../../../web/src/lib/organizations.ts';
import { organizationOf } from './organization-fixture.ts';

const octo = organizationOf({ orgId: 9919, name: 'octo-org', installationId: 77 });
const other = organizationOf({ orgId: 2, name: 'Other-Org' });
const user = { organizations: [octo, other] };

describe('findOrganization', () => {
  test.each([
    ['octo-org', '9919', octo],
    ['renamed', '9919', octo],
    ['OTHER-org', '', other],
    ['octo-org', '1', null],
    ['octo-org', '09919', null],
    ['nobody', '', null],
    ['', '', null],
  ])('%j with the id %j', (owner, ownerID, found) => {
    expect(findOrganization(user, { owner, ownerID })).toBe(found);
  });
});

test('organizationQuery names an organization as pages read it', () => {
  expect(organizationQuery(octo)).toEqual({ owner: 'octo-org', ownerID: '9919', installation: '77' });
});
