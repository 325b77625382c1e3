import { describe, expect, test } from '@jest/globals';
import {
  isOrganizationPage,
  preferredOrganization,
  readPreference,
  savePreference,
  withPreferredOrganization,
} from '../../../web/src/lib/preference.ts';
import { fakeLocal } from './fake-local.ts';
import { organizationOf } from './organization-fixture.ts';

const organization = organizationOf();
const user = { id: 'user00000000001', organizations: [organization] };
const preference = { owner: 'octo-org', ownerID: '9919', userID: user.id };

describe('a preference', () => {
  test('is read as it was saved, under orgPreference', () => {
    const local = fakeLocal();
    savePreference(local, user, organization);
    expect(JSON.parse(local.all.get('orgPreference') ?? '')).toEqual(preference);
    expect(readPreference(local, user)).toEqual(preference);
  });

  test.each([
    ['of another person', JSON.stringify({ ...preference, userID: 'user00000000002' })],
    ['without a person', JSON.stringify({ ...preference, userID: undefined })],
    ['without an organization', JSON.stringify({ userID: user.id })],
    ['that is not JSON', '{'],
  ])('%s is ignored and removed', (_, stored) => {
    const local = fakeLocal({ orgPreference: stored });
    expect(readPreference(local, user)).toBeNull();
    expect(local.all.has('orgPreference')).toBe(false);
  });

  test('counts only while the person belongs to the organization', () => {
    const local = fakeLocal({ orgPreference: JSON.stringify(preference) });
    expect(preferredOrganization(local, user)).toBe(organization);
    expect(preferredOrganization(local, { ...user, organizations: [] })).toBeNull();
  });
});

test.each(
  Object.entries({ '/org': true, '/org/': true, '/org/log': true, '/organization': false, '/': false }),
)('isOrganizationPage(%j) is %s', (pathname, expected) => {
  expect(isOrganizationPage(pathname)).toBe(expected);
});

describe('withPreferredOrganization', () => {
  test.each([
    ['/org', '', '/org?owner=octo-org&ownerID=9919&installation=77'],
    ['/org/log', '?type=totp', '/org/log?type=totp&owner=octo-org&ownerID=9919&installation=77'],
    ['/org', '?owner=other-org', null],
    ['/org', '?ownerID=2', null],
    ['/register', '', null],
    ['/', '', null],
  ])('completes %s%s to %s', (pathname, search, address) => {
    expect(withPreferredOrganization({ pathname, search }, organization)).toBe(address);
  });
});
