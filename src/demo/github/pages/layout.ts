import type { Response } from 'express';
import { type Html, html } from './html.ts';

const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'; " +
  "base-uri 'none'; frame-ancestors 'none'";

/** Sends one page. */
export function sendPage(res: Response, input: { title: string; body: Html; status?: number }): void {
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
<footer>A GitHub for trying things out, on this machine alone.</footer>
</body>
</html>`;
  res.status(input.status ?? 200);
  res.setHeader('content-type', 'text/html; charset=utf-8');
  res.setHeader('content-security-policy', POLICY);
  res.setHeader('x-content-type-options', 'nosniff');
  // Not `no-referrer`: a browser would then hide from this origin that its own form came from it.
  res.setHeader('referrer-policy', 'same-origin');
  res.setHeader('cache-control', 'no-store');
  res.end(page.markup);
}

/** The page for what does not exist. */
export function sendMissing(res: Response): void {
  const body = html`<h1>There is nothing here</h1><p><a href="/">See the open pull requests</a></p>`;
  sendPage(res, { title: 'Not found', body, status: 404 });
}
