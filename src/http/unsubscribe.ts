import { createHash } from 'node:crypto';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { InboxDeps } from '../inbox/deps.ts';
import { unsubscribe } from '../inbox/unsubscribe.ts';
import { UNSUBSCRIBE_PATH, type UnsubscribeLinks } from '../notices/unsubscribe-links.ts';
import { Html, html } from '../shared/html.ts';

/**
 * The page behind an e-mail's `List-Unsubscribe`. Mail programs post to it, without a session (RFC 8058). Opening it
 * changes nothing, because programs that scan e-mails open every link.
 */
export function unsubscribePage(deps: {
  links: Pick<UnsubscribeLinks, 'read'>;
  inbox: Pick<InboxDeps, 'noticeChoices' | 'clock'>;
  limit: RequestHandler;
}): Router {
  const router = Router();
  router.use(UNSUBSCRIBE_PATH, deps.limit);
  router.get(UNSUBSCRIBE_PATH, (request, response) => {
    if (!deps.links.read(request.query)) sendUnknown(response);
    else sendPage(response, 200, question(request));
  });
  router.post(UNSUBSCRIBE_PATH, async (request, response) => {
    const target = deps.links.read(request.query);
    if (!target) return sendUnknown(response);
    await unsubscribe(deps.inbox, target);
    sendPage(response, 200, DONE);
  });
  return router;
}

const question = ({ originalUrl }: Request): Html => html`<h1>Stop these e-mails?</h1>
<p>You won’t get any more e-mails about pull requests and deployments that wait for you, from any of your organizations.
E-mails about your authenticators still come, because they protect you.</p>
<form method="post" action="${originalUrl}"><button type="submit">Stop these e-mails</button></form>`;

const DONE = html`<h1>You won’t get these e-mails any more</h1>
<p>E-mails about your authenticators still come, because they protect you.</p>
<p><a href="/email">Change what you get</a></p>`;

const sendUnknown = (response: Response) =>
  sendPage(
    response,
    400,
    html`<h1>This link doesn’t work</h1>
<p>Its end may be missing, or it’s older than OTP Guard’s present keys. Nothing was changed.</p>
<p><a href="/email">Change what you get</a></p>`,
  );

function sendPage(response: Response, status: number, body: Html): void {
  response.set({ 'Cache-Control': 'no-store', 'Content-Security-Policy': POLICY });
  response.status(status).type('html').send(pageOf(body).markup);
}

const pageOf = (body: Html): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>E-mails from OTP Guard</title>
<style>${STYLE}</style>
</head>
<body>
<main>${body}</main>
</body>
</html>
`;

const STYLE = new Html(`
:root { color-scheme: light dark; }
body { margin: 0; padding: 16px; background: light-dark(#f6f8fa, #0d1117); color: light-dark(#1f2328, #f0f6fc);
  font: 16px/1.5 -apple-system, BlinkMacSystemFont, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; }
main { box-sizing: border-box; max-width: 24rem; margin: 32px auto; padding: 24px; border-radius: 12px;
  border: 1px solid light-dark(#d1d9e0, #3d444d); background: light-dark(#ffffff, #151b23); }
h1 { margin: 0 0 16px; font-size: 20px; line-height: 1.3; }
a { display: inline-block; line-height: 44px; color: light-dark(#0550ae, #79c0ff); }
button { width: 100%; min-height: 44px; border: 0; border-radius: 6px; background: light-dark(#0a5cc4, #1f6feb);
  color: #ffffff; font: inherit; font-weight: 600; }
:focus-visible { outline: 2px solid light-dark(#0a5cc4, #79c0ff); outline-offset: 2px; }
`);

/** The page's own: it has a form, a style of its own and no script. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE.markup).digest('base64')}'`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');
