import type { Account, AppAccess, Installation } from './github-objects.ts';

/** The App's installations. They are kept here because the emulator can't suspend or remove one. */
export type Installations = {
  /** All of them, suspended ones included, as the API shows them. */
  all(): Installation[];
  find(id: number): Installation | undefined;
  /** The installation on this account; upper and lower case are the same. */
  findByLogin(login: string): Installation | undefined;
  suspend(id: number, by: Account): void;
  unsuspend(id: number): void;
  remove(id: number): void;
  /** The accounts on which the App was installed once, and isn't now. */
  without(): Account[];
  /** Installs the App again on an account where it was removed: GitHub gives it a new id. Undefined if it never was there. */
  reinstall(login: string): Installation | undefined;
  /** The id by which the emulator knows the installation: it keeps the first one. */
  emulatorIdOf(id: number): number;
  /** Changes what the account grants the App; what isn't named stays. */
  grant(id: number, access: Partial<AppAccess>): void;
  /** Whether the App may access the repository with this id, of an account where it's installed. */
  includes(installation: Installation, repo: number): boolean;
  /** Gives the App these repositories only, or all of the account if it's null. */
  select(id: number, repositories: readonly number[] | null): void;
  /** The installations of other Apps on the account, of which nothing but the list of all is known here. */
  ofOthers(account: Account): OtherInstallation[];
  /** Installs another App on all repositories of the account; undefined if this App was never installed there. */
  installOther(
    account: Account,
    app: Pick<OtherInstallation, 'app_slug' | 'permissions'>,
  ): OtherInstallation | undefined;
  removeOther(id: number): void;
};

export type OtherInstallation = Installation & { app_id: number };

/** Starts with the installations that the emulator lists, and adds the account fields that it omits. */
export function createInstallations(origin: string, listed: readonly Installation[]): Installations {
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
  let nextID = Math.max(0, ...byID.keys()) + 1_000;
  const change = (id: number, values: Partial<Installation>) => {
    const known = byID.get(id);
    if (known) byID.set(id, { ...known, ...values });
  };
  const all = () => [...byID.values()];
  return {
    all,
    find: (id) => byID.get(id),
    findByLogin: (login) => all().find(({ account }) => account.login.toLowerCase() === login.toLowerCase()),
    suspend: (id, by) => change(id, { suspended_at: new Date().toISOString(), suspended_by: by }),
    unsuspend: (id) => change(id, { suspended_at: null, suspended_by: null }),
    remove: (id) => void byID.delete(id),
    without: () => {
      const installed = new Set(all().map(({ account }) => account.id));
      return [...first.values()].map(({ account }) => account).filter(({ id }) => !installed.has(id));
    },
    reinstall: (login) => {
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
    emulatorIdOf: (id) => first.get(byID.get(id)?.account.login.toLowerCase() ?? '')?.id ?? id,
    grant: change,
    includes: ({ id }, repo) => selections.get(id)?.includes(repo) ?? true,
    select: (id, repositories) => {
      if (repositories) selections.set(id, repositories);
      else selections.delete(id);
      change(id, { repository_selection: repositories ? 'selected' : 'all' });
    },
    ofOthers: (account) => [...others.values()].filter((one) => one.account.id === account.id),
    installOther: (account, { app_slug, permissions }) => {
      const ours = first.get(account.login.toLowerCase());
      if (!ours) return undefined;
      const id = nextID++;
      const events: string[] = [];
      const installation = { ...ours, id, app_id: id, app_slug, permissions, events };
      others.set(id, { ...installation, suspended_at: null, suspended_by: null });
      return others.get(id);
    },
    removeOther: (id) => void others.delete(id),
  };
}
