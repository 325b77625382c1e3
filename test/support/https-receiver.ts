import 'reflect-metadata';
import { KeyObject, webcrypto } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import * as x509 from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** Starts a real HTTPS server on loopback, with a certificate for `hooks.example` that only `ca` makes valid. */
export async function startHttpsReceiver(answer: (path: string, response: ServerResponse) => void) {
  x509.cryptoProvider.set(webcrypto as Crypto);
  const keys = (await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])) as CryptoKeyPair;
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    ...{ name: 'CN=hooks.example', keys, signingAlgorithm: ALGORITHM },
    ...{ notBefore: new Date(Date.now() - 3_600_000), notAfter: new Date(Date.now() + 3_600_000) },
    extensions: [new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: 'hooks.example' }])],
  });
  const ca = certificate.toString('pem');
  const key = KeyObject.from(keys.privateKey).export({ format: 'pem', type: 'pkcs8' });
  const received: { path: string; headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer({ key, cert: ca }, async (request, response) => {
    const { url: path = '', headers } = request;
    received.push({ path, headers, body: await text(request) });
    answer(path, response);
  });
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return { port, ca, received, connections: () => connections, close };
}
