import { createServer } from 'node:net';

/** Below the ports that the system gives to outgoing connections: one of those could take it before the caller does. */
const PORTS = { from: 20_000, to: 30_000 };

/** A port that nobody listens on. */
export async function freePort() {
  for (;;) {
    const port = PORTS.from + Math.floor(Math.random() * (PORTS.to - PORTS.from));
    const server = createServer();
    const isFree = await new Promise((done) => {
      server.once('error', () => done(false)).listen(port, '127.0.0.1', () => done(true));
    });
    if (!isFree) continue;
    await new Promise((done) => server.close(done));
    return port;
  }
}
