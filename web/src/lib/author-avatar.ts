import type { Config } from './config.ts';

/** The address of an account's picture, by its login; null for an App's account, which has none there. */
export function authorAvatar({ github }: Pick<Config, 'github'>, login: string): string | null {
  if (login === '' || login.endsWith('[bot]')) return null;
  return `${github}/${encodeURIComponent(login)}.png?size=40`;
}
