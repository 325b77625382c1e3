import { lazy, type ReactNode } from 'react';

type Parts = typeof import('./lazy-parts.tsx');

/** A part that approving doesn't need, loaded after the page. The page works without it. */
export const lazyPart = <Name extends keyof Parts>(name: Name) =>
  lazy<Parts[Name]>(() =>
    import('./lazy-parts.tsx').then(
      (all) => ({ default: all[name] }),
      () => ({ default: (): ReactNode => null }) as { default: Parts[Name] },
    ),
  );
