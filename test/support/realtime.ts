import type { Session, TestProduct } from './product.ts';
import { until } from './product.ts';

export type Listener = {
  /** All that came so far. */
  heard(): string;
  /** Asks for the topics (anew) as this person; the status of the answer. */
  subscribe(session: Partial<Session>, topics: string[]): Promise<number>;
  close(): void;
};

/** A browser that listens to the record store through the product. */
export async function listen(product: TestProduct): Promise<Listener> {
  const ending = new AbortController();
  const stream = await fetch(`${product.origin}/api/realtime`, { signal: ending.signal });
  let text = '';
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of stream.body as unknown as AsyncIterable<Uint8Array>)
      text += decoder.decode(chunk, { stream: true });
  };
  read().catch(() => undefined);
  const clientId = await until('the listener’s id', async () => /"clientId":"(\w+)"/.exec(text)?.[1]);
  return {
    heard: () => text,
    async subscribe(session, subscriptions) {
      const answer = await fetch(`${product.origin}/api/realtime`, {
        method: 'POST',
        headers: {
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
