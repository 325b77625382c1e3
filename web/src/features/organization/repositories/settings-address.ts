import type { Config } from '../../../lib/config.ts';

/**
 * The page on GitHub where an owner chooses the repositories of an installation. A personal account has its own; its
 * name is the login of who looks at it.
 */
export function settingsAddress(
  { github }: Pick<Config, 'github'>,
  installation: string,
  owner: string,
  login: string,
): string {
  const settings = `settings/installations/${encodeURIComponent(installation)}`;
  if (!owner || owner.toLowerCase() === login.toLowerCase()) return `${github}/${settings}`;
  return `${github}/organizations/${encodeURIComponent(owner)}/${settings}`;
}
