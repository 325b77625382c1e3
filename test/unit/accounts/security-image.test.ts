import { describe, expect, it } from '@jest/globals';
import { setOrganizationImage, setPersonalImage } from '../../../src/accounts/security-image.ts';
import { AppError } from '../../../src/app-error.ts';
import { codeOf } from '../../support/code-of.ts';
import { anImage, anInstallation, fakeGitHub, fakeStores } from '../../support/fakes.ts';

const octocat = { userId: 'octocat', githubId: 12, login: 'octocat' };

async function world() {
  const stores = fakeStores();
  const deps = { ...stores, ...fakeGitHub(stores.stage) };
  await deps.organizations.save(anInstallation());
  deps.members.set(9, octocat.githubId, 'admin');
  return deps;
}

describe('a person’s security image', () => {
  it('is stored, and replaces the previous one', async () => {
    const w = await world();
    await setPersonalImage(w, { session: octocat, image: anImage() });
    const next = anImage({ variant: 'ring' });
    expect(await setPersonalImage(w, { session: octocat, image: next })).toEqual({ image: next });
    expect([...w.users.contacts]).toEqual([['octocat', { login: 'octocat', address: '', image: next }]]);
  });

  it('asks GitHub nothing', async () => {
    const w = await world();
    w.stage.calls.splice(0);
    await setPersonalImage(w, { session: octocat, image: anImage() });
    expect(w.stage.calls).toEqual(['users.setImage']);
  });
});

describe('an organization’s security image', () => {
  it('is stored with the name of the owner who set it', async () => {
    const w = await world();
    const input = { session: octocat, orgID: 9, image: anImage() };
    expect(await setOrganizationImage(w, input)).toEqual({ image: anImage() });
    expect(w.organizations.images).toEqual([{ orgId: 9, image: anImage(), by: 'octocat' }]);
  });

  it.each<[string, (w: Awaited<ReturnType<typeof world>>) => unknown, string]>([
    ['a member', (w) => w.members.set(9, octocat.githubId, 'member'), 'notOwner'],
    ['a stranger', (w) => w.members.roles.clear(), 'notOwner'],
    [
      'anybody while the App is suspended',
      (w) => w.organizations.save(anInstallation({ suspended: true })),
      'installationSuspended',
    ],
    [
      'anybody while GitHub does not answer',
      (w) => w.stage.fail('members.role', new AppError('githubUnavailable')),
      'githubUnavailable',
    ],
  ])('is not set by %s', async (_who, change, code) => {
    const w = await world();
    await change(w);
    const outcome = setOrganizationImage(w, { session: octocat, orgID: 9, image: anImage() });
    expect(await codeOf(outcome)).toBe(code);
    expect(w.organizations.images).toEqual([]);
  });
});
