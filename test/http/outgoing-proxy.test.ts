import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { APP_KEY } from '../support/app-key.ts';
import { startLocalGitHub } from '../support/built.ts';
import { certificateOf } from '../support/certificate.ts';
import { freePort } from '../support/product.ts';
import { type Env, Running, runToEnd } from '../support/running.ts';
import { exchange } from '../support/sign-in.ts';

const folder = mkdtempSync(join(tmpdir(), 'otp-guard-proxy-'));
const API = 'api.github.test';
const PASSWORD = 'canary-of-the-proxy';
let proxy: Awaited<ReturnType<typeof startProxy>>;
let env: Env;

/** A proxy that opens tunnels to one server of ours, whatever their name, and remembers what it was asked for. */
async function startProxy() {
  const { key, cert } = await certificateOf(API);
  const github = createHttpsServer({ key, cert }, (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"slug":"guard"}');
  }).listen(0, '127.0.0.1');
  const tunnels: { to: string; by: string }[] = [];
  const server = createServer().on('connect', (request, socket) => {
    const by = String(request.headers['proxy-authorization']).replace('Basic ', '');
    tunnels.push({ to: request.url ?? '', by: Buffer.from(by, 'base64').toString() });
    const { port } = github.address() as AddressInfo;
    const tunnel = connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    tunnel.on('error', () => socket.destroy()).pipe(socket);
    socket.on('error', () => tunnel.destroy()).pipe(tunnel);
  });
  server.listen(0, '127.0.0.1');
  await Promise.all([once(server, 'listening'), once(github, 'listening')]);
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => {
    for (const one of [server, github]) {
      one.closeAllConnections();
      one.close();
    }
  };
  return { address, cert, tunnels, close };
}

beforeAll(async () => {
  proxy = await startProxy();
  const certificates = join(folder, 'certificates.pem');
  writeFileSync(certificates, proxy.cert);
  const app = await startLocalGitHub({ privateKey: APP_KEY, port: 0, publicUrl: 'http://localhost:3000' });
  await app.close();
  env = {
    ...app.env,
    NODE_EXTRA_CA_CERTS: certificates,
    SSL_CERT_FILE: certificates,
    DATA_DIR: join(folder, 'data'),
    GITHUB_SERVER_URL: 'https://github.test',
    GITHUB_API_URL: `https://${API}`,
  };
});
afterAll(() => {
  proxy?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('with HTTPS_PROXY', () => {
  const diagnose = async (change: Env) => {
    proxy.tunnels.splice(0);
    const { stdout, stderr } = await runToEnd({ ...env, ...change }, { args: ['doctor', '--json'] });
    const { findings } = JSON.parse(stdout) as { findings: { check: string; text: string }[] };
    const textOf = (name: string) => findings.find(({ check }) => check === name)?.text;
    return { textOf, said: stdout + stderr, tunnels: [...proxy.tunnels] };
  };

  it.each(['HTTPS_PROXY', 'https_proxy'])(
    'requests to GitHub go through the proxy, which the doctor names without its password: %s',
    async (name) => {
      const url = `http://guard:${PASSWORD}@${proxy.address}`;
      const { textOf, said, tunnels } = await diagnose({ [name]: url });
      expect(tunnels).toContainEqual({ to: `${API}:443`, by: `guard:${PASSWORD}` });
      expect(textOf('clock')).toContain('agrees');
      expect(textOf('way out')).toContain(`go through http://${proxy.address}.`);
      expect(said).not.toContain(PASSWORD);
    },
  );

  it('requests to the hosts of NO_PROXY go straight', async () => {
    const { textOf, tunnels } = await diagnose({
      HTTPS_PROXY: `http://${proxy.address}`,
      NO_PROXY: '.github.test',
    });
    expect([tunnels, textOf('clock')]).toEqual([[], expect.stringContaining('not known')]);
    expect(textOf('way out')).toContain('except to the hosts of NO_PROXY (.github.test)');
  });

  it('the record store asks GitHub through the proxy who signs in', async () => {
    const port = await freePort();
    const origin = `http://localhost:${port}`;
    const github = await startLocalGitHub({ privateKey: APP_KEY, port: 0, publicUrl: origin });
    proxy.tunnels.splice(0);
    const product = new Running({
      ...env,
      ...github.env,
      GITHUB_SERVER_URL: 'https://github.test',
      PUBLIC_URL: origin,
      PORT: String(port),
      HTTPS_PROXY: `http://guard:${PASSWORD}@${proxy.address}`,
    });
    try {
      await product.ready();
      const body = { provider: 'github', code: 'made-up', redirectURL: `${origin}/oauth` };
      await exchange({ origin, github }, body);
      expect(proxy.tunnels).toContainEqual({ to: 'github.test:443', by: `guard:${PASSWORD}` });
      expect(product.stderr).not.toContain(PASSWORD);
    } finally {
      await product.clear();
      await github.close();
    }
  });
});
