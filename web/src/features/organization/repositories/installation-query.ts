/** Which installation the page is about, and whether the person has just installed or changed the App. */
export type InstallationQuery = { installation: string; justInstalled: boolean };

/**
 * Reads the installation from the query string. After somebody installs the App or changes its repositories, GitHub
 * sends them here with `installation_id` and `setup_action`; that id is newer than an `installation` parameter.
 * https://docs.github.com/en/apps/creating-github-apps/registering-a-github-app/about-the-setup-url
 */
export function readInstallationQuery(search: string): InstallationQuery {
  const params = new URLSearchParams(search);
  const justInstalled = ['install', 'update'].includes(params.get('setup_action') ?? '');
  const ours = params.get('installation') ?? '';
  const githubs = params.get('installation_id') ?? '';
  const installation = justInstalled ? githubs || ours : ours || githubs;
  return { installation: /^[1-9][0-9]{0,15}$/.test(installation) ? installation : '', justInstalled };
}
