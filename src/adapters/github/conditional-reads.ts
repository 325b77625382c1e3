import type { Clock } from '../../shared/clock.ts';
import { createReadOnce } from '../../shared/expiring-map.ts';
import { fromGitHub, NOT_READABLE } from './from-github.ts';

/** The part of an answer that is kept with GitHub's tag for it, as the request's `keep` made it. */
export type Kept = {
  data: unknown;
  etag: string;
  /** Whether GitHub named a next page. */
  hasNext: boolean;
  /** When GitHub first sent this data, by `performance.now()`. */
  since: number;
};

/** The characters of all data together, as JSON. */
const MOST_CHARACTERS = 64_000_000;
/** The largest page GitHub returns, and the size we request. */
export const FULL_PAGE = 100;
const MOST_READS = 4;

/** Holds answers by name. Drops those that weren't used for longest while all weigh more than `most`; never the newest. */
export function createKeptAnswers(most = MOST_CHARACTERS) {
  const answers = new Map<string, { kept: Kept; weight: number }>();
  let total = 0;
  const drop = (name: string) => {
    total -= answers.get(name)?.weight ?? 0;
    answers.delete(name);
  };
  return {
    get(name: string): Kept | undefined {
      const found = answers.get(name);
      if (!found) return undefined;
      // Moved to the end, so that the map stays in the order of use and its first key is the oldest.
      answers.delete(name);
      answers.set(name, found);
      return found.kept;
    },
    set(name: string, kept: Kept, weight: number): void {
      drop(name);
      answers.set(name, { kept, weight });
      total += weight;
      for (const oldest of answers.keys()) {
        if (total <= most || oldest === name) break;
        drop(oldest);
      }
    },
  };
}

/** Makes the data that is kept of an answer's. Answers are found by their URL, so each URL has one such function. */
export type Keep = (data: never) => unknown;

/** The options that make a request a conditional one. */
type Conditional = { request: { keep: Keep } };
type Page = Conditional & { page: number; per_page: number };

/**
 * Reads with a conditional request, which GitHub doesn't count against the rate limit if nothing changed
 * (docs.github.com, "Best practices for using the REST API"). The request is sent every time, so the result is current.
 *
 * @param request Sends the request as an installation, with these options among its own.
 */
export async function read<Raw, T>(
  request: (options: Conditional) => Promise<{ data: Raw }>,
  keep: (data: Raw) => T,
): Promise<T> {
  return keptOf(await request({ request: { keep } })).data as T;
}

/**
 * Reads a whole list with conditional requests. Items can move between pages while the pages are read, and be missed. So
 * a list of several pages is read until each page has only what GitHub sent before this reading began, at most four times.
 */
export async function readList<Raw, T>(
  request: (options: Page) => Promise<{ data: Raw }>,
  keep: (data: Raw) => T[],
): Promise<T[]> {
  for (let reads = 1; ; reads += 1) {
    const began = performance.now();
    const pages: Kept[] = [];
    for (let page = 1; page === 1 || mayHaveNext(pages.at(-1)); page += 1)
      pages.push(keptOf(await request({ page, per_page: FULL_PAGE, request: { keep } })));
    const isStable = pages.length === 1 || pages.every(({ since }) => since <= began);
    if (isStable || reads === MOST_READS) return pages.flatMap(({ data }) => data as T[]);
  }
}

/** A full page may be unchanged and still have a new page after it. */
const mayHaveNext = (page: Kept | undefined) =>
  page !== undefined && (page.hasNext || (page.data as unknown[]).length >= FULL_PAGE);

/** The client of an installation keeps the answer to each request that has a `keep`. */
const keptOf = (answer: object): Kept => (answer as { kept: Kept }).kept;

/** How long one read of a list answers for everybody, because a judgement asks about many people. */
const TRUSTED_MS = 10_000;

/**
 * The ids of the accounts in a list on GitHub; null if the installation can't see it. Somebody's joining or leaving
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
