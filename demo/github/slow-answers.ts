import type { RequestListener, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Sends each answer no sooner than this many milliseconds after its request arrived, as a GitHub that is far away does.
 */
export function slowAnswers(handler: RequestListener, latencyMs: () => number): RequestListener {
  return (req, res) => {
    const ms = latencyMs();
    if (ms > 0) sendLater(res, delay(ms));
    handler(req, res);
  };
}

function sendLater(res: ServerResponse, due: Promise<void>): void {
  const [write, end] = [res.write.bind(res), res.end.bind(res)] as ((...parameters: unknown[]) => unknown)[];
  res.write = (...parameters: unknown[]) => {
    void due.then(() => write?.(...parameters));
    return true;
  };
  res.end = (...parameters: unknown[]) => {
    void due.then(() => end?.(...parameters));
    return res;
  };
}
