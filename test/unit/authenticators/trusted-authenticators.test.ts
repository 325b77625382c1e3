import { expect, it } from '@jest/globals';
import { createTrustedAuthenticators } from '../../../src/authenticators/trusted-authenticators.ts';
import { codeOf } from '../../support/code-of.ts';
import { aTotpApp } from '../../support/fakes.ts';
import { mona, worldWithKeys } from './world.ts';

it('trusts no authenticator of an organization that isn’t stored: its policy isn’t known', async () => {
  const w = await worldWithKeys();
  w.totpApps.stored.push(aTotpApp({ orgRecordId: w.org.id }));
  const { list, find } = createTrustedAuthenticators(w);
  expect([(await list(mona.userId, w.org.id)).length, await find(mona.userId, w.org.id)]).toMatchObject([
    1,
    {},
  ]);
  const byId = async () => null;
  const gone = createTrustedAuthenticators({ ...w, organizations: { ...w.organizations, byId } as never });
  expect(await codeOf(gone.list(mona.userId, w.org.id))).toBe('installationNotFound');
  expect(await codeOf(gone.find(mona.userId, w.org.id))).toBe('installationNotFound');
});
