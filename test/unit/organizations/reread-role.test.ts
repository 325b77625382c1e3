import { describe, expect, it } from '@jest/globals';
import type { Organization } from '../../../src/organizations/ports.ts';
import { rereadRole } from '../../../src/organizations/refresh-memberships.ts';
import { codeOf } from '../../support/code-of.ts';
import { anInstallation, fakeGitHub, fakeStores } from '../../support/fakes.ts';

const mona = { githubId: 11, login: 'mona' };

async function world() {
  const stores = fakeStores();
  const deps = { ...stores, ...fakeGitHub(stores.stage) };
  deps.installations.all.push({ ...anInstallation(), repositories: [] });
  const org = await deps.organizations.save(anInstallation());
  deps.stage.calls.splice(0);
  return { ...deps, org, reread: (of: Organization = org) => rereadRole(deps, of, mona) };
}

describe('the current role of a person', () => {
  it('is the role that GitHub returns, without a second request', async () => {
    const w = await world();
    w.members.set(9, 11, 'admin');
    expect([await w.reread(), w.stage.calls]).toEqual([{ role: 'admin', login: 'mona' }, ['members.role']]);
  });

  it('is none if GitHub says no and both names are still current', async () => {
    const w = await world();
    expect(await w.reread()).toEqual({ role: null, login: 'mona' });
  });

  it('is found under the person’s new login', async () => {
    const w = await world();
    w.members.set(9, 11, 'member');
    w.members.logins.set(11, 'mona-now');
    expect(await w.reread()).toEqual({ role: 'member', login: 'mona-now' });
  });

  it('is found under the organization’s new name', async () => {
    const w = await world();
    w.members.set(9, 11, 'member');
    w.members.orgNames.set(9, 'octo-now');
    const [installation] = w.installations.all;
    if (installation) installation.account = { ...installation.account, login: 'octo-now' };
    expect(await w.reread()).toEqual({ role: 'member', login: 'mona' });
    expect(w.organizations.stored).toMatchObject([{ name: 'octo-now' }]);
  });

  it('is unknown if the App was removed, which is stored', async () => {
    const w = await world();
    w.installations.all.splice(0);
    expect(await w.reread()).toBe('unknown');
    expect(w.organizations.stored).toMatchObject([{ installationId: 0 }]);
  });

  it('is unknown if GitHub refuses because the App was suspended, which is stored', async () => {
    const w = await world();
    const [installation] = w.installations.all;
    if (installation) installation.suspended = true;
    w.stage.fail('members.role', 'installationSuspended');
    expect(await w.reread()).toBe('unknown');
    expect(w.organizations.stored).toMatchObject([{ suspended: true }]);
  });

  it('is unknown if the App was suspended, which is stored', async () => {
    const w = await world();
    const [installation] = w.installations.all;
    if (installation) installation.suspended = true;
    expect(await w.reread()).toBe('unknown');
    expect(w.organizations.stored).toMatchObject([{ suspended: true }]);
  });

  it.each([{ suspended: true }, { installationId: 0 }])(
    'is unknown, without a request: %j',
    async (change) => {
      const w = await world();
      expect([await w.reread({ ...w.org, ...change }), w.stage.calls]).toEqual(['unknown', []]);
    },
  );

  it.each(['members.role', 'installations.get', 'organizations.save', 'members.loginOf'])(
    'is an error, not a no: %s',
    async (call) => {
      const w = await world();
      w.stage.fail(call, 'githubUnavailable');
      expect(await codeOf(w.reread())).toBe('githubUnavailable');
    },
  );
});
