import type { Request, RequestHandler } from 'express';
import express from 'express';
import type { Answer, Upstream } from './upstream.ts';

/** Reads a request's body as it came, so that it can be sent on unchanged. */
export const readBody: RequestHandler = express.raw({ type: () => true, limit: '10mb' });

/** The body of a request that `readBody` has read. */
export function rawBodyOf(req: Request): Buffer {
  return Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
}

/** The body as a JSON object; empty where it is none. */
export function jsonBodyOf(req: Request): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(rawBodyOf(req).toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Sends a request on to the emulator as it came, by default to the same path, and reads the answer. */
export function forward(upstream: Upstream, req: Request, path = req.url): Promise<Answer> {
  const headers: Record<string, string> = {};
  for (const name of ['accept', 'authorization', 'content-type', 'cookie']) {
    const value = req.headers[name];
    if (typeof value === 'string') headers[name] = value;
  }
  const body = rawBodyOf(req);
  // GitHub takes no body for an empty one; the emulator calls it broken JSON.
  const isEmptyWrite = body.length === 0 && ['POST', 'PUT', 'PATCH'].includes(req.method);
  const anonymous = headers.authorization === undefined ? { authorization: '' } : {};
  return upstream.send({
    method: req.method,
    path,
    headers: { ...headers, ...anonymous },
    ...(body.length > 0 && { body }),
    ...(isEmptyWrite && { body: {} }),
  });
}
