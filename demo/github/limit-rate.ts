import type { RequestHandler } from 'express';
import { callerOf } from './authenticate.ts';
import { beforeHeaders } from './before-headers.ts';
import { isQuery } from './rate-limits.ts';
import { refuse } from './responses.ts';
import type { RouteDeps } from './route-deps.ts';

/**
 * Limits requests with installation tokens. Requests by people and by the App itself aren't limited, so that tests can
 * prepare what they need. An Enterprise Server has no limits unless an administrator switches them on.
 */
export function limitRate({ rates, speaksAs }: Pick<RouteDeps, 'rates' | 'speaksAs'>): RequestHandler {
  const isOff = speaksAs.kind === 'enterpriseServer';
  return (req, res, next) => {
    const caller = callerOf(res);
    if (isOff || caller.kind !== 'installation') {
      next();
      return;
    }
    const { installation } = caller;
    const refusal = rates.admit(installation, req);
    const began = performance.now();
    beforeHeaders(res, (status) => {
      if (isQuery(req)) {
        rates.countQuery(installation, performance.now() - began);
        return;
      }
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
