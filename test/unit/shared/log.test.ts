import fs from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createTransport } from 'nodemailer';
import type { Logger } from 'pino';
import PocketBase from 'pocketbase';
import { ProbotOctokit } from 'probot';
import { AppError } from '../../../src/shared/app-error.ts';
import { createLog, withLogContext } from '../../../src/shared/log.ts';
import { until } from '../../support/until.ts';

let written: string[];

beforeEach(() => {
  written = [];
  jest.spyOn(fs, 'writeSync').mockImplementation(((file: number, text: string | Uint8Array) => {
    written.push(`${file}:${text}`);
    return text.length;
  }) as typeof fs.writeSync);
});
afterEach(() => void jest.restoreAllMocks());

/** Everything that the log wrote, after it was flushed. */
async function logged(
  write: (log: Logger) => void,
  logFormat: 'json' | 'pretty' = 'json',
  logLevel = 'trace',
) {
  const log = await createLog({ logLevel }, logFormat === 'pretty');
  write(log);
  log.info('the end of it');
  await until('the log comes out', () => written.join('').includes('the end of it'));
  return written.join('');
}

const CANARY = 'canary-5e1f-secret';
const TOKENS = [
  'ghu_16C7e42F292c6912E7710c838347Ae178B4a',
  'gho_16C7e42F292c6912E7710c838347Ae178B4a',
  'ghp_16C7e42F292c6912E7710c838347Ae178B4a',
  // The form of 2026: a signed token behind the prefix.
  `ghs_1234567_${'eyJhbGciOiJFUzI1NiJ9'}.${'eyJpc3MiOiJnaXRodWIifQ'.repeat(18)}.${'c2lnbmF0dXJl'.repeat(7)}`,
  'ghs_1.canary-part.of-a-token',
  'github_pat_11ABCDEFG0123456789_abcdefghijklmnop',
  'eyJhbGciOiJIUzI1NiJ9.eyJpZCI6ImFhYWEifQ.c2lnbmF0dXJlLW9mLWl0',
];
const ADDRESSES = ['mona@example.org', 'mona.lisa+guard@mail.example.co.uk', 'møna@exämple.org'];

/** The names of fields with secrets: on the wire, in settings and in the record store. */
const NAMES = [
  ['authorization', 'token', 'accessToken', 'access_token', 'code', 'codeVerifier', 'client_secret'],
  ['clientSecret', 'webhookSecret', 'password', 'secret', 'privateKey', 'challenge', 'email'],
  ['signature', 'x-hub-signature-256', 'x-github-token', 'x-step-up', 'stepUp', 'otp', 'totpValue'],
  ['totpSecret', 'sig'],
].flat();

/** The log's lines. A pretty line includes the indented lines with its fields. */
const linesOf = (text: string) => text.split(/\n(?=2:|\{|[A-Z]+ \(|\[)/);

const jsonOf = (text: string) =>
  text
    .replaceAll(/^2:/gm, '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe.each(['json', 'pretty'] as const)('the log in the format %s', (format) => {
  it('hides a field with the name of a secret, at any depth', async () => {
    const text = await logged((log) => {
      for (const name of NAMES) {
        const secret = { [name]: `${CANARY} ${name}` };
        log.info(secret, 'one');
        log.info({ req: secret }, 'two');
        log.info({ req: { headers: secret } }, 'three');
        log.info({ a: { req: { headers: secret } } }, 'four');
        log.info({ list: [secret] }, 'five');
        log.child(secret).info('six');
      }
    }, format);
    expect(text.match(/\bsix\b/g)).toHaveLength(NAMES.length);
    expect(text.match(/canary-5e1f-secret [\w-]*/g) ?? []).toEqual([]);
  });

  it.each(TOKENS)('hides a token inside any text: %.12s…', async (token) => {
    const cause = new Error(`401 for ${token}`);
    const text = await logged((log) => {
      log.error({ err: new AppError('githubUnavailable', { cause }) }, 'an error');
      log.error({ err: new Error(`401\n${token}`) }, 'a token after a line break');
      log.warn({ url: `https://x-access-token:${token}@github.com/` }, 'an address');
      log.warn(`it said:\n${token}`);
      log.info({ one: { deep: { deeper: { deepest: { down: token } } } } }, 'deep');
      log.info({ answer: `a\t${token}` });
      log.info(`a sentence with ${token} in it`);
      log.info(new Error(token));
    }, format);
    expect(text).toContain('a sentence with [secret] in it');
    for (const part of [token.slice(4, 20), token.slice(-16), ...token.split('.')])
      expect(text).not.toContain(part);
  });

  it.each(ADDRESSES)('hides an e-mail address inside any text: %s', async (address) => {
    const text = await logged((log) => {
      log.warn({ err: new Error(`550 5.1.1 <${address}>: no such user`) }, 'refused');
      log.info({ one: { deep: { deeper: { deepest: { down: address } } } } }, 'deep');
      log.info({ to: [address, 'x'] }, `to ${address}, and others`);
      log.child({ who: address }).info('child');
      log.trace(`mailto:${address}`);
    }, format);
    expect(text).toContain('550 5.1.1');
    expect(text).toContain('[address]');
    expect(text).not.toContain(address.split('@')[1]);
  });

  it('continues while the disk is full, and writes the lines that waited once there is space', async () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    let refused = 0;
    const write = jest.mocked(fs.writeSync);
    const whenFree = write.getMockImplementation();
    write.mockImplementation(() => {
      refused += 1;
      throw full;
    });
    const log = await createLog({ logLevel: 'info' }, format === 'pretty');
    for (const line of ['one', 'two', 'three']) {
      const before = refused;
      log.info(`line ${line}`);
      await until('the disk refuses it', () => refused > before);
    }
    for (let count = 0; count < 120; count += 1) log.info('x '.repeat(10_000));
    await new Promise((go) => setImmediate(go));
    write.mockImplementation(whenFree as typeof fs.writeSync);
    log.info('x');
    await until('a line comes out', () => written.length > 0);
    const text = written.join('');
    expect(text.match(/line \w+/g)).toEqual(['line one', 'line two', 'line three']);
    expect(text.length).toBeLessThan(2 * 1024 * 1024);
  });

  it('adds the id of the request or webhook to each line', async () => {
    const text = await logged((log) => {
      withLogContext({ request: 'request-1' }, () => {
        log.info('in the request');
        withLogContext({ delivery: 'delivery-1' }, () =>
          log.child({ name: 'probot' }).info('in the webhook'),
        );
        log.info('in the request again');
      });
      log.info('in nothing');
    }, format);
    const line = (words: string) => linesOf(text).find((one) => one.includes(words)) ?? '';
    expect(line('in the request')).toContain('request-1');
    expect(line('in the request')).not.toContain('delivery-1');
    expect(line('in the webhook')).toContain('request-1');
    expect(line('in the webhook')).toContain('delivery-1');
    expect(line('in the request again')).not.toContain('delivery-1');
    expect(line('in nothing')).not.toContain('request-1');
  });

  it('goes to standard error, and drops lines below its level', async () => {
    const text = await logged((log) => log.debug('too quiet'), format, 'info');
    expect(text).not.toContain('too quiet');
    // Standard output is for the line that says the product is ready.
    expect(written.filter((line) => !line.startsWith('2:'))).toEqual([]);
  });
});

describe('the log as JSON', () => {
  it('does not repeat fields of one line in the next', async () => {
    const text = await logged((log) => {
      withLogContext({ request: 'request-1' }, () => {
        log.warn({ err: new Error('of the first line'), repository: 'octo-org/secret' }, 'first');
        log.info('second');
      });
    });
    const second = jsonOf(text).find(({ msg }) => msg === 'second');
    expect(Object.keys(second ?? {}).sort()).toEqual(['hostname', 'level', 'msg', 'pid', 'request', 'time']);
  });

  it('contains the type, message, status and cause of an error, and none of its other properties', async () => {
    const cause = Object.assign(new Error('Not Found'), {
      status: 404,
      request: { body: CANARY },
      response: CANARY,
    });
    const error = Object.assign(new AppError('githubUnavailable', { cause }), { event: { payload: CANARY } });
    const text = await logged((log) => log.error({ err: error }, 'it failed'));
    expect(jsonOf(text)[0]?.err).toMatchObject({
      message: error.message,
      cause: { message: 'Not Found', status: 404 },
    });
    expect(text).not.toContain(CANARY);
  });

  it('contains nothing that was sent of the errors of HTTP clients, mail and parsers, in any field', async () => {
    const server = createServer((request, response) => {
      if (request.url?.includes('/cut')) request.socket.destroy();
      else response.writeHead(Number(request.url?.split('/')[1])).end(JSON.stringify({ message: 'No' }));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const octokit = new ProbotOctokit({ throttle: { enabled: false }, retry: { enabled: false } });
    const ask = (path: string) =>
      octokit.request(`POST ${url}/${path}`, { access_token: CANARY, headers: { authorization: CANARY } });
    const mail = { host: '127.0.0.1', port: 1, auth: { user: 'mona', pass: CANARY } };
    const errors = await Promise.all(
      [
        ...['401', '403', '500', 'cut'].map(ask),
        new PocketBase(`${url}/400`).collection('_superusers').authWithPassword('mona', CANARY),
        new PocketBase(`${url}/cut`).collection('a').getList(1, 1, { filter: CANARY }),
        createTransport(mail).sendMail({ to: 'mona@example.org', text: CANARY }),
        fetch(`${url}/cut`, { headers: { authorization: CANARY } }),
        Promise.resolve().then(() => JSON.parse(`{"otp":"${CANARY}`)),
        Promise.resolve().then(() => JSON.parse(`{"otp":${CANARY}`)),
      ].map((work) =>
        work.then(
          () => null,
          (error: unknown) => error as Error,
        ),
      ),
    );
    server.close();
    expect(errors).not.toContain(null);
    const text = await logged((log) => {
      for (const error of errors) {
        log.error({ err: error }, 'err');
        log.error({ error }, 'another field');
        log.error(error);
        log.child({ name: 'octokit' }).warn(new AppError('githubUnavailable', { cause: error }));
      }
    });
    expect(jsonOf(text)).toHaveLength(4 * errors.length + 1);
    expect(text).not.toContain(CANARY.slice(0, 6));
  });
});
