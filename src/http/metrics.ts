import { timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';
import { AppError } from '../shared/app-error.ts';
import { sha256 } from '../shared/crypto.ts';
import type { Call } from './calls/call.ts';

export type MetricsDeps = {
  /** The bearer token for reading them. */
  token: string;
  request(labels: { route: string; method: string; status: number }, seconds: number): void;
  /** All metrics in Prometheus's text format. */
  text(): Promise<string>;
  contentType: string;
};

/** `GET /metrics`: 404 without the right bearer token. */
export function answerMetrics({ token, text, contentType }: MetricsDeps): RequestHandler {
  const expected = sha256(`Bearer ${token}`);
  return async (request, response) => {
    const given = sha256(request.get('authorization') ?? '');
    if (!timingSafeEqual(given, expected)) throw new AppError('notFound');
    response
      .set('Cache-Control', 'no-store')
      .set('Content-Type', contentType)
      .send(await text());
  };
}

/** Measures how long each request takes. */
export function measureRequests(deps: Pick<MetricsDeps, 'request'>, calls: Call[]): RequestHandler {
  const known = new Set([...calls.map(({ path }) => path), ...OTHER_PATHS]);
  return (request, response, next) => {
    const began = performance.now();
    const route = routeOf(known, request.path);
    response.once('finish', () => {
      const { method } = request;
      deps.request({ route, method, status: response.statusCode }, (performance.now() - began) / 1000);
    });
    next();
  };
}

const OTHER_PATHS = ['/healthz', '/readyz', '/metrics', '/api/github/webhooks'];

/** One of a few names, so that a client can't create labels by requesting made-up paths. */
function routeOf(paths: Set<string>, path: string): string {
  if (paths.has(path)) return path;
  if (path.startsWith('/api/')) return '/api';
  return path.startsWith('/assets/') ? '/assets' : 'page';
}
