/** The two places that a link of the dashboard may lead to, as origins. */
export type Places = { origin: string; github: string };

const MAX_LENGTH = 8192;
// Controls, all kinds of white space, invisible and direction-changing characters, and the backslash
// (which URL parsers read as a slash). They have no place in an address and every use in a disguised one.
const FORBIDDEN = /[\p{C}\p{Z}\\]/u;
// In a path: an encoded percent sign (a second encoding), slash, backslash or control character.
const DISGUISED_IN_PATH = /%(?:25|2f|5c|[01][0-9a-f]|7f)/i;

/**
 * The one gate for addresses that did not come from this code: `redirectURL`, `url`, `headURL`, the server's
 * `redirect`. Returns a path of the dashboard (it begins with exactly one slash) or an absolute address on
 * GitHub's host; null for everything else, and for anything that would have to be repaired to be one of them.
 */
export function safeUrl(value: string | null | undefined, places: Places): string | null {
  if (!value || value.length > MAX_LENGTH || FORBIDDEN.test(value)) return null;
  return value.startsWith('/') ? ownPath(value, places.origin) : githubAddress(value, places.github);
}

/** As `safeUrl`, for where only a page of the dashboard will do. */
export function safePath(value: string | null | undefined, places: Places): string | null {
  const safe = safeUrl(value, places);
  return safe?.startsWith('/') ? safe : null;
}

function ownPath(value: string, origin: string): string | null {
  const url = parse(value, origin);
  if (!url || url.origin !== origin || DISGUISED_IN_PATH.test(url.pathname)) return null;
  // `/.//host` resolves to the path `//host`, which the next reader would take for a host.
  if (value.startsWith('//') || url.pathname.startsWith('//')) return null;
  return url.pathname + url.search + url.hash;
}

function githubAddress(value: string, github: string): string | null {
  // The authority is compared as it was written: no credentials, no other port, no look-alike letters.
  const written = /^(https?):\/\/([^/?#]+)(?=[/?#]|$)/i.exec(value);
  const url = written && parse(value);
  if (!url || written[2]?.toLowerCase() !== new URL(github).host) return null;
  if (url.protocol !== 'https:' && url.origin !== github) return null;
  if (url.pathname.startsWith('//') || DISGUISED_IN_PATH.test(url.pathname)) return null;
  return url.href;
}

/** An address that an `<img>` may load: https on any host, or on GitHub itself; without credentials, else null. */
export function safeImage(
  value: string | null | undefined,
  { github }: Pick<Places, 'github'>,
): string | null {
  if (!value || value.length > MAX_LENGTH || FORBIDDEN.test(value)) return null;
  const url = parse(value);
  if (!url || url.username || url.password) return null;
  return url.protocol === 'https:' || url.origin === github ? url.href : null;
}

function parse(value: string, base?: string): URL | null {
  return URL.canParse(value, base) ? new URL(value, base) : null;
}
