import { type Action, stepUpOptions } from '../../../src/authenticators/step-up/step-up.ts';
import type { StepUp } from '../../../src/contract/step-up.ts';
import { systemRandom } from '../../../src/shared/clock.ts';
import { SoftwareAuthenticator } from '../../support/authenticator.ts';
import { aCredential, anInstallation, FakeSessions, fakeGitHub, fakeStores } from '../../support/fakes.ts';

export const ORIGIN = 'https://guard.example.org';
export type Person = { userId: 'mona' | 'octocat'; githubId: number; login: string; avatarUrl: string };
export const mona: Person = { userId: 'mona', githubId: 11, login: 'mona', avatarUrl: '' };
export const octocat: Person = { userId: 'octocat', githubId: 12, login: 'octocat', avatarUrl: '' };

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

/** The world, in which octocat and mona have a key each in `octo-org`. */
export async function worldWithKeys() {
  const deps = await world();
  const { org } = deps;
  const keys = { mona: new SoftwareAuthenticator(ORIGIN), octocat: new SoftwareAuthenticator(ORIGIN) };
  for (const { userId } of [mona, octocat])
    deps.credentials.stored.push(
      aCredential(keys[userId], { id: `key-of-${userId}`, userId, orgRecordId: org.id }),
    );
  /** A proof that claims `shown`, by the person's key over a challenge that was made for `made`. */
  const proof = async (
    person: Person,
    made: Action,
    { shown = made, key = keys[person.userId], orgId = org.orgId } = {},
  ): Promise<StepUp> => {
    const { options } = await stepUpOptions(deps, { session: person, org: { ...org, orgId }, action: made });
    return { ...shown, webauthn: key.get(options) } as unknown as StepUp;
  };
  return { ...deps, keys, proof };
}
