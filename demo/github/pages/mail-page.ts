import { Router } from 'express';
import type { ReceivedMail } from '../../mail-sink.ts';
import { type Html, html } from './html.ts';
import { sendMissing, sendPage } from './layout.ts';

/** The page that shows the product's mail. */
export const MAIL_PATH = '/_local/mail';

function mailSection({ id, at, to, subject, text, image }: ReceivedMail): Html {
  const picture =
    image &&
    html`<p><img src="${MAIL_PATH}/${id}/image" width="96" height="96" alt="Your security image"></p>`;
  return html`<section aria-labelledby="mail-${id}"><h2 id="mail-${id}">${subject}</h2>
<p class="muted">To <strong>${to}</strong>, <time datetime="${at.toISOString()}">${at.toUTCString()}</time></p>
${picture}<pre dir="auto">${text}</pre>
<p><a href="${MAIL_PATH}/${id}/html">Show it as a mail program does</a></p></section>`;
}

/** All mail since the start, newest first. */
export function mailPage(mails: readonly ReceivedMail[]): Html {
  const sections = mails.map(mailSection);
  return html`<h1>Mail</h1>
<p class="muted">The mail that OTP Guard has sent since the start. It isn't delivered to anybody.</p>
${sections.length > 0 ? sections : html`<p>No mail yet.</p>`}`;
}

/** A message has a style element and its own image, and runs nothing. */
const HTML_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; frame-ancestors 'none'";

/** The page, its messages and its images. `mails` is called for each request. */
export function mailRoutes(mails: () => readonly ReceivedMail[]): Router {
  const router = Router();
  router.use(MAIL_PATH, (_req, res, next) => {
    // The mail contains codes, so other origins mustn't read this page.
    res.removeHeader('access-control-allow-origin');
    next();
  });
  router.get(MAIL_PATH, (_req, res) => sendPage(res, { title: 'Mail', body: mailPage(mails()) }));
  const find = (wanted: string | undefined) => mails().find(({ id }) => String(id) === wanted);
  router.get(`${MAIL_PATH}/:id/html`, (req, res) => {
    const mail = find(req.params.id);
    if (!mail) {
      sendMissing(res);
      return;
    }
    res.setHeader('content-security-policy', HTML_POLICY);
    res.setHeader('cache-control', 'no-store');
    res.type('html').send(mail.html.replace(/src="cid:[^"]*"/, `src="${MAIL_PATH}/${mail.id}/image"`));
  });
  router.get(`${MAIL_PATH}/:id/image`, (req, res) => {
    const image = find(req.params.id)?.image;
    if (!image) {
      sendMissing(res);
      return;
    }
    res.setHeader('content-type', 'image/png');
    res.setHeader('content-security-policy', "default-src 'none'");
    res.setHeader('x-content-type-options', 'nosniff');
    res.setHeader('cache-control', 'no-store');
    res.end(image);
  });
  return router;
}
