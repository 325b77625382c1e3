import { timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';
import { AppError } from '../app-error.ts';
import { sha256 } from '../sha256.ts';
import { calls } from './calls.ts';

/** What is counted, and its text for whoever may read it. */
export type MetricsDeps = {
  token: string;
  request(labels: { route: string; method: string; status: number }, seconds: number): void;
  text(): Promise<string>;
  contentType: string;
};

/** `GET /metrics`, for the bearer of the token alone; to everyone else it is not there. */
export function metricsPage({ token, text, contentType }: MetricsDeps): RequestHandler {
  const wanted = sha256(`Bearer ${token}`);
  return async (request, response) => {
    const given = sha256(request.get('authorization') ?? '');
    if (!timingSafeEqual(given, wanted)) throw new AppError('notFound');
    response
      .set('Cache-Control', 'no-store')
      .set('Content-Type', contentType)
      .send(await text());
  };
}

const PATHS = new Set(calls.map(({ path }) => path));

/** A few names, whatever people ask for. */
function routeOf(path: string): string {
  if (PATHS.has(path) || ['/healthz', '/readyz', '/metrics', '/api/github/webhooks'].includes(path))
    return path;
  if (path.startsWith('/api/')) return '/api';
  return path.startsWith('/assets/') ? '/assets' : 'page';
}

/** Measures each request. */
export function measured(deps: Pick<MetricsDeps, 'request'>): RequestHandler {
  return (request, response, next) => {
    const began = performance.now();
    const route = routeOf(request.path);
    response.once('finish', () => {
      const { method } = request;
      deps.request({ route, method, status: response.statusCode }, (performance.now() - began) / 1000);
    });
    next();
  };
}
