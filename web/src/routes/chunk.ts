import { type ComponentType, lazy } from 'react';

/** A page in a chunk of its own: what brings the chunk, and the page that brings it when it is first rendered. */
export function chunk<Pages, Props>(
  load: () => Promise<Pages>,
  pick: (pages: Pages) => ComponentType<Props>,
) {
  const Page = lazy(() =>
    load().then(
      (pages) => ({ default: pick(pages) }),
      () => {
        throw new Error('This page did not load. Check your connection and reload it.');
      },
    ),
  );
  return { load, Page };
}
