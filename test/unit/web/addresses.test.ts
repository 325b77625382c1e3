import { describe, expect, test } from '@jest/globals';
import {
  readSelectTarget,
  targetFor,
} from '../../../web/src/features/select-organization/select-organization-page.tsx';
import { collectPath, keepQuery, readPageContext } from '../../../web/src/lib/address/page-context.ts';
import { safeImage, safePath, safeUrl } from '../../../web/src/lib/address/safe-url.ts';
import {
  isOrganizationPage,
  preferredOrganization,
  readPreference,
  savePreference,
  withPreferredOrganization,
} from '../../../web/src/lib/session/preference.ts';
import { findOrganization, organizationQuery } from '../../../web/src/lib/session/user.ts';
import { fakeLocal, organizationOf } from './fixtures.ts';

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

describe('readPageContext', () => {
  test('reads the known parameters; a missing one is empty', () => {
    const context = readPageContext('?owner=octo-org&pr=7&title=a%26b&other=x');
    expect(context).toMatchObject({ owner: 'octo-org', pr: '7', title: 'a&b', head: '', redirectURL: '' });
    expect(context).not.toHaveProperty('other');
  });
});

describe('keepQuery', () => {
  test.each([
    ['/', '', {}, '/'],
    ['/', '?owner=octo-org', {}, '/?owner=octo-org'],
    ['/register', '?owner=a', { redirectURL: '/x?pr=7' }, '/register?owner=a&redirectURL=%2Fx%3Fpr%3D7'],
    ['/collect-passkey', '?head=a&headURL=b', { head: 'c', headURL: null }, '/collect-passkey?head=c'],
  ])('turns %s with the query %j and the changes %j into %s', (path, search, changes, expected) => {
    expect(keepQuery(path, search, changes)).toBe(expected);
  });
});

describe('collectPath', () => {
  test('keeps the approval’s parameters and drops the others', () => {
    const context = readPageContext('?owner=octo-org&pr=7&redirectURL=%2Fcollect&info=hello');
    expect(collectPath(context)).toBe('/collect?owner=octo-org&pr=7');
  });
});

const origins = { origin: 'https://guard.example.org', github: 'https://github.com' };
const chosen = { orgId: 9919, name: 'octo-org', installationId: 77 };

function addressFor(search: string): string | null {
  const target = readSelectTarget(search, origins);
  return target && targetFor(target, chosen);
}

describe('the target of /select-org', () => {
  test.each([
    ['?target=/register', '/register?owner=octo-org&ownerID=9919&installation=77'],
    [
      '?redirectURL=/authenticators&target=/register',
      '/register?redirectURL=%2Fauthenticators&owner=octo-org&ownerID=9919&installation=77',
    ],
    ['?target=/org%3Fa%3D1', '/org?a=1&owner=octo-org&ownerID=9919&installation=77'],
    ['?target=/org&owner=evil&ownerID=1', '/org?owner=octo-org&ownerID=9919&installation=77'],
  ])('in %s leads to %s', (search, address) => {
    expect(addressFor(search)).toBe(address);
  });

  test.each(
    [
      ['', '?target=', '?target=https://evil.example', '?target=//evil.example'],
      ['?target=javascript:alert(1)', '?target=/%5Cevil.example', '?target=https://github.com/octo-org'],
      ['?target=register'],
    ].flat(),
  )('is refused in %j', (search) => {
    expect(addressFor(search)).toBeNull();
  });
});

const preferred = organizationOf();
const person = { id: 'user00000000001', organizations: [preferred] };
const preference = { owner: 'octo-org', ownerID: '9919', userID: person.id };

describe('a preference', () => {
  test('is read as it was saved, under orgPreference', () => {
    const local = fakeLocal();
    savePreference(local, person, preferred);
    expect(JSON.parse(local.all.get('orgPreference') ?? '')).toEqual(preference);
    expect(readPreference(local, person)).toEqual(preference);
  });

  test.each([
    ['of another person', JSON.stringify({ ...preference, userID: 'user00000000002' })],
    ['without a person', JSON.stringify({ ...preference, userID: undefined })],
    ['without an organization', JSON.stringify({ userID: person.id })],
    ['that is not JSON', '{'],
  ])('%s is ignored and removed', (_, stored) => {
    const local = fakeLocal({ orgPreference: stored });
    expect(readPreference(local, person)).toBeNull();
    expect(local.all.has('orgPreference')).toBe(false);
  });

  test('counts only while the person belongs to the organization', () => {
    const local = fakeLocal({ orgPreference: JSON.stringify(preference) });
    expect(preferredOrganization(local, person)).toBe(preferred);
    expect(preferredOrganization(local, { ...person, organizations: [] })).toBeNull();
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
    expect(withPreferredOrganization({ pathname, search }, preferred)).toBe(address);
  });
});

const ownOrigins = { origin: 'https://guard.example.org', github: 'https://github.com' };
const demo = { origin: 'http://localhost:3000', github: 'http://localhost:4001' };

/** One example of each way to lead a browser elsewhere. */
const REFUSED = [
  // Empty, or relative to the page.
  '',
  'collect',
  '?a=b',
  // Schemes that run code or leave GitHub's https.
  'javascript:alert(1)',
  ' JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  'javascript://github.com/%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'blob:https://github.com/1',
  'http://github.com/octo-org/hello',
  // Other hosts that look like GitHub.
  'https://evil.example/',
  'https://github.com.evil.example/',
  'https://evilgithub.com/',
  'https://gist.github.com/x',
  'https://github.com:8443/',
  'https://github.com./octo-org',
  'https://gіthub.com/',
  'https://ｇithub.com/',
  // User information.
  'https://github.com@evil.example/',
  'https://user:secret@github.com/',
  'https://github.com\\@evil.example/',
  // Slashes that browsers interpret differently.
  'https:github.com/octo-org',
  'https:///github.com/octo-org',
  'https://github.com//evil.example',
  'https://github.com/%2f%2fevil.example',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  '/%2fevil.example',
  '/%5cevil.example',
  '/%252f%252fevil.example',
  // Characters that a browser drops or a person can't see.
  '/\t/evil.example',
  '/\u0000/evil.example',
  '/\u2028/evil.example',
  '/\u202egro.live',
  '/ /evil.example',
  '/%0d%0aLocation:https://evil.example',
  '/%00',
  // Addresses of the dashboard are always paths.
  'https://guard.example.org/collect',
  `/${'a'.repeat(9000)}`,
];

describe('safeUrl', () => {
  test.each(REFUSED)('refuses %j', (value) => expect(safeUrl(value, ownOrigins)).toBeNull());

  test('refuses a missing parameter', () => {
    expect(safeUrl(null, ownOrigins)).toBeNull();
    expect(safeUrl(undefined, ownOrigins)).toBeNull();
  });

  test.each([
    ['/', '/'],
    ['/collect', '/collect'],
    ['/collect?pr=7&head=abc#main', '/collect?pr=7&head=abc#main'],
    ['/collect?url=https%3A%2F%2Fevil.example%2F', '/collect?url=https%3A%2F%2Fevil.example%2F'],
    ['/authenticators/../collect', '/collect'],
    ['https://GitHub.com/octo-org', 'https://github.com/octo-org'],
    [
      'https://github.com/o/r/pull/7/changes/abc?w=1#diff',
      'https://github.com/o/r/pull/7/changes/abc?w=1#diff',
    ],
  ])('allows %j as %j', (value, expected) => {
    expect(safeUrl(value, ownOrigins)).toBe(expected);
  });

  test('allows the exact origin of a local GitHub, over http too', () => {
    expect(safeUrl('http://localhost:4001/octo-org', demo)).toBe('http://localhost:4001/octo-org');
    expect(safeUrl('https://localhost:4001/octo-org', demo)).toBe('https://localhost:4001/octo-org');
  });

  test.each([
    'http://localhost:4002/',
    'http://localhost/',
    'http://127.0.0.1:4001/',
    'http://localhost:3000/',
  ])('refuses %j if GitHub is local', (value) => {
    expect(safeUrl(value, demo)).toBeNull();
  });
});

describe('safePath', () => {
  test('allows only paths of the dashboard', () => {
    expect(safePath('/collect?pr=7', ownOrigins)).toBe('/collect?pr=7');
    expect(safePath('https://github.com/octo-org', ownOrigins)).toBeNull();
    expect(safePath('//evil.example', ownOrigins)).toBeNull();
  });
});

describe('safeImage', () => {
  test.each([
    ['https://avatars.githubusercontent.com/u/1?v=4', 'https://avatars.githubusercontent.com/u/1?v=4'],
    ['http://localhost:4001/avatars/u/mona', 'http://localhost:4001/avatars/u/mona'],
  ])('allows %j', (value, expected) => {
    expect(safeImage(value, demo)).toBe(expected);
  });

  test.each(
    [
      ['', 'http://evil.example/a.png', 'javascript:alert(1)', 'data:image/svg+xml,x'],
      ['https://u:p@a.example/'],
    ].flat(),
  )('refuses %j', (value) => {
    expect(safeImage(value, demo)).toBeNull();
  });
});
