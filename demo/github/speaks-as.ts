/**
 * Which GitHub the local one speaks as. `dataResidency` is GitHub Enterprise Cloud at a host of its own, such as
 * acme.ghe.com, with its API at api.acme.ghe.com.
 */
export type SpeaksAs =
  | { kind: 'github.com' }
  | { kind: 'enterpriseServer'; version: string }
  | { kind: 'dataResidency' };

export type Addresses = {
  /** `http://localhost:<port>`: the pages, and on github.com the API too. */
  origin: string;
  /** The root of the REST API. */
  apiUrl: string;
};

export const GITHUB_COM: SpeaksAs = { kind: 'github.com' };

/**
 * Reads `DEMO_GITHUB_AS`: the version of an Enterprise Server, such as 3.19.2, or ghe.com.
 *
 * @throws an Error of one sentence if it's neither.
 */
export function readSpeaksAs(value: string | undefined): SpeaksAs {
  if (!value || value === 'github.com') return GITHUB_COM;
  if (value === 'ghe.com') return { kind: 'dataResidency' };
  if (/^\d+\.\d+\.\d+$/.test(value)) return { kind: 'enterpriseServer', version: value };
  throw new Error(
    'DEMO_GITHUB_AS must be ghe.com or the version of an Enterprise Server, for example 3.19.2.',
  );
}

/** The version of the Enterprise Server; undefined if it isn't one. */
export const enterpriseVersionOf = (as: SpeaksAs): string | undefined =>
  as.kind === 'enterpriseServer' ? as.version : undefined;

/**
 * The root of the REST API. The names `localhost` and `127.0.0.1` lead to the same server, so they stand for the two
 * hosts of data residency.
 */
export function apiUrlOf(as: SpeaksAs, origin: string): string {
  if (as.kind === 'enterpriseServer') return `${origin}/api/v3`;
  return as.kind === 'dataResidency' ? origin.replace('localhost', '127.0.0.1') : origin;
}

/** The App's page. Enterprise Server has it at another path (GitHub: "Sharing your GitHub App"). */
export const appPageOf = (as: SpeaksAs, origin: string, slug: string): string =>
  `${origin}/${as.kind === 'enterpriseServer' ? 'github-apps' : 'apps'}/${slug}`;
