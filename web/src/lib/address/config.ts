/** GitHub's addresses, which the server writes into the page; the defaults are those of github.com. */
export type Config = {
  /** The dashboard's own origin. */
  origin: string;
  /** GitHub's origin, without a path. */
  github: string;
  /** The base of GitHub's REST API, without a trailing slash. */
  githubApi: string;
  /** GitHub's page to install the App in another organization; null if the server doesn't name it. */
  install: string | null;
};

/** Reads the meta tags that the server fills in. Empty tags mean github.com. */
export function readConfig(page: Document, origin: string): Config {
  return {
    origin,
    github: new URL(metaUrl(page, 'otp-guard:github') ?? 'https://github.com').origin,
    githubApi: (metaUrl(page, 'otp-guard:github-api') ?? 'https://api.github.com').replace(/\/+$/, ''),
    install: metaUrl(page, 'otp-guard:install'),
  };
}

function metaUrl(page: Document, name: string): string | null {
  const content = page.querySelector(`meta[name="${name}"]`)?.getAttribute('content') ?? '';
  return /^https?:\/\//.test(content) && URL.canParse(content) ? content : null;
}
