import {
  type Deps,
  listRepositoriesPage,
  PER_PAGE,
  type RepositoriesPage,
} from './list-repositories-page.ts';

const CONCURRENCY = 3;

/**
 * Reads the repositories of an installation that the person can see, in GitHub's order. Calls `onProgress` with the
 * list so far after each page. Rejects with a `GithubError`.
 */
export async function readRepositories(
  deps: Deps,
  installation: string,
  onProgress: (repositories: RepositoriesPage) => void,
): Promise<void> {
  const first = await listRepositoriesPage(deps, installation, 1);
  const pages: (RepositoriesPage['repositories'] | undefined)[] = [first.repositories];
  const notify = () => onProgress({ ...first, repositories: upToGap(pages) });
  notify();

  const last = Math.ceil(first.total / PER_PAGE);
  let next = 2;
  const worker = async () => {
    while (next <= last) {
      const page = next++;
      pages[page - 1] = (await listRepositoriesPage(deps, installation, page)).repositories;
      notify();
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

/** The items up to the first page that hasn't arrived, so that items on the screen never move. */
export function upToGap<Item>(pages: (Item[] | undefined)[]): Item[] {
  const gap = Array.from(pages).indexOf(undefined);
  return pages.slice(0, gap < 0 ? pages.length : gap).flatMap((page) => page ?? []);
}
