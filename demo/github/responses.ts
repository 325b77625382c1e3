import type { Request, Response } from 'express';
import type { EmulatorResponse } from './emulator-client.ts';

export const INVALID_JWT = 'A JSON web token could not be decoded';

/** Sends an error as GitHub's REST API does. */
export function refuse(res: Response, status: number, message: string): void {
  res
    .status(status)
    .json({ message, documentation_url: 'https://docs.github.com/rest', status: `${status}` });
}

/** Sends the emulator's response, with `json` as its body if that is given. */
export function relay(res: Response, answer: EmulatorResponse, json?: unknown): void {
  res.status(answer.status);
  for (const name of ['content-type', 'link', 'location', 'set-cookie', 'x-ratelimit-remaining']) {
    const value = answer.headers.get(name);
    if (value !== null) res.setHeader(name, value);
  }
  if (json === undefined) {
    res.end(answer.body);
    return;
  }
  res.removeHeader('content-type');
  res.json(json);
}

const positiveInteger = (value: unknown, fallback: number) => {
  const number = Number(value);
  return Number.isInteger(number) && number > 0 ? number : fallback;
};

/** The page that `per_page` and `page` select; sets a `Link` header to the other pages. */
export function paginate<T>(req: Request, res: Response, items: readonly T[]): T[] {
  const perPage = Math.min(positiveInteger(req.query.per_page, 30), 100);
  const page = positiveInteger(req.query.page, 1);
  const last = Math.max(1, Math.ceil(items.length / perPage));
  const link = (number: number, rel: string) => {
    const url = new URL(req.originalUrl, `http://${req.headers.host ?? 'localhost'}`);
    url.searchParams.set('per_page', String(perPage));
    url.searchParams.set('page', String(number));
    return `<${url}>; rel="${rel}"`;
  };
  const links = [
    ...(page > 1 ? [link(page - 1, 'prev')] : []),
    ...(page < last ? [link(page + 1, 'next'), link(last, 'last')] : []),
    ...(page > 1 ? [link(1, 'first')] : []),
  ];
  if (links.length > 0) res.setHeader('link', links.join(', '));
  return items.slice((page - 1) * perPage, page * perPage);
}
