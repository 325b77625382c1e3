import { anInstallation, aRepository, fakeGitHub, fakeStores } from '../../support/fakes.ts';

export const MINUTE = 60_000;
export const mona = { userId: 'mona', githubId: 11, login: 'mona' };
export const octocat = { userId: 'octocat', githubId: 12, login: 'octocat' };

/** Mona is a member and octocat an owner of octo-org, which has repositories of these names. */
export async function world({ installation = anInstallation(), names = ['hello'] } = {}) {
  const stores = fakeStores();
  const deps = { ...stores, ...fakeGitHub(stores.stage, stores.clock) };
  const org = await deps.organizations.save(installation);
  const repositories = names.map((name, at) => aRepository({ id: 42 + at, name }));
  deps.installations.all.push({ ...installation, repositories });
  for (const [person, role] of [
    [mona, 'member'],
    [octocat, 'admin'],
  ] as const) {
    deps.members.set(9, person.githubId, role);
    deps.memberships.put(org, { ...person, role }, { userId: person.userId, enrolled: person === mona });
  }
  deps.stage.calls.splice(0);
  return {
    ...deps,
    org,
    pullSearch: deps.openPulls,
    mailer: {},
    statistics: { days: async () => [] },
    memberReminders: { remindable: async () => ({ members: [], withoutAddress: 0 }), add: async () => true },
    checkRepositoriesSoon: (): void => undefined,
    count: (call: string) => deps.stage.calls.filter((one) => one === call).length,
  };
}

export type World = Awaited<ReturnType<typeof world>>;
