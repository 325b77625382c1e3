import { describe, expect, it } from '@jest/globals';
import { registrationOptions } from '../../../src/authenticators/register/register-webauthn.ts';
import { SoftwareAuthenticator } from '../../support/authenticator.ts';
import { aCredential } from '../../support/fakes.ts';
import { mona, ORIGIN, world } from './world.ts';

async function optionsOf(type: 'passkey' | 'security-key', key = new SoftwareAuthenticator(ORIGIN)) {
  const deps = await world();
  deps.credentials.stored.push(
    aCredential(key, { orgRecordId: deps.org.id }),
    aCredential(new SoftwareAuthenticator(ORIGIN), { userId: 'octocat', orgRecordId: deps.org.id }),
  );
  return (await registrationOptions(deps, { person: mona, type, label: 'Key', orgID: 9 })).options;
}

describe('the options of a registration', () => {
  it('exclude the person’s own registered keys, so that none is made twice', async () => {
    const key = new SoftwareAuthenticator(ORIGIN);
    const { excludeCredentials } = await optionsOf('passkey', key);
    expect(excludeCredentials?.map(({ id }) => id)).toEqual([key.id]);
  });

  it.each([
    ['passkey', 'platform', 'preferred', 'for the device itself'],
    ['security-key', 'cross-platform', 'discouraged', 'for a key with few places'],
  ] as const)('of a %s ask for %s and a discoverable credential is %s: %s', async (...row) => {
    const [type, authenticatorAttachment, residentKey] = row;
    const { authenticatorSelection } = await optionsOf(type);
    expect(authenticatorSelection).toMatchObject({ authenticatorAttachment, residentKey });
  });
});
