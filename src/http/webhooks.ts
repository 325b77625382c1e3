import express, { type Request, type RequestHandler, type Response } from 'express';
import type { Delivery, Received, ReceiveWebhook } from '../shared/webhook.ts';
import { type IntakeLimits, limitIntake, PAYLOAD_LIMIT, sendText } from './webhook-intake.ts';

export type WebhookDeps = {
  receive: ReceiveWebhook;
  /** Called for each webhook that was dropped before its signature could be checked. */
  onShed(): void;
  /** Tests shorten them. */
  intakeLimits?: IntakeLimits | undefined;
};

/** `POST /api/github/webhooks`: acknowledges a webhook once its signature is verified and its arrival is stored, and processes it after that. */
export function handleWebhook({ receive, onShed, intakeLimits }: WebhookDeps): RequestHandler[] {
  return [
    (request, response, next) => {
      // Refuses an unsigned body without reading it.
      if (!/^sha256=[0-9a-f]{64}$/.test(request.get('x-hub-signature-256') ?? ''))
        return sendText(response, 401, 'This webhook is not signed.');
      if (!request.is('application/json'))
        return sendText(response, 415, 'Set the webhook’s content type to application/json.');
      next();
    },
    limitIntake(onShed, intakeLimits),
    readPayload,
    // Not an async function, which would keep the bytes in memory until the answer.
    (request, response) =>
      receive(takeDelivery(request, response)).then((received) => answer(response, received)),
  ];
}

/** The delivery that the request brought. The request keeps nothing of it. */
function takeDelivery(request: Request, response: Response): Delivery {
  const body = (request.body as Buffer).toString('utf8');
  request.body = undefined;
  return {
    id: request.get('x-github-delivery') ?? '',
    event: request.get('x-github-event') ?? '',
    signature: request.get('x-hub-signature-256') ?? '',
    body,
    onSigned: response.locals.stopCounting,
  };
}

async function answer(response: Response, received: Received): Promise<void> {
  if (received.outcome === 'refused')
    return sendText(response, 401, 'The signature of this webhook is not valid.');
  if (received.outcome === 'malformed')
    return sendText(response, 400, 'GitHub sends no webhook with this delivery id, event or payload.');
  if (received.outcome === 'duplicate') return sendText(response, 200, 'ok');
  // GitHub then records a failed delivery, which can be redelivered.
  if (received.outcome === 'accepted' && received.isIrreplaceable && !(await received.work))
    return sendText(response, 503, 'This webhook could not be processed. Redeliver it.');
  sendText(response, 202, 'ok');
}

// GitHub doesn't compress webhooks, and an unverified body must not be able to expand.
const readRaw = express.raw({ type: 'application/json', limit: PAYLOAD_LIMIT, inflate: false });

const readPayload: RequestHandler = (request, response, next) =>
  readRaw(request, response, (error?: unknown) => {
    // Reading a dropped webhook fails after its answer.
    if (!response.headersSent) next(error);
  });
