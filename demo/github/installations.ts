import { ACTIONS, APP } from './credentials.ts';
import type { Account, AppAccess, Installation, OtherApp } from './github-objects.ts';

export type Installations = ReturnType<typeof createInstallations>;

type OtherInstallation = Installation & { app_id: number };

/**
 * The App's installations, suspended ones included. They are kept here because the emulator can't suspend or remove
 * one. Starts with the emulator's list, and adds the account fields that it omits.
 */
export function createInstallations(origin: string, listed: readonly Installation[]) {
  const byID = new Map<number, Installation>(
    listed.map((installation) => {
      const account = {
        ...installation.account,
        html_url: `${origin}/${installation.account.login}`,
        gravatar_id: '',
        site_admin: false,
      };
      const html_url = `${origin}/organizations/${account.login}/settings/installations/${installation.id}`;
      return [installation.id, { ...installation, account, html_url, target_id: account.id }];
    }),
  );
  /** The first installation on each account, by its login in lower case. */
  const first = new Map(
    [...byID.values()].map((installation) => [installation.account.login.toLowerCase(), installation]),
  );
  /** The repositories of the installations that don't have all, by the id of the installation. */
  const selections = new Map<number, readonly number[]>();
  const others = new Map<number, OtherInstallation>();
  /** The other Apps by slug, including Apps that were removed everywhere: their runs stay. */
  const actions = { ...ACTIONS, permissions: { checks: 'write' }, events: [] };
  const otherApps = new Map<string, OtherApp>([[ACTIONS.slug, actions]]);
  let nextID = Math.max(0, ...byID.keys()) + 1_000;
  const change = (id: number, values: Partial<Installation>) => {
    const known = byID.get(id);
    if (known) byID.set(id, { ...known, ...values });
  };
  const all = () => [...byID.values()];
  return {
    all,
    find: (id: number) => byID.get(id),
    /** An installation of any App. */
    findAny: (id: number): Installation | undefined => byID.get(id) ?? others.get(id),
    /** The id of the App whose installation this is. */
    appOf: (id: number) => others.get(id)?.app_id ?? APP.id,
    findOtherApp: (id: number) => [...otherApps.values()].find((app) => app.id === id),
    /** The installation on this account; upper and lower case are the same. */
    findByLogin: (login: string) =>
      all().find(({ account }) => account.login.toLowerCase() === login.toLowerCase()),
    suspend: (id: number, by: Account) =>
      change(id, { suspended_at: new Date().toISOString(), suspended_by: by }),
    unsuspend: (id: number) => change(id, { suspended_at: null, suspended_by: null }),
    remove: (id: number) => void byID.delete(id),
    /** The accounts on which the App was installed once, and isn't now. */
    without: () => {
      const installed = new Set(all().map(({ account }) => account.id));
      return [...first.values()].map(({ account }) => account).filter(({ id }) => !installed.has(id));
    },
    /** Installs the App again on an account where it was removed: GitHub gives it a new id. Undefined if it never was there. */
    reinstall: (login: string) => {
      const known = first.get(login.toLowerCase());
      if (!known) return undefined;
      const id = nextID++;
      // Its URLs name the installation.
      const renamed = JSON.stringify(known).replaceAll(String(known.id), String(id));
      const installation = {
        ...(JSON.parse(renamed) as Installation),
        suspended_at: null,
        suspended_by: null,
      };
      byID.set(id, installation);
      return installation;
    },
    /** The id by which the emulator knows the installation: it keeps our first one. */
    emulatorIdOf: ({ id, account }: Pick<Installation, 'id' | 'account'>) =>
      first.get(account.login.toLowerCase())?.id ?? id,
    /** Changes what the account grants the App; what isn't named stays. */
    grant: (id: number, access: Partial<AppAccess>) => change(id, access),
    /** Whether the App may access the repository with this id, of an account where it's installed. */
    includes: ({ id }: Installation, repo: number) => selections.get(id)?.includes(repo) ?? true,
    /** Gives the App these repositories only, or all of the account if it's null. */
    select: (id: number, repositories: readonly number[] | null) => {
      if (repositories) selections.set(id, repositories);
      else selections.delete(id);
      change(id, { repository_selection: repositories ? 'selected' : 'all' });
    },
    /** The installations of other Apps on the account. */
    ofOthers: (account: Account) => [...others.values()].filter((one) => one.account.id === account.id),
    /** Installs another App on all repositories of the account; undefined if our App was never installed there. */
    installOther: (
      account: Account,
      { app_slug: slug, permissions, events }: Pick<OtherInstallation, 'app_slug' | 'permissions' | 'events'>,
    ) => {
      const ours = first.get(account.login.toLowerCase());
      if (!ours) return undefined;
      const id = nextID++;
      const access = { permissions, events };
      const app = { id, name: slug, ...otherApps.get(slug), slug, ...access };
      otherApps.set(slug, app);
      const installation = { ...ours, id, app_id: app.id, app_slug: slug, ...access };
      others.set(id, { ...installation, suspended_at: null, suspended_by: null });
      return others.get(id);
    },
    removeOther: (id: number) => void others.delete(id),
  };
}
