import type { RequestHandler, Response } from 'express';
import { callerOf } from './authenticate.ts';
import { refuse } from './responses.ts';
import type { RouteDeps } from './route-deps.ts';

/** Calls `change` just before the response's status and headers are sent. */
function beforeHeaders(res: Response, change: (status: number) => void): void {
  const writeHead = res.writeHead.bind(res) as (...parameters: unknown[]) => Response;
  res.writeHead = (status: number, ...rest: unknown[]) => {
    change(status);
    return writeHead(status, ...rest);
  };
}

/**
 * Limits requests with installation tokens. Requests by people and by the App itself aren't limited, so that tests can
 * prepare what they need.
 */
export function limitRate({ rates }: Pick<RouteDeps, 'rates'>): RequestHandler {
  return (req, res, next) => {
    const caller = callerOf(res);
    if (caller.kind !== 'installation') {
      next();
      return;
    }
    const { installation } = caller;
    const refusal = rates.admit(installation, req);
    beforeHeaders(res, (status) => {
      // It has limits of its own, in points.
      if (res.getHeader('x-ratelimit-resource') === 'graphql') return;
      // GitHub: "Use conditional requests if appropriate".
      if (status !== 304) rates.count(installation);
      for (const [name, value] of Object.entries(rates.headers(installation))) res.setHeader(name, value);
    });
    if (!refusal) {
      next();
      return;
    }
    if (refusal.retryAfter !== undefined) res.setHeader('retry-after', refusal.retryAfter);
    refuse(res, refusal.status, refusal.message);
  };
}
