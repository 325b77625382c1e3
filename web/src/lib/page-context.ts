/**
 * What the address says about the page. The person who sent the link wrote it, so it only ever chooses what to
 * ask the server for and what to show as a hint; nothing is decided by it.
 */
export type PageContext = {
  installation: string;
  repo: string;
  owner: string;
  ownerID: string;
  pr: string;
  url: string;
  head: string;
  headURL: string;
  title: string;
  redirectURL: string;
  info: string;
};

const NAMES = [
  'installation',
  'repo',
  'owner',
  'ownerID',
  'pr',
  'url',
  'head',
  'headURL',
  'title',
  'redirectURL',
  'info',
] as const satisfies (keyof PageContext)[];

/** Reads the query parameters; one that is missing is the empty string. */
export function readPageContext(search: string): PageContext {
  const params = new URLSearchParams(search);
  return Object.fromEntries(NAMES.map((name) => [name, params.get(name) ?? ''])) as PageContext;
}

/** A path with the current query string kept; `changes` adds or replaces parameters, null removes one. */
export function keepQuery(path: string, search: string, changes: Record<string, string | null> = {}): string {
  const params = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) params.delete(name);
    else params.set(name, value);
  }
  const query = params.toString();
  return query ? `${path}?${query}` : path;
}

const TARGET = ['installation', 'repo', 'owner', 'ownerID', 'pr', 'url', 'head', 'headURL', 'title'] as const;

/** The chooser's address for the approval that this page is about; where registration comes back to. */
export function collectPath(context: PageContext): string {
  const given = TARGET.filter((name) => context[name] !== '');
  return keepQuery('/collect', '', Object.fromEntries(given.map((name) => [name, context[name]])));
}
