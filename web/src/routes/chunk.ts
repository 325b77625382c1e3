import { type ComponentType, lazy } from 'react';

/** A lazily loaded page: `load` fetches its chunk ahead of time, and `Page` fetches it when first rendered. */
export function chunk<Pages, Props>(
  load: () => Promise<Pages>,
  pick: (pages: Pages) => ComponentType<Props>,
) {
  const Page = lazy(() =>
    load().then(
      (pages) => ({ default: pick(pages) }),
      () => {
        window.addEventListener('online', () => window.location.reload(), { once: true });
        throw new Error("This page didn't load. Check your connection and reload it.");
      },
    ),
  );
  return { load, Page };
}
