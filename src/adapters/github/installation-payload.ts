import type { Installation } from '../../organizations/ports.ts';

/** The fields we read of GitHub's installation object; the same in webhooks and in API answers. */
export type GitHubInstallation = {
  id: number;
  account: { id: number; login?: string; type?: string; html_url?: string } | null;
  target_type?: string;
  suspended_at?: string | null;
  repository_selection?: string;
  html_url?: string;
  permissions?: object;
};

/** Null if the account is neither an organization nor a person: an enterprise, for example. */
export function toInstallation(raw: GitHubInstallation, serverUrl: string): Installation | null {
  const { account } = raw;
  const type = raw.target_type ?? account?.type;
  if (!account?.login || (type !== 'Organization' && type !== 'User')) return null;
  return {
    id: raw.id,
    account: {
      id: account.id,
      login: account.login,
      type,
      htmlUrl: account.html_url ?? `${serverUrl}/${account.login}`,
    },
    suspended: Boolean(raw.suspended_at),
    repositorySelection: raw.repository_selection === 'all' ? 'all' : 'selected',
    settingsUrl: raw.html_url ?? `${serverUrl}/settings/installations/${raw.id}`,
    permissions: { ...raw.permissions } as Record<string, string>,
  };
}

/** The installations of a list, without those on other kinds of account. */
export function toInstallations(list: unknown[], serverUrl: string): Installation[] {
  return list
    .map((raw) => toInstallation(raw as GitHubInstallation, serverUrl))
    .filter((installation) => installation !== null);
}
