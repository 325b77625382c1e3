import { type ComponentType, createElement, lazy, useState } from 'react';

/**
 * A lazily loaded page: `load` fetches its chunk ahead of time, and `Page` fetches it when first rendered. A page that is
 * loaded by then is rendered immediately: after a fallback, React would wait for 300 ms.
 */
export function chunk<Pages, Props extends object>(
  fetchChunk: () => Promise<Pages>,
  pick: (pages: Pages) => ComponentType<Props>,
) {
  let loaded: ComponentType<Props> | null = null;
  const load = async () => {
    loaded = pick(await fetchChunk());
    return loaded;
  };
  const Lazy = lazy(() =>
    load().then(
      (page) => ({ default: page }),
      () => {
        window.addEventListener('online', () => window.location.reload(), { once: true });
        throw new Error("This page didn't load. Check your connection and reload it.");
      },
    ),
  );
  // biome-ignore lint/correctness/noComponentHookFactories: it's called once for each page, when the routes are made.
  function Page(props: Props) {
    // The first rendered component stays, because another one would lose the page's state.
    const [shown] = useState<ComponentType<Props>>(() => loaded ?? Lazy);
    return createElement(shown, props);
  }
  return { load, Page };
}
