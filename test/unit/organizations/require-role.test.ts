import { describe, expect, it } from '@jest/globals';
import { requireOwner } from '../../../src/organizations/require-role.ts';
import { codeOf } from '../../support/code-of.ts';
import { anInstallation, fakeGitHub, fakeStores } from '../../support/fakes.ts';

const octocat = { userId: 'octocat', githubId: 12, login: 'octocat' };

async function world() {
  const stores = fakeStores();
  const deps = { ...stores, ...fakeGitHub(stores.stage) };
  const org = await deps.organizations.save(anInstallation());
  deps.members.set(9, octocat.githubId, 'admin');
  return { ...deps, org, ask: (orgID = 9, session = octocat) => requireOwner(deps, session, orgID) };
}

type World = Awaited<ReturnType<typeof world>>;

describe('an owner of an organization', () => {
  it('gets the organization if GitHub confirms the role', async () => {
    const w = await world();
    expect(await w.ask()).toEqual(w.org);
  });

  it.each<[string, (w: World) => unknown, string]>([
    ['a member', (w) => w.members.set(9, octocat.githubId, 'member'), 'notOwner'],
    [
      'an owner of another organization',
      (w) => {
        w.members.roles.clear();
        w.members.set(10, octocat.githubId, 'admin');
      },
      'notOwner',
    ],
    ['anybody after the App was removed', (w) => w.organizations.removed(5), 'installationNotFound'],
    ['anybody without an installation', (w) => w.organizations.stored.splice(0), 'installationNotFound'],
    [
      'anybody while the App is suspended',
      (w) => w.organizations.save(anInstallation({ suspended: true })),
      'installationSuspended',
    ],
    [
      'anybody while GitHub does not answer',
      (w) => w.stage.fail('members.role', 'githubUnavailable'),
      'githubUnavailable',
    ],
  ])('is not %s', async (_who, change, code) => {
    const w = await world();
    await change(w);
    expect(await codeOf(w.ask())).toBe(code);
  });
});
