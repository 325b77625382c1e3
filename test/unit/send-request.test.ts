import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { createSendRequest } from '../../src/send-request.ts';

let server: Server;
let answers: ServerResponse[];

beforeEach(async () => {
  answers = [];
  server = createServer((_request, answer) => {
    answers.push(answer);
    server.emit('asked');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

it('rejects an answer that breaks off, even if the sender ends the connection in good order', async () => {
  const sent = createSendRequest({ answerMs: 60_000 })(url());
  sent.catch(() => undefined);
  await once(server, 'asked');
  const [answer] = answers;
  answer?.writeHead(200, { 'content-length': '10' });
  answer?.write('half', () => answer.socket?.end());
  await expect(sent).rejects.toThrow();
});

it('rejects if the other side is silent for too long', async () => {
  await expect(createSendRequest({ answerMs: 50 })(url())).rejects.toThrow('no answer within 0.05 s');
});

it('rejects with the signal’s reason once that aborts', async () => {
  const stop = new AbortController();
  const sent = createSendRequest({ answerMs: 60_000 })(url(), { signal: stop.signal });
  sent.catch(() => undefined);
  await once(server, 'asked');
  stop.abort(new Error('enough'));
  await expect(sent).rejects.toThrow('enough');
});
