import type { Account, Grants, Installation } from './shapes.ts';

/** The App's installations. The emulator cannot suspend or remove one: this book says which are. */
export type InstallationBook = {
  /** Installed ones, the suspended included, as the API shows them. */
  all(): Installation[];
  find(id: number): Installation | undefined;
  /** The installation on the account of this name, whatever the case of its letters. */
  on(login: string): Installation | undefined;
  suspend(id: number, by: Account): void;
  unsuspend(id: number): void;
  remove(id: number): void;
  /** What the account grants the App from now on; what is not named stays. */
  grant(id: number, grants: Partial<Grants>): void;
};

/** A book over what the emulator lists, with the members that it leaves out of an account. */
export function createInstallationBook(origin: string, listed: readonly Installation[]): InstallationBook {
  const book = new Map<number, Installation>(
    listed.map((each) => {
      const account = {
        ...each.account,
        html_url: `${origin}/${each.account.login}`,
        gravatar_id: '',
        site_admin: false,
      };
      const html_url = `${origin}/organizations/${account.login}/settings/installations/${each.id}`;
      return [each.id, { ...each, account, html_url, target_id: account.id }];
    }),
  );
  const change = (id: number, values: Partial<Installation>) => {
    const known = book.get(id);
    if (known) book.set(id, { ...known, ...values });
  };
  const all = () => [...book.values()];
  return {
    all,
    find: (id) => book.get(id),
    on: (login) => all().find((each) => each.account.login.toLowerCase() === login.toLowerCase()),
    suspend: (id, by) => change(id, { suspended_at: new Date().toISOString(), suspended_by: by }),
    unsuspend: (id) => change(id, { suspended_at: null, suspended_by: null }),
    remove: (id) => void book.delete(id),
    grant: change,
  };
}
