import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import express from 'express';
import { type ProblemCode, problems } from '../../../src/contract/problems.ts';
import { PAGE_PATHS } from '../../../src/http/dashboard.ts';
import { createReadiness } from '../../../src/http/readiness.ts';
import { close, listen } from '../../../src/http/server.ts';
import { AppError } from '../../../src/shared/app-error.ts';
import { endServersAfterEach, startHttpApp } from './http-app.ts';

endServersAfterEach();

const POLICY = [
  ["default-src 'none'", "script-src 'self'", "style-src 'self'"],
  [
    "img-src 'self' https://github.example https://avatars.github.example https://avatars.githubusercontent.com https://private-avatars.githubusercontent.com",
    "font-src 'self'",
    "manifest-src 'self'",
  ],
  ["connect-src 'self' https://api.github.example", "form-action 'none'", "frame-ancestors 'none'"],
  ["base-uri 'none'", "require-trusted-types-for 'script'", 'trusted-types verify-worker'],
].flat();

describe('every answer', () => {
  it('lets a browser load our own files and call GitHub’s API, and neither frame, guess nor leak anything', async () => {
    const { headers } = await (await startHttpApp()).send('GET', '/');
    expect(String(headers['content-security-policy']).split(';').sort()).toEqual([...POLICY].sort());
    expect(headers).toMatchObject({
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
  });

  const SHARED = 'https://avatars.githubusercontent.com https://private-avatars.githubusercontent.com';
  it.each([
    ['https://github.com', 'https://api.github.com', `https://github.com ${SHARED}`],
    [
      'https://acme.ghe.com',
      'https://api.acme.ghe.com',
      `https://acme.ghe.com https://avatars.acme.ghe.com ${SHARED}`,
    ],
    [
      'https://git.acme.test',
      'https://git.acme.test/api/v3',
      'https://git.acme.test https://avatars.git.acme.test',
    ],
    [
      'http://git.acme.test:8080',
      'http://git.acme.test:8080/api/v3',
      'http://git.acme.test:8080 http://avatars.git.acme.test:8080',
    ],
  ])(
    'lets a browser load pictures from where %s has them, and from nowhere else',
    async (githubUrl, githubApiUrl, from) => {
      const { headers } = await (await startHttpApp({ githubUrl, githubApiUrl })).send('GET', '/');
      const policy = String(headers['content-security-policy']).split(';');
      expect(policy.find((one) => one.startsWith('img-src'))).toBe(`img-src 'self' ${from}`);
    },
  );

  it('says nothing about the framework it is made with', async () => {
    const w = await startHttpApp();
    for (const path of ['/', '/healthz', '/assets/missing.js'])
      expect((await w.send('GET', path)).headers['x-powered-by']).toBeUndefined();
  });

  it.each([
    ['https://guard.example.org', expect.stringMatching(/^max-age=\d{8,}/)],
    ['http://localhost:3000', undefined],
  ])('makes browsers insist on HTTPS if the product is reached over it: %s', async (publicUrl, header) => {
    const { headers } = await (await startHttpApp({ publicUrl })).send('GET', '/');
    expect(headers['strict-transport-security']).toEqual(header);
  });
});

describe('the dashboard', () => {
  it('answers 200 at each of its routes, otherwise 404 with the page that says so, and stays in no cache', async () => {
    const w = await startHttpApp();
    const routes = [
      ...readFileSync('web/src/routes/routes.tsx', 'utf8').matchAll(/(?:path: |page\()'([^']+)'/g),
    ].map(([, path = '']) => path.replaceAll(/\/:(\w+)\?/g, '{/:$1}'));
    expect([...PAGE_PATHS, '*'].sort()).toEqual(routes.sort());
    for (const path of ['/', '/?info=x', '/collect-passkey?pr=1', '/org/log/', '/authenticator/totp/1']) {
      const { status, headers } = await w.send('GET', path);
      expect([path, status, headers['cache-control']]).toEqual([path, 200, 'no-cache']);
    }
    const { body: page } = await w.send('GET', '/login');
    for (const path of ['/nowhere', '/org/nowhere', '/authenticator/totp/1/2', '/index.html', '/%']) {
      const { status, headers, body } = await w.send('GET', path);
      expect([path, status, headers['cache-control']]).toEqual([path, 404, 'no-cache']);
      expect([body, (await w.send('HEAD', path)).status]).toEqual([page, 404]);
    }
  });

  it.each([
    ['/', ['modulepreload home-5e6f.js']],
    ['/org', ['stylesheet start-9c0d.css', 'modulepreload org-3c4d.js', 'modulepreload desk-7a8b.js']],
    [
      '/org/log?owner=octo-org',
      ['stylesheet start-9c0d.css', 'modulepreload org-3c4d.js', 'modulepreload desk-7a8b.js'],
    ],
    ['/collect-passkey', ['stylesheet start-9c0d.css']],
    ['/org/nowhere', ['stylesheet start-9c0d.css']],
  ])('links the code and styles that a page begins with: %s', async (path, files) => {
    const { body } = await (await startHttpApp()).send('GET', path);
    const links = [...body.matchAll(/<link rel="([a-z]+)" href="\/assets\/([^"]+)">/g)];
    expect(links.map(([, rel, file]) => `${rel} ${file}`)).toEqual(files);
  });

  it('lets browsers keep its hashed files for a year, and sends them compressed', async () => {
    const w = await startHttpApp();
    const { status, headers } = await w.send('GET', '/assets/app-1a2b.js', {
      headers: { 'accept-encoding': 'br' },
    });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'br',
    });
  });

  it.each([
    ['/favicon.ico', /^image\/(x-icon|vnd\.microsoft\.icon)$/, '\0\0\x01\0'],
    ['/icon.svg', /^image\/svg\+xml/, '<svg '],
    ['/robots.txt', /^text\/plain/, '# '],
  ])('lets browsers keep %s for a day', async (path, type, start) => {
    const { status, headers, body } = await (await startHttpApp()).send('GET', path);
    expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=86400']);
    expect(headers['content-type']).toMatch(type);
    expect(body.startsWith(start)).toBe(true);
    if (path === '/robots.txt') expect(body).toMatch(/^User-agent: \*\nDisallow: \/$/m);
  });

  it.each([
    ['GET', '/assets/app-old.js'],
    ['POST', '/some/route'],
    ['GET', '/_/'],
    ['GET', '/metrics'],
  ])('is not the answer to %s %s, because a page is neither a script nor data', async (method, path) => {
    const { status, body } = await (await startHttpApp()).send(method, path);
    expect([status, body]).toEqual([404, new AppError('notFound').message]);
  });

  it('escapes a setting that could end its attribute', async () => {
    const { body } = await (await startHttpApp()).send('GET', '/');
    expect(body).toContain('<a href="https://github.example/apps/&quot;guard&quot;&amp;&lt;x&gt;">');
  });

  it.each([
    ['theme=dark', 'dark'],
    ['a=theme=dark; theme=light', 'light'],
    ['theme=system', 'system'],
    ['mytheme=dark; theme=darker', 'system'],
    ['theme="><script>', 'system'],
  ])('arrives with the theme that the person chose in this browser: %s', async (cookie, theme) => {
    const answer = await (await startHttpApp()).send('GET', '/', { headers: { cookie } });
    expect(answer.body).toContain(`<html data-theme="${theme}">`);
    expect(answer.headers.vary).toContain('Cookie');
  });
});

describe('a refusal', () => {
  it.each([
    [undefined],
    ['*/*'],
    ['application/*'],
    ['application/json, text/plain, */*'],
    ['application/problem+json;q=0, */*'],
  ])('is one plain sentence for a client that does not name the type of RFC 9457: %s', async (accept) => {
    const w = await startHttpApp();
    const { status, headers, body } = await w.send('POST', '/logout', {
      headers: { ...(accept && { accept }) },
    });
    expect([status, headers['content-type'], body]).toEqual([
      401,
      'text/plain; charset=utf-8',
      'missing auth token',
    ]);
    expect(headers.vary).toContain('Accept');
  });

  it('has its code and everything about it for a client that names the type', async () => {
    let error = new AppError('internal');
    const w = await startHttpApp({ readiness: () => Promise.reject(error) });
    const send = async () => {
      const headers = { accept: 'application/problem+json, */*' };
      const answer = await w.send('GET', '/readyz', { headers });
      expect(answer.headers).toMatchObject({
        'content-type': 'application/problem+json; charset=utf-8',
        'cache-control': 'no-store',
        vary: expect.stringContaining('Accept'),
      });
      const { status, headers: sent, body } = answer;
      const [retryAfter, triesLeft] = [sent['retry-after'], sent['x-tries-left']];
      return { status, retryAfter, triesLeft, problem: JSON.parse(body) };
    };
    for (const code of Object.keys(problems) as ProblemCode[]) {
      error = new AppError(code, { cause: new Error('secret'), reason: 'secret' });
      const [status, title] = problems[code];
      const type = `urn:otp-guard:problem:${code}`;
      expect(await send()).toEqual({ status, problem: { type, title, status, detail: title, code } });
    }
    error = new AppError('wrongCode', { sentence: 'Another one.', triesLeft: 0, retryAfter: 300 });
    const refused = await send();
    expect([refused.retryAfter, refused.triesLeft]).toEqual(['300', '0']);
    expect(refused.problem).toEqual({
      type: 'urn:otp-guard:problem:wrongCode',
      title: problems.wrongCode[1],
      status: 403,
      detail: 'Another one.',
      code: 'wrongCode',
      retryAfter: 300,
      triesLeft: 0,
    });
  });

  it('is logged as information, because it is not a fault of the product', async () => {
    const w = await startHttpApp();
    const headers = { 'content-type': 'application/json' };
    expect((await w.send('POST', '/logout', { headers, body: '{"cut' })).status).toBe(400);
    expect(levelsOf(w.lines, 'JSON')).toEqual([30]);
  });
});

it('a fault is answered without its own words, even if it has a status, and logged as an error with its cause', async () => {
  // GitHub's errors have a status too, which isn't about the request that came to us.
  const atGitHub = Object.assign(new Error('the words of GitHub'), { status: 404 });
  const w = await startHttpApp({ readiness: () => Promise.reject(atGitHub) });
  const { status, body } = await w.send('GET', '/readyz');
  expect([status, body]).toEqual([500, new AppError('internal').message]);
  expect(levelsOf(w.lines, atGitHub.message)).toEqual([50]);
});

function levelsOf(lines: Record<string, unknown>[], words: string): unknown[] {
  return lines.filter(({ err }) => JSON.stringify(err ?? '').includes(words)).map(({ level }) => level);
}

describe('the log line of a request', () => {
  it('has its path without the query, which can hold a sign-in code of GitHub', async () => {
    const w = await startHttpApp();
    await w.send('GET', '/oauth?code=secret-code&state=x');
    expect(w.lines).toContainEqual(
      expect.objectContaining({ req: expect.objectContaining({ path: '/oauth' }) }),
    );
    expect(JSON.stringify(w.lines)).not.toContain('secret-code');
  });
});

describe('a request that nothing answers', () => {
  it('gets a sentence when its time has ended, and the work that ends later is no error of ours', async () => {
    let end = () => {};
    const list = { host: '', version: '1', keys: [], logs: [] };
    const published = new Promise<typeof list>((resolve) => {
      end = () => resolve(list);
    });
    const w = await startHttpApp({ answerMs: 30, readPublishedList: () => published });
    expect(await w.send('GET', '/.well-known/otp-guard.json')).toMatchObject({
      status: 503,
      body: 'OTP Guard needs longer than usual. Nothing is lost: try again in a moment.',
    });
    end();
    await w.send('GET', '/healthz');
    expect(w.lines.filter(({ refusal }) => refusal === 'internal')).toEqual([]);
  });
});

const TAKES_NONE = 'The record store takes no records. Is its disk full?';
const [yes, no] = [async () => true, async () => false];
const fails = () => Promise.reject(new Error('down'));
const hangs = () => new Promise<never>(() => undefined);
const well: Parameters<typeof createReadiness>[0] = {
  checkStore: async () => undefined,
  checkWrites: async () => undefined,
  freeBytes: async () => 3 * 1024 * 1024,
  checkGitHub: async () => undefined,
  areWebhooksSilent: no,
  areLostLeft: no,
  wasOverdue: () => false,
  hadFaults: no,
  isBackupLate: no,
};

describe('readiness', () => {
  afterEach(() => void jest.useRealTimers());

  it.each<[Partial<typeof well>, number, string]>([
    [{}, 200, 'ok'],
    [
      { areWebhooksSilent: yes },
      200,
      "ok, but GitHub's webhooks don't arrive. Checks are late; see the log.",
    ],
    [
      { areLostLeft: yes, wasOverdue: () => true },
      200,
      "ok, but approvals by a lost authenticator couldn't be withdrawn yet, so their checks may be green; see the log.",
    ],
    [
      { wasOverdue: () => true, isBackupLate: yes },
      200,
      "ok, but periodic work didn't end in time, so checks may be late; see the log.",
    ],
    [
      { hadFaults: yes, isBackupLate: yes },
      200,
      "ok, but the last reconciliation couldn't read or repair everything, so checks may be late; see the log.",
    ],
    [{ isBackupLate: yes }, 200, 'ok, but there is no daily backup of the last day; see the log.'],
    [{ checkStore: fails, areWebhooksSilent: yes }, 503, 'The record store does not answer.'],
    [{ checkStore: hangs, storeMs: 1 }, 503, 'The record store does not answer.'],
    [{ checkWrites: fails }, 503, 'The record store takes no records. Its disk has 3 MB left.'],
    [{ checkWrites: fails, freeBytes: hangs, storeMs: 1 }, 503, TAKES_NONE],
    [{ checkWrites: fails, freeBytes: async () => null }, 503, TAKES_NONE],
    // A backup stops writes while it copies the store.
    [{ checkWrites: hangs, storeMs: 1 }, 200, 'ok'],
  ])('says why it is not ready, or what is wrong, uncached: %p', async (change, status, body) => {
    const readiness = createReadiness({ ...well, ...change });
    const answer = await (await startHttpApp({ readiness })).send('GET', '/readyz');
    expect(answer).toMatchObject({ status, body, headers: { 'cache-control': 'no-store' } });
  });

  it('writes to the store once in ten seconds, regardless of how often it is asked, and sooner after a failure', async () => {
    jest.useFakeTimers();
    let [written, isFull] = [0, false];
    const checkWrites = async () => {
      written += 1;
      if (isFull) throw new Error('full');
    };
    const readiness = createReadiness({ ...well, checkWrites });
    const askFor = async (seconds: number) => {
      const before = written;
      const answers = new Set<boolean>();
      for (let ms = 0; ms < seconds * 1000; ms += 500) {
        answers.add((await readiness()).isReady);
        await jest.advanceTimersByTimeAsync(500);
      }
      return [written - before, ...answers];
    };
    expect(await askFor(30)).toEqual([3, true]);
    isFull = true;
    expect(await askFor(10)).toEqual([5, false]);
    isFull = false;
    expect(await askFor(10)).toEqual([1, true]);
  });

  it('does not wait for ever for a write, which has a minute', async () => {
    jest.useFakeTimers();
    let written = 0;
    const checkWrites = () => {
      written += 1;
      return hangs();
    };
    const readiness = createReadiness({ ...well, checkWrites, storeMs: 1 });
    const ask = async () => {
      const asked = readiness();
      await jest.advanceTimersByTimeAsync(10);
      return (await asked).isReady;
    };
    expect(await ask()).toBe(true);
    await jest.advanceTimersByTimeAsync(61_000);
    expect([await ask(), written]).toEqual([false, 1]);
  });

  it('ends as soon as the process stops, which waits for a balancer, even if others ask in the meantime', async () => {
    const unasked = createReadiness(well);
    await unasked.leave();
    const readiness = createReadiness({ ...well, leaveMs: 1_000 });
    const w = await startHttpApp({ readiness, isLeaving: readiness.isLeaving });
    expect(await w.send('GET', '/readyz')).toMatchObject({ status: 200, body: 'ok' });
    let hasLeft = false;
    const left = readiness.leave().then(() => {
      hasLeft = true;
    });
    for (let asked = 0; asked < 3; asked += 1)
      expect(await readiness()).toEqual({ isReady: false, text: 'This process is stopping.' });
    expect(hasLeft).toBe(false);
    // A balancer that keeps connections sends nothing more into this one.
    expect((await w.send('GET', '/readyz')).headers.connection).toBe('close');
    await left;
  });
});

describe('a server that is closed', () => {
  it('sends the rest of a large answer first, and ends the connection then', async () => {
    const size = 30_000_000;
    const app = express().get('/', (_request, response) => void response.end(Buffer.alloc(size)));
    const server = await listen(app, { port: 0, host: '127.0.0.1' });
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(server, 'request');
    const closed = close(server, 60_000);
    expect((await buffer(socket)).length).toBeGreaterThan(size);
    await closed;
  });
});
