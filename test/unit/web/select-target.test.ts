import { describe, expect, test } from '@jest/globals';
import {
  readSelectTarget,
  targetFor,
} from '../../../web/src/features/select-organization/select-organization-page.tsx';

const origins = { origin: 'https://guard.example.org', github: 'https://github.com' };
const organization = { orgId: 9919, name: 'octo-org', installationId: 77 };

function addressFor(search: string): string | null {
  const target = readSelectTarget(search, origins);
  return target && targetFor(target, organization);
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
