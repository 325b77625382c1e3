import { lazy, type ReactNode } from 'react';

type Extras = typeof import('./extras.ts');

/** A part that approving doesn't need, loaded after the page. Without it the page goes on. */
export const extra = <Name extends keyof Extras>(name: Name) =>
  lazy<Extras[Name]>(() =>
    import('./extras.ts').then(
      (all) => ({ default: all[name] }),
      () => ({ default: (): ReactNode => null }) as { default: Extras[Name] },
    ),
  );
