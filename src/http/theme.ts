import type { Request } from 'express';

export type Theme = 'system' | 'light' | 'dark';

/**
 * The theme that the person chose in this browser. It's in a cookie, so that the page arrives with it: a script that
 * reads local storage would run after the first paint, or hold it up.
 */
export function themeOf({ headers }: Pick<Request, 'headers'>): Theme {
  const [, chosen] = /(?:^|; ?)theme=(light|dark)(?:;|$)/.exec(headers.cookie ?? '') ?? [];
  return (chosen as Theme | undefined) ?? 'system';
}
