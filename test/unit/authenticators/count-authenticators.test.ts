import { expect, it } from '@jest/globals';
import { countAuthenticators } from '../../../src/authenticators/count-authenticators.ts';
import { codeOf } from '../../support/code-of.ts';
import { anInstallation, fakeStores } from '../../support/fakes.ts';

const octocat = { userId: 'octocat', githubId: 1, login: 'octocat' };
const mona = { userId: 'mona', githubId: 2, login: 'mona' };
const NUMBERS = { passkey: 3, 'security-key': 2, totp: 1 };

it('are numbers for the owners of an organization that has the App', async () => {
  const stores = fakeStores();
  const org = await stores.organizations.save(anInstallation());
  stores.memberships.put(org, { ...octocat, role: 'admin' }, { userId: octocat.userId });
  stores.memberships.put(org, { ...mona, role: 'member' }, { userId: mona.userId });
  const count = (session = octocat, orgID = org.orgId) =>
    countAuthenticators(
      { ...stores, heldAuthenticators: { count: async () => NUMBERS } },
      { session, orgID },
    );
  expect(await count()).toEqual(NUMBERS);
  expect(await codeOf(count(mona))).toBe('notOwner');
  expect(await codeOf(count(octocat, 404))).toBe('notOwner');
  await stores.organizations.save(anInstallation({ suspended: true }));
  expect(await codeOf(count())).toBe('notOwner');
});
