import { systemRandom } from '../../../src/shared/clock.ts';
import { anInstallation, FakeSessions, fakeGitHub, fakeStores } from '../../support/fakes.ts';

export const ORIGIN = 'https://guard.example.org';
export const mona = { userId: 'mona', githubId: 11, login: 'mona', avatarUrl: '' };
export const octocat = { userId: 'octocat', githubId: 12, login: 'octocat', avatarUrl: '' };
export type Person = typeof mona;

/** Every port in memory, and `octo-org`, which octocat owns and mona is a member of. */
export async function world() {
  const stores = fakeStores();
  const deps = {
    ...stores,
    ...fakeGitHub(stores.stage),
    sessions: new FakeSessions(stores.stage),
    mailer: null,
    random: systemRandom,
  };
  const org = await deps.organizations.save(anInstallation());
  deps.members.set(9, mona.githubId, 'member');
  deps.members.set(9, octocat.githubId, 'admin');
  return { ...deps, org };
}
