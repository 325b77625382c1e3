/** The largest page GitHub returns, and the size we request. */
export const FULL_PAGE = 100;
/** A person may wait for many answers, so these are read simultaneously, up to the limit of the queue of reads. */
export const AT_ONCE = 25;

/** The number of the last page that a `Link` header names; `page`, its own, if there's no later one. */
export function lastPageIn(link = '', page = 1): number {
  const last = /[?&]page=(\d+)[^>]*>; rel="last"/.exec(link)?.[1];
  if (last !== undefined) return Number(last);
  return link.includes('rel="next"') ? page + 1 : page;
}

/**
 * Reads the pages of a list in their order: the first `known` ones, then those up to the `last` that they name,
 * 25 at a time.
 */
export async function readPages<Page extends { last: number }>(
  read: (page: number) => Promise<Page>,
  { known = 1, most = Number.POSITIVE_INFINITY } = {},
): Promise<Page[]> {
  const pages: Page[] = [];
  for (let last = known; pages.length < last; ) {
    const { length } = pages;
    const next = Array.from({ length: Math.min(AT_ONCE, last - length) }, (_, at) => read(length + at + 1));
    pages.push(...(await Promise.all(next)));
    last = Math.min(most, Math.max(last, ...pages.map((page) => page.last)));
  }
  return pages;
}

/** A request of Octokit. */
export type Method<Parameters, Raw> = (
  parameters?: Parameters,
) => Promise<{ data: Raw; headers: { link?: string } }>;

/** Reads a whole list, or its first `most` pages. */
export async function readAll<Parameters extends object, Raw, T>(
  method: Method<Parameters, Raw>,
  parameters: NoInfer<Parameters>,
  itemsOf: (data: Raw) => T[],
  most?: number,
): Promise<T[]> {
  const read = async (page: number) => {
    const { data, headers } = await method({ ...parameters, page, per_page: FULL_PAGE });
    return { items: itemsOf(data), last: lastPageIn(headers.link, page) };
  };
  return (await readPages(read, most === undefined ? {} : { most })).flatMap(({ items }) => items);
}
