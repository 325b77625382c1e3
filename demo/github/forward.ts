import type { Request, RequestHandler } from 'express';
import express from 'express';
import type { EmulatorClient, EmulatorResponse } from './emulator-client.ts';

/** Reads a request's body as bytes, so that it can be forwarded unchanged. */
export const readBody: RequestHandler = express.raw({ type: () => true, limit: '10mb' });

/** The body that `readBody` has read. */
export function rawBodyOf(req: Request): Buffer {
  return Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
}

/** The body as a JSON object; empty if it isn't one. */
export function jsonBodyOf(req: Request): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(rawBodyOf(req).toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Forwards a request to the emulator, by default to the same path. */
export function forward(emulator: EmulatorClient, req: Request, path = req.url): Promise<EmulatorResponse> {
  const headers: Record<string, string> = {};
  for (const name of ['accept', 'authorization', 'content-type', 'cookie']) {
    const value = req.headers[name];
    if (typeof value === 'string') headers[name] = value;
  }
  const body = rawBodyOf(req);
  // GitHub accepts a write without a body; the emulator refuses it as broken JSON.
  const isEmptyWrite = body.length === 0 && ['POST', 'PUT', 'PATCH'].includes(req.method);
  const anonymous = headers.authorization === undefined ? { authorization: '' } : {};
  return emulator.send({
    method: req.method,
    path,
    headers: { ...headers, ...anonymous },
    ...(body.length > 0 && { body }),
    ...(isEmptyWrite && { body: {} }),
  });
}
