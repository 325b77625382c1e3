import { expect, it } from '@jest/globals';
import { createRecentReads } from '../../../src/http/recent-reads.ts';
import { anInstallation, anOpenPull, fakeStores } from '../../support/fakes.ts';
import { target } from '../approvals/approval-world.ts';

const MONA = { githubId: 1, login: 'mona' };

it('knows a new member at once, and one who left for a minute more', async () => {
  const stores = fakeStores();
  const org = await stores.organizations.save(anInstallation());
  const recent = createRecentReads(stores, stores.clock);
  const read = () => recent.installationOf('mona', org.orgId);
  expect(await read()).toBeNull();
  stores.memberships.put(org, { ...MONA, role: 'member' }, { userId: 'mona' });
  expect(await read()).toBe(org.installationId);
  await stores.memberships.save(org, MONA, null);
  stores.clock.pass(59_000);
  expect(await read()).toBe(org.installationId);
  stores.clock.pass(1_000);
  expect(await read()).toBeNull();
});

it('finds where a repository was moved to after a minute', async () => {
  const stores = fakeStores();
  await stores.organizations.save(anInstallation());
  const other = await stores.organizations.save(
    anInstallation({ id: 6, account: { ...anInstallation().account, id: 10, login: 'other' } }),
  );
  const recent = createRecentReads(stores, stores.clock);
  expect(await recent.elsewhere(target)).toEqual([]);
  await stores.openPulls.save(other.orgId, [anOpenPull()], stores.clock.now());
  expect(await recent.elsewhere(target)).toEqual([]);
  stores.clock.pass(60_000);
  expect(await recent.elsewhere(target)).toEqual([other.orgId]);
});
