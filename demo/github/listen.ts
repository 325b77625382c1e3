import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Listening = { port: number; close(): Promise<void> };

/** Longer than clients keep idle connections: they close first, so no request meets a closed connection. */
const KEEP_ALIVE_MS = 75_000;
const MOST_TRIES = 5;

type SystemError = Error & { code?: string };

function listenOn(server: Server, host: string, port: number): Promise<number> {
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, ipv6Only: host === '::1' }, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

const isTaken = (error: unknown) => (error as SystemError).code === 'EADDRINUSE';

function explain(error: unknown, port: number): unknown {
  if (!isTaken(error)) return error;
  return new Error(`Port ${port} is taken. Stop the program that uses it, or choose another port.`);
}

/** Listens on both loopback addresses, or on 127.0.0.1 alone if the machine has no IPv6. */
async function listenOnce(handler: RequestListener, port: number): Promise<Listening> {
  const [four, six] = [createServer(handler), createServer(handler)];
  const chosen = await listenOn(four, '127.0.0.1', port);
  try {
    await listenOn(six, '::1', chosen);
  } catch (error) {
    if (isTaken(error)) {
      await closeServer(four);
      throw error;
    }
  }
  return { port: chosen, close: async () => void (await Promise.all([closeServer(four), closeServer(six)])) };
}

/**
 * Listens on loopback only, on both 127.0.0.1 and ::1, because clients resolve `localhost` to either. Port 0 chooses a
 * free port.
 *
 * @throws an Error of one sentence if the port is taken.
 */
export async function listenOnLoopback(handler: RequestListener, port: number): Promise<Listening> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await listenOnce(handler, port);
    } catch (error) {
      // With port 0, the chosen port may be free on one address and taken on the other.
      if (port !== 0 || tries === MOST_TRIES) throw explain(error, port);
    }
  }
}
