import { LRUCache } from 'lru-cache';
import type { Clock } from '../../shared/clock.ts';
import { createReadOnce } from '../../shared/expiring-map.ts';
import { fromGitHub, NOT_READABLE } from './from-github.ts';
import { FULL_PAGE, type Method, readPages } from './pages.ts';

/** The part of an answer that is kept with GitHub's tag for it, as the request's `keep` made it. */
export type Kept = {
  data: unknown;
  etag: string;
  /** The list's last page, as GitHub named it with this answer. */
  last: number;
  /** The time at which GitHub sent this answer, by `performance.now()`. */
  at: number;
  /**
   * The time at which GitHub first sent these items, by their ids. They may have changed since, but none came, left or
   * moved.
   */
  since: number;
};

/** The characters of all data together, as JSON. */
const MOST_CHARACTERS = 64_000_000;

/** Holds answers by name. Drops the answers unused for longest while all together weigh more than `most`. */
export const createKeptAnswers = (most = MOST_CHARACTERS) => new LRUCache<string, Kept>({ maxSize: most });

/** Makes the data that is kept of an answer's. Answers are found by their URL, so each URL has one such function. */
export type Keep = (data: never) => unknown;

/**
 * Reads with a conditional request, which GitHub doesn't count against the rate limit if nothing changed
 * (docs.github.com, "Best practices for using the REST API"). The request is sent every time, so the result is current.
 *
 * @param method Of a client of an installation.
 */
export async function read<Parameters extends object, Raw, T>(
  method: Method<Parameters, Raw>,
  parameters: NoInfer<Parameters>,
  keep: (data: Raw) => T,
): Promise<T> {
  return keptOf(await method({ ...parameters, request: { keep } })).data as T;
}

/**
 * Reads a whole list with conditional requests. Items can move between pages while the pages are read, and be missed. So
 * a list of several pages is read a second time, unless each page has the same items as before this reading began; then
 * it has the items of both readings. An item that changes stays where it is, so it's no reason to read again.
 *
 * @param idOf Tells an item from the others. Without it, an item that changes is another one.
 * @param expected How many items it had the last time. A list that may be this long is read without waiting for its
 *   first page.
 */
export async function readList<Parameters extends object, Raw, T>(
  method: Method<Parameters, Raw>,
  parameters: NoInfer<Parameters>,
  keep: (data: Raw) => T[],
  idOf: (item: T) => unknown = (item) => JSON.stringify(item),
  expected = 0,
): Promise<T[]> {
  const began = performance.now();
  const idsOf = (items: T[]) => items.map((item) => idOf(item));
  let areNamed = false;
  const readPage = async (page: number) => {
    const paged = { ...parameters, page, per_page: FULL_PAGE, request: { keep, idsOf } };
    const kept = keptOf(await method(paged));
    const items = kept.data as T[];
    // GitHub names the pages with a page that changed. Otherwise, a full page can have a new page after it.
    areNamed ||= kept.at >= began;
    const mayHaveNext = !areNamed && items.length >= FULL_PAGE;
    return { items, since: kept.since, last: Math.max(kept.last, mayHaveNext ? page + 1 : page) };
  };
  // The page after the last full one may have its first item by now.
  const first = await readPages(readPage, { known: 1 + Math.floor(expected / FULL_PAGE) });
  const isStable =
    first.length === 1 || first.every(({ items, since }) => items.length === 0 || since <= began);
  const again = isStable ? [] : await readPages(readPage, { known: first.length });
  const items = [...again, ...first].flatMap((page) => page.items);
  const found = new Map<unknown, T>();
  for (const item of items) if (!found.has(idOf(item))) found.set(idOf(item), item);
  return [...found.values()];
}

/** The client of an installation keeps the answer to each request that has a `keep`. */
const keptOf = (answer: object): Kept => (answer as { kept: Kept }).kept;

/** How long one read of a list answers for everybody, because a judgement asks about many people. */
const TRUSTED_MS = 10_000;

/**
 * The ids of the accounts in a list on GitHub; null if the installation can't see it. A person's joining or leaving
 * counts after 10 seconds at most.
 */
export function createIdLists(clock: Clock) {
  const readOnce = createReadOnce<Set<number> | null>(clock, TRUSTED_MS);
  return (name: string, list: () => Promise<number[]>) =>
    readOnce(name, async () => {
      const ids = await fromGitHub(list(), NOT_READABLE);
      return ids && new Set(ids);
    });
}
