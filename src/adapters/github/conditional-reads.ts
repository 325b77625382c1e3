import type { Clock } from '../../shared/clock.ts';
import { createExpiringMap } from '../../shared/expiring-map.ts';
import { fromGitHub, NOT_READABLE, UnusableAnswer } from './from-github.ts';

/** One page of a list, as GitHub last returned it. */
type Page<T> = { items: T[]; etag: string; hasNext: boolean };

/** Requests one page; `etag` is the cached page's tag, or empty. Null means that the cached page is still current. */
export type RequestPage<Raw> = (
  page: number,
  etag: string,
) => Promise<{ data: Raw[]; headers: { etag?: string | undefined; link?: string | undefined } } | null>;

const MOST_LISTS = 2_000;
const MOST_READS = 4;

/** How much is cached. Each list counts as one, unless `weigh` says otherwise. */
type Bound = { most: number; weigh(items: unknown[]): number };
/** The largest page GitHub returns, and the size we request. */
const FULL_PAGE = 100;

/**
 * Reads whole lists and caches their pages with their tags: GitHub doesn't count
 * a conditional request against the rate limit if the page hasn't changed
 * (docs.github.com, "Best practices for using the REST API"). Every page is
 * requested every time, so the result is always current.
 */
export function createPageCache({ most, weigh }: Bound = { most: MOST_LISTS, weigh: () => 1 }) {
  const cached = new Map<string, Page<unknown>[]>();
  const keep = boundTo(cached, most, (pages) => weigh(pages.flatMap(({ items }) => items)));
  return async function list<Raw, T>(
    name: string,
    request: RequestPage<Raw>,
    read: (raw: Raw) => T,
  ): Promise<T[]> {
    const pages = await readUntilStable((cached.get(name) ?? []) as Page<T>[], request, read);
    keep(name, pages);
    return pages.flatMap(({ items }) => items);
  };
}

/** Remembers single answers with their tags in the same way. */
export function createAnswerCache<T>() {
  const cached = new Map<string, { data: T; etag: string }>();
  const keep = boundTo(cached, MOST_LISTS, () => 1);
  return async function read(
    name: string,
    request: (etag: string) => Promise<{ data: T; etag: string } | null>,
  ): Promise<T> {
    const before = cached.get(name);
    const answer = (await request(before?.etag ?? '')) ?? before;
    if (!answer)
      throw new UnusableAnswer("GitHub says that a page didn't change, and we don't have that page");
    keep(name, answer);
    return answer.data;
  };
}

/** Stores entries. Forgets those that weren't used for longest while all together weigh more than `most`; never the newest. */
function boundTo<T>(cached: Map<string, T>, most: number, weigh: (value: T) => number) {
  const weights = new Map<string, number>();
  let total = 0;
  const forget = (name: string) => {
    total -= weights.get(name) ?? 0;
    weights.delete(name);
    cached.delete(name);
  };
  return (name: string, value: T): void => {
    // Forgotten first, so that the map stays in the order of use and its first key is the oldest.
    forget(name);
    cached.set(name, value);
    weights.set(name, weigh(value));
    total += weights.get(name) ?? 0;
    for (const oldest of cached.keys()) {
      if (total <= most || oldest === name) break;
      forget(oldest);
    }
  };
}

/**
 * Items can move between pages while the pages are read, and be missed. So a
 * list of several pages is read until two reads in a row agree, at most four times.
 */
async function readUntilStable<Raw, T>(
  cached: Page<T>[],
  request: RequestPage<Raw>,
  read: (raw: Raw) => T,
): Promise<Page<T>[]> {
  let pages = cached;
  for (let reads = 0; reads < MOST_READS; reads += 1) {
    const before = pages;
    pages = await readPages(before, request, read);
    if (pages.length === 1 || haveSameItems(before, pages)) break;
  }
  return pages;
}

async function readPages<Raw, T>(
  before: Page<T>[],
  request: RequestPage<Raw>,
  read: (raw: Raw) => T,
): Promise<Page<T>[]> {
  const pages: Page<T>[] = [];
  for (let number = 1; ; number += 1) {
    const cached = before[number - 1];
    const answer = await request(number, cached?.etag ?? '');
    const page = answer ? toPage(answer, read) : cached;
    if (!page) throw new UnusableAnswer("GitHub says that a page didn't change, and we don't have that page");
    pages.push(page);
    // A full page may be unchanged and still have a new page after it.
    if (!page.hasNext && page.items.length < FULL_PAGE) return pages;
  }
}

function toPage<Raw, T>(
  { data, headers }: NonNullable<Awaited<ReturnType<RequestPage<Raw>>>>,
  read: (raw: Raw) => T,
): Page<T> {
  return {
    items: data.map(read),
    etag: headers.etag ?? '',
    hasNext: headers.link?.includes('rel="next"') ?? false,
  };
}

function haveSameItems(one: Page<unknown>[], other: Page<unknown>[]): boolean {
  const itemsOf = (pages: Page<unknown>[]) => JSON.stringify(pages.map(({ items }) => items));
  return one.length === other.length && itemsOf(one) === itemsOf(other);
}

/** The request header that makes GitHub return 304 if the page still has this tag. */
export const ifChanged = (etag: string) => (etag ? { headers: { 'if-none-match': etag } } : {});

/** For `catch`: null for a 304, which means that the cached page is still current. */
export function unchanged(error: unknown): null {
  if ((error as { status?: unknown }).status === 304) return null;
  throw error;
}

/** So long one reading answers for everybody, because a judgement asks about many people at once. */
const TRUSTED_MS = 10_000;

/**
 * The ids of the accounts in a list on GitHub; null if the installation can't see it. Somebody's joining or leaving
 * counts after 10 seconds at most.
 */
export function createIdLists(clock: Clock) {
  const list = createPageCache();
  const recent = createExpiringMap<Promise<Set<number> | null>>(clock);
  return (name: string, request: RequestPage<{ id: number }>): Promise<Set<number> | null> => {
    const known = recent.get(name);
    if (known !== undefined) return known;
    const pages = list(
      name,
      (page, etag) => request(page, etag).catch(unchanged),
      ({ id }) => id,
    );
    const reading = fromGitHub(pages, NOT_READABLE).then((ids) => ids && new Set(ids));
    recent.set(name, reading, TRUSTED_MS);
    // An outage isn't an answer: the next one asks again.
    reading.catch(() => recent.delete(name));
    return reading;
  };
}
