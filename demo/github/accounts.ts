import { BOTS, botOf } from './bots.ts';
import type { EmulatorClient } from './emulator-client.ts';
import type { Account } from './github-objects.ts';

/** The account with this id; undefined if there is none. */
export async function findAccount(emulator: EmulatorClient, id: number): Promise<Account | undefined> {
  const [listed] = (await emulator.get<Account[]>(`/users?since=${id - 1}&per_page=1`)) ?? [];
  const isListed = listed?.id === id && BOTS[listed.login] === undefined;
  const login = botOf(id) ?? (isListed ? listed.login : undefined);
  // The list has accounts in brief.
  return login === undefined ? undefined : emulator.get<Account>(`/users/${encodeURIComponent(login)}`);
}

const NOREPLY = /^(\d+)\+[^@]+@users\.noreply\.github\.com$/i;

const briefly = ({ login, id, node_id, avatar_url, type, site_admin }: Account & Record<string, unknown>) =>
  ({ login, id, node_id, avatar_url, type, site_admin }) as Account;

type Commit = {
  commit: { author: { email: string }; committer: { email: string } };
  author: Account | null;
  committer: Account | null;
};

/**
 * The commits, linked to accounts as GitHub links them: an address that GitHub gave to a person names the account by its
 * id, and the login in it can be an old one. The emulator links it by the login, and all other addresses as GitHub does.
 */
export async function linkAccounts<T extends object>(emulator: EmulatorClient, commits: T[]): Promise<T[]> {
  const accountOf = async (email: string, linked: Account | null) => {
    const [, id] = NOREPLY.exec(email) ?? [];
    if (id === undefined) return linked;
    const found = await findAccount(emulator, Number(id));
    return found ? briefly(found) : null;
  };
  return Promise.all(
    (commits as (T & Commit)[]).map(async (one) => ({
      ...one,
      author: await accountOf(one.commit.author.email, one.author),
      committer: await accountOf(one.commit.committer.email, one.committer),
    })),
  );
}
