import { describe, expect, it } from '@jest/globals';
import { setOrganizationImage } from '../../../src/organizations/organization-image.ts';
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

describe('an organization’s security image', () => {
  it('is stored with a log entry that names the owner who set it', async () => {
    const w = await world();
    const input = { session: octocat, orgID: 9, image: anImage() };
    expect(await setOrganizationImage(w, input)).toEqual({ image: anImage() });
    expect(w.organizations.images).toEqual([
      {
        orgId: 9,
        image: anImage(),
        activity: {
          activity: 'setOrgImage',
          userId: 'octocat',
          orgRecordId: w.organizations.stored[0]?.id,
          data: { login: 'octocat', org: 'octo-org' },
          personFacts: { by: { id: 12, login: 'octocat' } },
        },
      },
    ]);
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
      (w) => w.stage.fail('members.role', 'githubUnavailable'),
      'githubUnavailable',
    ],
  ])('is not set by %s', async (_who, change, code) => {
    const w = await world();
    await change(w);
    const outcome = setOrganizationImage(w, { session: octocat, orgID: 9, image: anImage() });
    expect([await codeOf(outcome), w.organizations.images]).toEqual([code, []]);
  });
});
