import { type ReactNode, Suspense, useEffect, useState } from 'react';

type Props = {
  fallback?: ReactNode;
  /** Parts that load their code. */
  children: ReactNode;
};

/** Shows parts that the page can do without, and begins to load them only when the page is on the screen. */
export function AfterPage({ fallback = null, children }: Props) {
  const [isShown, setShown] = useState(false);
  useEffect(() => setShown(true), []);
  return <Suspense fallback={fallback}>{isShown ? children : fallback}</Suspense>;
}
