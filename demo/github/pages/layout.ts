import type { RequestHandler, Response } from 'express';
import { type Html, html } from './html.ts';

const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; " +
  "frame-ancestors 'none'; form-action 'self'";

type Page = {
  title: string;
  body: Html;
  status?: number;
  /** The origin that the page's form leads to in the end, if it isn't ours. */
  formTarget?: string;
};

/** Sends one page. */
export function sendPage(res: Response, input: Page): void {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${input.title}</title>
<link rel="stylesheet" href="/_local/style.css">
<link rel="icon" href="/avatars/u/octocat">
<script src="/_local/refresh.js" defer></script>
</head>
<body>
<header><p><a href="/">Local GitHub</a></p></header>
<main>${input.body}</main>
<footer>A GitHub to try things out. It exists on this machine only.</footer>
</body>
</html>`;
  res.status(input.status ?? 200);
  res.setHeader('content-type', 'text/html; charset=utf-8');
  res.setHeader('content-security-policy', input.formTarget ? `${POLICY} ${input.formTarget}` : POLICY);
  res.setHeader('x-content-type-options', 'nosniff');
  // Not `no-referrer`: with that, a browser sends `Origin: null` with our own forms.
  res.setHeader('referrer-policy', 'same-origin');
  res.setHeader('cache-control', 'no-store');
  res.end(page.markup);
}

/** Sends the 404 page. */
export function sendMissing(res: Response): void {
  const body = html`<h1>Page not found</h1><p><a href="/">See the open pull requests</a></p>`;
  sendPage(res, { title: 'Not found', body, status: 404 });
}

/** The forms act as octocat, so only pages of this origin may submit them. */
export const requireOwnOrigin: RequestHandler = (req, res, next) => {
  const { origin, host } = req.headers;
  if (origin === undefined || (URL.canParse(origin) && new URL(origin).host === host)) {
    next();
    return;
  }
  const body = html`<h1>This form came from another site</h1>`;
  sendPage(res, { title: 'Refused', body, status: 403 });
};
