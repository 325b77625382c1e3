import type { Session, TestProduct } from './product.ts';
import { until } from './until.ts';

export type Listener = Awaited<ReturnType<typeof listen>>;

/** Subscribes to the record store's realtime events through the product, as a browser does, or at the store itself. */
export async function listen(product: Pick<TestProduct, 'origin'>, headers: Record<string, string> = {}) {
  const ending = new AbortController();
  const stream = await fetch(`${product.origin}/api/realtime`, { headers, signal: ending.signal });
  let text = '';
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of stream.body as unknown as AsyncIterable<Uint8Array>)
      text += decoder.decode(chunk, { stream: true });
  };
  read().catch(() => undefined);
  const clientId = await until('the listener’s id', async () => /"clientId":"(\w+)"/.exec(text)?.[1]);
  return {
    /** Everything that was received. */
    received: () => text,
    /** Replaces the subscription, as this person; returns the status of the response. */
    async subscribe(session: Partial<Session>, subscriptions: string[]) {
      const answer = await fetch(`${product.origin}/api/realtime`, {
        method: 'POST',
        headers: {
          ...headers,
          'content-type': 'application/json',
          ...(session.token !== undefined && { authorization: session.token }),
        },
        body: JSON.stringify({ clientId, subscriptions }),
      });
      return answer.status;
    },
    close: () => ending.abort(),
  };
}
