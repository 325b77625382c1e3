import express, { type RequestHandler } from 'express';
import type { Receive } from '../webhook.ts';

/** GitHub caps a payload at 25 MB (docs.github.com, "Webhook events and payloads"). */
const PAYLOAD_LIMIT = 25 * 1024 * 1024;

/** `POST /api/github/webhooks`: acknowledged once its signature holds, worked on after that. */
export function webhooks(receive: Receive): RequestHandler[] {
  return [
    (request, response, next) => {
      // Unsigned bytes are not worth reading.
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
    boundedReading(),
    // GitHub compresses nothing, and what nobody signed must not be blown up before anyone looks.
    express.raw({ type: 'application/json', limit: PAYLOAD_LIMIT, inflate: false }),
    async (request, response) => {
      const received = await receive({
        id: request.get('x-github-delivery') ?? '',
        event: request.get('x-github-event') ?? '',
        signature: request.get('x-hub-signature-256') ?? '',
        body: (request.body as Buffer).toString('utf8'),
      });
      if (received.outcome === 'refused') {
        response.status(401).type('text/plain').send('The signature of this webhook does not hold.');
        return;
      }
      if (received.outcome === 'accepted' && received.isOwed && !(await received.work)) {
        // GitHub counts it as failed, and can be asked to deliver it again.
        response
          .status(503)
          .type('text/plain')
          .send('This webhook could not be worked on. Deliver it again.');
        return;
      }
      response
        .status(received.outcome === 'accepted' ? 202 : 200)
        .type('text/plain')
        .send('ok');
    },
  ];
}

/** All payloads that are being read together; a sender who signs nothing can hold this much and no more. */
const MOST_AT_ONCE = 4 * PAYLOAD_LIMIT;

function boundedReading(): RequestHandler {
  let reading = 0;
  return (request, response, next) => {
    const length = Number(request.get('content-length') ?? Number.NaN);
    if (!Number.isInteger(length)) {
      response.status(411).type('text/plain').send('This webhook does not say how long it is.');
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
