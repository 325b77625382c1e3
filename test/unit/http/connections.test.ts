import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, it } from '@jest/globals';
import type { Response } from 'express';
import { pino } from 'pino';
import { errorHandler } from '../../../src/http/error-handler.ts';
import { closeOnlyIdle } from '../../../src/http/server.ts';
import { AppError } from '../../../src/shared/app-error.ts';

it('a server that ends closes an idle connection, and none whose next request is arriving', async () => {
  const server = createServer((_request, response) => response.end());
  closeOnlyIdle(server);
  const accepted: Socket[] = [];
  server.on('connection', (socket) => accepted.push(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const open = async (next: string) => {
    const client = connect(port, '127.0.0.1').setEncoding('utf8');
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(client, 'data');
    const socket = accepted.at(-1) as Socket;
    if (next) {
      const read = socket.bytesRead;
      client.write(next);
      while (socket.bytesRead === read) await new Promise((later) => setImmediate(later));
    }
    return { client, socket };
  };
  const idle = await open('');
  const arriving = await open('GET / HT');
  server.closeIdleConnections();
  expect([idle.socket.destroyed, arriving.socket.destroyed]).toEqual([true, false]);
  for (const { client } of [idle, arriving]) client.destroy();
  server.close();
});

it('an error after the answer began ends the connection, and adds nothing to the answer', () => {
  const done: string[] = [];
  const response = {
    headersSent: true,
    destroy: () => done.push('destroyed'),
    status: () => done.push('sent'),
  };
  const handle = errorHandler(pino({ level: 'silent' }));
  void handle(new AppError('internal'), {} as never, response as unknown as Response, () => undefined);
  expect(done).toEqual(['destroyed']);
});
