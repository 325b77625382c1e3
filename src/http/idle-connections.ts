import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Makes the server close only connections that are idle. Node itself takes a connection for idle while the end of a
 * large answer is still being sent, and cuts it. Like Node, we don't close one whose first request is still to come.
 */
export function closeOnlyIdle(server: Server): void {
  /** Of each connection that was answered: its open requests, and how much was read when the last one was answered. */
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
