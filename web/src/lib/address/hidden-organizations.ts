import type { Config } from './config.ts';
import { safeUrl } from './safe-url.ts';

/** An organization that GitHub hides from a token until its holder used its single sign-on. */
type HiddenOrganization = {
  /** Tells it from the others: GitHub's id or the address. */
  key: string;
  /** Null if GitHub names neither the organization nor the page. */
  name: string | null;
  /** Its page on GitHub for single sign-on. */
  url: string | null;
};

const MOST_NAMED = 5;

/**
 * Reads which organizations GitHub hides from this token. Only the header of an answer says so (docs.github.com,
 * "Authenticating to the REST API"). Empty if GitHub doesn't answer.
 */
export async function readHiddenOrganizations(config: Config, token: string): Promise<HiddenOrganization[]> {
  const header = (await ask(config, token, '/user/installations?per_page=1'))?.header ?? '';
  const [, ids = ''] = /^partial-results; *organizations=([0-9, ]+)$/.exec(header) ?? [];
  const hidden = ids.split(',').flatMap((id) => id.trim() || []);
  if (hidden.length === 0) return pageIn(config, header);
  return Promise.all(hidden.slice(0, MOST_NAMED).map((id) => readOne(config, token, id)));
}

/** GitHub either shows the organization's public profile, or refuses it with the page for single sign-on. */
async function readOne(config: Config, token: string, id: string): Promise<HiddenOrganization> {
  const found = await ask(config, token, `/user/${id}`);
  const [refused] = pageIn(config, found?.header ?? '');
  const name = found?.account.login;
  if (refused || typeof name !== 'string') return refused ?? { key: id, name: null, url: null };
  return { key: id, name, url: `${config.github}/orgs/${encodeURIComponent(name)}/sso` };
}

/** The page that a refusal names, if it's one for single sign-on and on the configured GitHub. */
function pageIn(config: Config, header: string): HiddenOrganization[] {
  const [, written] = /^required; *url=(\S+)$/.exec(header) ?? [];
  const url = safeUrl(written, config);
  if (!url || new URL(url, config.origin).origin !== config.github) return [];
  const [, name] = /^\/orgs\/([\w-]+)\/sso$/.exec(new URL(url).pathname) ?? [];
  return name ? [{ key: url, name, url }] : [];
}

async function ask(config: Config, token: string, path: string) {
  try {
    const response = await fetch(config.githubApi + path, {
      headers: { Accept: 'application/vnd.github+json', Authorization: `Bearer ${token}` },
      cache: 'no-store',
      signal: AbortSignal.timeout(5000),
    });
    const account: { login?: unknown } = response.ok ? await response.json() : {};
    return { header: response.headers.get('X-GitHub-SSO') ?? '', account };
  } catch {
    return null;
  }
}
