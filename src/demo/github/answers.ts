import type { Request, Response } from 'express';
import type { Answer } from './upstream.ts';

/** Refuses in the form of GitHub's REST API. */
export function refuse(res: Response, status: number, message: string): void {
  res
    .status(status)
    .json({ message, documentation_url: 'https://docs.github.com/rest', status: `${status}` });
}

/** Hands on what the emulator answered, with `json` in place of its body where one is given. */
export function relay(res: Response, answer: Answer, json?: unknown): void {
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

const positive = (value: unknown, fallback: number) => {
  const number = Number(value);
  return Number.isInteger(number) && number > 0 ? number : fallback;
};

/** Cuts the page that `per_page` and `page` ask for, and sets the `Link` header that leads to the others. */
export function pageOf<T>(req: Request, res: Response, items: readonly T[]): T[] {
  const perPage = Math.min(positive(req.query.per_page, 30), 100);
  const page = positive(req.query.page, 1);
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
