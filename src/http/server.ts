import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { StartError } from '../shared/app-error.ts';

/**
 * Linux allows at most this many connections to wait. With Node's 511, a burst of webhooks is tried again after
 * seconds, or reset.
 */
const BACKLOG = 4_096;
const REQUEST_MS = 60_000;
const HEADERS_MS = 20_000;
/** Longer than the 60 s of most proxies, so that they close an idle connection before we do, never during a request. */
const KEEP_ALIVE_MS = 75_000;
/** How long open requests may take when the server closes. */
export const DRAIN_MS = 2_000;
const IDLE_CHECK_MS = 20;

/** @throws StartError if the port can't be used. */
export function listen(
  app: RequestListener,
  { port, host }: { port: number; host: string | undefined },
): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer(app).listen({ port, host, backlog: BACKLOG });
    server.requestTimeout = REQUEST_MS;
    server.headersTimeout = HEADERS_MS;
    server.keepAliveTimeout = KEEP_ALIVE_MS;
    closeOnlyIdle(server);
    server.once('listening', () => resolve(server));
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === 'EADDRINUSE'
          ? `Port ${port} is taken. Set PORT to a free one.`
          : `Cannot listen on port ${port} (${error.code}). Check HOST and PORT.`;
      reject(new StartError(reason));
    });
  });
}

/**
 * Takes no new requests, and cuts requests that aren't answered in time.
 *
 * @param drainMs How long open requests may take.
 */
export async function close(server: Server, drainMs = DRAIN_MS): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  // Repeatedly, because a connection is idle only once its last request is answered.
  const idleTimer = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  const drainTimer = setTimeout(() => server.closeAllConnections(), drainMs);
  await closed;
  clearInterval(idleTimer);
  clearTimeout(drainTimer);
}

/**
 * Makes the server close only connections that are idle. Node itself takes a connection for idle while the end of a
 * large answer is still being sent, and cuts it. Like Node, we don't close one whose first request is still to come.
 */
export function closeOnlyIdle(server: Server): void {
  /** Each connection that was answered has its open requests, and how much was read when the last one was answered. */
  const answered = new Map<Socket, { open: number; read: number }>();
  server.on('request', ({ socket }, response) => {
    const connection = answered.get(socket) ?? { open: 0, read: 0 };
    connection.open += 1;
    if (!answered.has(socket)) socket.once('close', () => answered.delete(socket));
    answered.set(socket, connection);
    response.once('close', () => {
      connection.open -= 1;
      connection.read = socket.bytesRead;
    });
  });
  server.closeIdleConnections = () => {
    // More was read: the next request is arriving.
    for (const [socket, { open, read }] of answered)
      if (open === 0 && socket.bytesRead === read) socket.destroy();
  };
}
