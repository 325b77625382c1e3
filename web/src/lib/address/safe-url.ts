/** The two origins that a link in the dashboard may lead to. */
export type Origins = { origin: string; github: string };

const MAX_LENGTH = 8192;
// Control characters, white space, invisible and direction-changing characters, and the backslash (URL parsers read it
// as a slash): real addresses never contain them, disguised ones do.
const FORBIDDEN = /[\p{C}\p{Z}\\]/u;
// In a path: an encoded percent sign (a second encoding), slash, backslash or control character.
const DISGUISED_IN_PATH = /%(?:25|2f|5c|[01][0-9a-f]|7f)/i;

/**
 * Checks every address that didn't come from this code: `redirectURL`, `url`, `headURL`, the server's `redirect`.
 * Returns a path of the dashboard (it starts with exactly one slash) or an absolute address on GitHub's host. Returns
 * null for everything else: it refuses a malformed address instead of repairing it.
 */
export function safeUrl(value: string | null | undefined, origins: Origins): string | null {
  if (!value || value.length > MAX_LENGTH || FORBIDDEN.test(value)) return null;
  return value.startsWith('/') ? dashboardPath(value, origins.origin) : githubAddress(value, origins.github);
}

/** Like `safeUrl`, but allows only pages of the dashboard. */
export function safePath(value: string | null | undefined, origins: Origins): string | null {
  const safe = safeUrl(value, origins);
  return safe?.startsWith('/') ? safe : null;
}

function dashboardPath(value: string, origin: string): string | null {
  const url = parse(value, origin);
  if (!url || url.origin !== origin || DISGUISED_IN_PATH.test(url.pathname)) return null;
  // `/.//host` resolves to the path `//host`, which a browser would read as another host.
  if (value.startsWith('//') || url.pathname.startsWith('//')) return null;
  return url.pathname + url.search + url.hash;
}

function githubAddress(value: string, github: string): string | null {
  // Compares the authority as written, which excludes credentials, other ports and look-alike letters.
  const written = /^(https?):\/\/([^/?#]+)(?=[/?#]|$)/i.exec(value);
  const url = written && parse(value);
  if (!url || written[2]?.toLowerCase() !== new URL(github).host) return null;
  if (url.protocol !== 'https:' && url.origin !== github) return null;
  if (url.pathname.startsWith('//') || DISGUISED_IN_PATH.test(url.pathname)) return null;
  return url.href;
}

/** An address that an `<img>` may load: https on any host, or GitHub's origin, without credentials; else null. */
export function safeImage(
  value: string | null | undefined,
  { github }: Pick<Origins, 'github'>,
): string | null {
  if (!value || value.length > MAX_LENGTH || FORBIDDEN.test(value)) return null;
  const url = parse(value);
  if (!url || url.username || url.password) return null;
  return url.protocol === 'https:' || url.origin === github ? url.href : null;
}

function parse(value: string, base?: string): URL | null {
  return URL.canParse(value, base) ? new URL(value, base) : null;
}
