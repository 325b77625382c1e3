import { Router } from 'express';
import type { ReceivedMail } from '../../mail-sink.ts';
import { type Html, html } from './html.ts';
import { sendMissing, sendPage } from './layout.ts';

/** Where the demo shows the mail that the product sent. */
export const MAIL_PATH = '/_local/mail';

function mailSection({ id, at, to, subject, text, image }: ReceivedMail): Html {
  const picture =
    image &&
    html`<p><img src="${MAIL_PATH}/${id}/image" width="96" height="96" alt="Your security image"></p>`;
  return html`<section aria-labelledby="mail-${id}"><h2 id="mail-${id}">${subject}</h2>
<p class="muted">To <strong>${to}</strong>, <time datetime="${at.toISOString()}">${at.toUTCString()}</time></p>
${picture}<pre dir="auto">${text}</pre></section>`;
}

/** The mail that arrived since the start, the newest first. */
export function mailPage(mails: readonly ReceivedMail[]): Html {
  const sections = mails.map(mailSection);
  return html`<h1>Mail</h1>
<p class="muted">What OTP Guard sent since the start. It goes nowhere else.</p>
${sections.length > 0 ? sections : html`<p>No mail has arrived.</p>`}`;
}

/** The page and its images. `mails` is asked anew for each request. */
export function mailRoutes(mails: () => readonly ReceivedMail[]): Router {
  const router = Router();
  router.use(MAIL_PATH, (_req, res, next) => {
    // Codes stand here: no page of another origin may read them.
    res.removeHeader('access-control-allow-origin');
    next();
  });
  router.get(MAIL_PATH, (_req, res) => sendPage(res, { title: 'Mail', body: mailPage(mails()) }));
  router.get(`${MAIL_PATH}/:id/image`, (req, res) => {
    const image = mails().find(({ id }) => String(id) === req.params.id)?.image;
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
