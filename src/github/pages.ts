/** One page of a list as GitHub answered it. */
type Page<T> = { items: T[]; etag: string; hasNext: boolean };

/** Asks for one page; `etag` is that of the page that is known, or empty. Null says that this one still holds. */
export type AskPage<Raw> = (
  page: number,
  etag: string,
) => Promise<{ data: Raw[]; headers: { etag?: string | undefined; link?: string | undefined } } | null>;

const MOST_LISTS = 2_000;
/** What is asked for at most. */
const FULL = 100;

/**
 * Reads whole lists and remembers what they were, so that GitHub is asked
 * whether a list changed and does not count the question where it did not
 * (docs.github.com, "Best practices for using the REST API"). What is answered
 * is what holds at this moment, either way.
 */
export function createPages() {
  const known = new Map<string, Page<unknown>[]>();
  return async function list<Raw, T>(name: string, ask: AskPage<Raw>, read: (raw: Raw) => T): Promise<T[]> {
    let pages = (known.get(name) ?? []) as Page<T>[];
    for (let tries = 1; ; tries += 1) {
      const before = pages;
      pages = await readAll(before, ask, read);
      // Several pages can shift while they are read, and hide what moved between them: they have to be the same twice.
      const isOne = pages.length === 1 || isSame(before, pages);
      if (isOne || tries === MOST_TRIES) break;
    }
    known.delete(name);
    known.set(name, pages);
    const [oldest] = known.keys();
    if (known.size > MOST_LISTS && oldest !== undefined) known.delete(oldest);
    return pages.flatMap(({ items }) => items);
  };
}

const MOST_TRIES = 4;

async function readAll<Raw, T>(
  before: Page<T>[],
  ask: AskPage<Raw>,
  read: (raw: Raw) => T,
): Promise<Page<T>[]> {
  const pages: Page<T>[] = [];
  for (let number = 1; ; number += 1) {
    const last = before[number - 1];
    const answer = await ask(number, last?.etag ?? '');
    const page: Page<T> | undefined = answer
      ? {
          items: answer.data.map(read),
          etag: answer.headers.etag ?? '',
          hasNext: answer.headers.link?.includes('rel="next"') ?? false,
        }
      : last;
    if (!page) throw new Error('GitHub says that nothing changed, and we know nothing');
    pages.push(page);
    // A full page can be as it was and have another one behind it now.
    if (!page.hasNext && page.items.length < FULL) return pages;
  }
}

const isSame = (one: Page<unknown>[], other: Page<unknown>[]) =>
  one.length === other.length &&
  JSON.stringify(one.map(({ items }) => items)) === JSON.stringify(other.map(({ items }) => items));

/** The header that asks for an answer only where there is another one than this. */
export const ifChanged = (etag: string) => (etag ? { headers: { 'if-none-match': etag } } : {});

/** For `catch`: the answer that says that what we know still holds. */
export function unchanged(error: unknown): null {
  if ((error as { status?: unknown }).status === 304) return null;
  throw error;
}
