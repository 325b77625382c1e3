import express, { type RequestHandler } from 'express';
import type { ReceiveWebhook } from '../webhook.ts';

/** GitHub caps a payload at 25 MB (docs.github.com, "Webhook events and payloads"). */
const PAYLOAD_LIMIT = 25 * 1024 * 1024;

/** `POST /api/github/webhooks`: acknowledges a webhook once its signature is verified, and processes it after that. */
export function handleWebhook(receive: ReceiveWebhook): RequestHandler[] {
  return [
    (request, response, next) => {
      // Refuses an unsigned body without reading it.
      if (!/^sha256=[0-9a-f]{64}$/.test(request.get('x-hub-signature-256') ?? '')) {
        response.status(401).type('text/plain').send('This webhook is not signed.');
        return;
      }
      if (!request.is('application/json')) {
        response.status(415).type('text/plain').send('Set the webhook’s content type to application/json.');
        return;
      }
      next();
    },
    limitReading(),
    // GitHub doesn't compress webhooks, and an unverified body must not be able to expand.
    express.raw({ type: 'application/json', limit: PAYLOAD_LIMIT, inflate: false }),
    async (request, response) => {
      const received = await receive({
        id: request.get('x-github-delivery') ?? '',
        event: request.get('x-github-event') ?? '',
        signature: request.get('x-hub-signature-256') ?? '',
        body: (request.body as Buffer).toString('utf8'),
      });
      if (received.outcome === 'refused') {
        response.status(401).type('text/plain').send('The signature of this webhook is not valid.');
        return;
      }
      if (received.outcome === 'accepted' && received.isIrreplaceable && !(await received.work)) {
        // GitHub then records a failed delivery, which can be redelivered.
        response.status(503).type('text/plain').send('This webhook could not be processed. Redeliver it.');
        return;
      }
      response
        .status(received.outcome === 'accepted' ? 202 : 200)
        .type('text/plain')
        .send('ok');
    },
  ];
}

/** For all payloads that are being read at the same time, so that unsigned ones can't fill the memory. */
const MOST_AT_ONCE = 4 * PAYLOAD_LIMIT;

function limitReading(): RequestHandler {
  let reading = 0;
  return (request, response, next) => {
    const length = Number(request.get('content-length') ?? Number.NaN);
    if (!Number.isInteger(length)) {
      response.status(411).type('text/plain').send('This webhook has no Content-Length.');
      return;
    }
    if (reading + length > MOST_AT_ONCE) {
      response.status(503).set('Retry-After', '5').type('text/plain').send('Too many webhooks at once.');
      return;
    }
    reading += length;
    response.once('close', () => {
      reading -= length;
    });
    next();
  };
}
