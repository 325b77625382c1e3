import type { Response } from 'express';
import { type Html, html } from '../../html.ts';

type Page = { title: string; body: Html; status?: number; head?: Html };

/** Sends one page of the set-up. */
export function sendPage(response: Response, { title, body, status = 200, head }: Page): void {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · OTP Guard</title>
<link rel="stylesheet" href="/set-up/style.css">
<script src="/set-up/set-up.js" defer></script>
${head}
</head>
<body>
<header><p>OTP Guard</p></header>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>`;
  response.status(status).set('Cache-Control', 'no-store').type('html').send(page.markup);
}

/** Sends a page that says in one sentence why it doesn't go on, and what to do. */
export function sendRefusal(response: Response, status: number, sentence: string, next?: Html): void {
  const body = html`<p role="alert">${sentence}</p>${next}`;
  sendPage(response, { title: 'Set-up stopped', status, body });
}
