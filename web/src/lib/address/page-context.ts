/**
 * The page's query parameters. Anyone can write a link, so they only choose what to request from the server and what to
 * show as a hint. They never decide anything.
 */
export type PageContext = {
  installation: string;
  repo: string;
  owner: string;
  ownerID: string;
  /** The repository's id; empty if the link leaves it out. */
  repoID: string;
  pr: string;
  url: string;
  head: string;
  headURL: string;
  title: string;
  /** The workflow run that waits, and its environment. */
  run: string;
  environment: string;
  redirectURL: string;
  info: string;
};

const APPROVAL_PARAMETERS = [
  'installation',
  'repo',
  'owner',
  'ownerID',
  'repoID',
  'pr',
  'url',
  'head',
  'headURL',
  'title',
] as const satisfies (keyof PageContext)[];

const NAMES = [
  ...APPROVAL_PARAMETERS,
  'run',
  'environment',
  'redirectURL',
  'info',
] as const satisfies (keyof PageContext)[];

/** Reads the query parameters; a missing one is the empty string. */
export function readPageContext(search: string): PageContext {
  const params = new URLSearchParams(search);
  return Object.fromEntries(NAMES.map((name) => [name, params.get(name) ?? ''])) as PageContext;
}

/** The text about each parameter that an address can lack, in the words of the specification. */
const MISSING: { [Name in keyof PageContext]?: string } = {
  installation: 'missing installation',
  owner: 'missing org',
  ownerID: 'missing organization id',
  repo: 'missing repo',
  pr: 'missing pr',
  head: 'missing head',
};

/** The words for the first of these parameters that the address lacks; null if it has them all. */
export function missingOf(context: PageContext, names: readonly (keyof PageContext)[]): string | null {
  const name = names.find((one) => context[one] === '');
  return name ? (MISSING[name] ?? `missing ${name}`) : null;
}

/** A path with the current query string. `changes` adds or replaces parameters; null removes one. */
export function keepQuery(path: string, search: string, changes: Record<string, string | null> = {}): string {
  const params = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) params.delete(name);
    else params.set(name, value);
  }
  const query = params.toString();
  return query ? `${path}?${query}` : path;
}

/** The address of `/collect` for this page's approval, to return to after a registration. */
export function collectPath(context: PageContext): string {
  const given = APPROVAL_PARAMETERS.filter((name) => context[name] !== '');
  return keepQuery('/collect', '', Object.fromEntries(given.map((name) => [name, context[name]])));
}
