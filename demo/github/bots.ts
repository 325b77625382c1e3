import type { Account } from './github-objects.ts';

/** Machines of github.com, with their ids there (GitHub: "Get a user"). */
export const BOTS: Record<string, number> = {
  'claude[bot]': 209_825_114,
  'copilot-swe-agent[bot]': 198_982_749,
  'dependabot[bot]': 49_699_333,
  'renovate[bot]': 29_139_614,
};

/** The login of the machine with this id; undefined if it's none of these. */
export const botOf = (id: number): string | undefined =>
  Object.keys(BOTS).find((login) => BOTS[login] === id);

export const isBot = ({ login }: Pick<Account, 'login'>): boolean => login.endsWith('[bot]');

/** The account as GitHub shows it. The emulator has no bots among its people, and numbers all of them itself. */
export function asBot<T extends Pick<Account, 'login'>>(account: T): T {
  if (!isBot(account)) return account;
  const id = BOTS[account.login];
  return { ...account, type: 'Bot', ...(id !== undefined && { id, node_id: `BOT_${id}` }) };
}
