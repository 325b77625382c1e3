import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import { sentTokenOf } from './authenticate.ts';

const hasCurrent = (req: Request, tag: string) =>
  (req.headers['if-none-match'] ?? '').split(',').some((each) => each.trim().replace(/^W\//, '') === tag);

/**
 * Sends JSON with an ETag, or 304 without a body to a client that has the current version (GitHub: "Use conditional
 * requests if appropriate"). As at GitHub, a 304 has no `Link` header, and another token's tag is another one: `Vary` has
 * `Authorization`.
 */
export function sendWithETag(req: Request, res: Response, value: unknown): void {
  const body = JSON.stringify(value);
  const tag = `"${createHash('sha256').update(sentTokenOf(res)).update(body).digest('hex')}"`;
  res.setHeader('etag', tag);
  res.vary('Authorization');
  if (hasCurrent(req, tag)) {
    res.removeHeader('link');
    res.removeHeader('content-type');
    res.status(304).end();
    return;
  }
  res.status(200).setHeader('content-type', 'application/json; charset=utf-8');
  res.end(body);
}
