/** Which installation the page is about, and whether the person comes from installing it a moment ago. */
export type Asked = { installation: string; justConnected: boolean };

/**
 * GitHub sends a person here with `installation_id` and `setup_action` when they have installed the App or changed its
 * repositories. What GitHub says is newer than an `installation` that the address has besides.
 * https://docs.github.com/en/apps/creating-github-apps/registering-a-github-app/about-the-setup-url
 */
export function readInstallation(search: string): Asked {
  const params = new URLSearchParams(search);
  const justConnected = ['install', 'update'].includes(params.get('setup_action') ?? '');
  const ours = params.get('installation') ?? '';
  const githubs = params.get('installation_id') ?? '';
  const installation = justConnected ? githubs || ours : ours || githubs;
  return { installation: /^[1-9][0-9]{0,15}$/.test(installation) ? installation : '', justConnected };
}
