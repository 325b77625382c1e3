import type { Config } from '../../../lib/config.ts';

/**
 * GitHub's page on which an owner chooses the repositories of an installation. For a personal account, whose name is
 * the login of the person, GitHub has a different page.
 */
export function settingsUrl(
  { github }: Pick<Config, 'github'>,
  installation: string,
  owner: string,
  login: string,
): string {
  const settings = `settings/installations/${encodeURIComponent(installation)}`;
  if (!owner || owner.toLowerCase() === login.toLowerCase()) return `${github}/${settings}`;
  return `${github}/organizations/${encodeURIComponent(owner)}/${settings}`;
}
