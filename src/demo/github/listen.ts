import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Listening = { port: number; close(): Promise<void> };

/** GitHub keeps a connection for longer than its clients do: they close it, and no request meets a closed one. */
const KEEP_ALIVE_MS = 75_000;

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

function faultOf(error: unknown, port: number): unknown {
  if (!isTaken(error)) return error;
  return new Error(`Port ${port} is taken: end what listens there, or choose another port.`);
}

/** Both loopback addresses on one port, as far as the machine has them. */
async function listenOnce(handler: RequestListener, port: number): Promise<Listening> {
  const [four, six] = [createServer(handler), createServer(handler)];
  const chosen = await listenOn(four, '127.0.0.1', port);
  try {
    await listenOn(six, '::1', chosen);
  } catch (error) {
    // A machine without IPv6 is well served by the first address.
    if (isTaken(error)) {
      await closeServer(four);
      throw error;
    }
  }
  return { port: chosen, close: async () => void (await Promise.all([closeServer(four), closeServer(six)])) };
}

/**
 * Listens on loopback only, on 127.0.0.1 and ::1, so that `localhost` means the same to everyone. Port 0
 * takes any. Rejects with one sentence that names the port where somebody else listens there.
 */
export async function listenOnLoopback(handler: RequestListener, port: number): Promise<Listening> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await listenOnce(handler, port);
    } catch (error) {
      // A port that is free on one address can be taken on the other: only a chosen port is final.
      if (port !== 0 || tries === 5) throw faultOf(error, port);
    }
  }
}
