import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Logger } from 'pino';
import { AppError } from '../../src/app-error.ts';
import { createLog } from '../../src/log.ts';
import { until } from '../support/product.ts';

let written: string[];

beforeEach(() => {
  written = [];
  jest.spyOn(fs, 'writeSync').mockImplementation(((file: number, text: string | Uint8Array) => {
    written.push(`${file}:${text}`);
    return text.length;
  }) as typeof fs.writeSync);
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** Everything that this wrote, once it has come out. */
async function logged(
  write: (log: Logger) => void,
  logFormat: 'json' | 'pretty' = 'json',
  logLevel = 'trace',
) {
  const log = await createLog({ logLevel, logFormat });
  write(log);
  log.info('the end of it');
  await until('the log to come out', async () => written.join('').includes('the end of it'));
  return written.join('');
}

const CANARY = 'canary-5e1f-secret';
const TOKENS = [
  'ghu_16C7e42F292c6912E7710c838347Ae178B4a',
  'ghs_16C7e42F292c6912E7710c838347Ae178B4a',
  'gho_16C7e42F292c6912E7710c838347Ae178B4a',
  'ghp_16C7e42F292c6912E7710c838347Ae178B4a',
  'ghr_16C7e42F292c6912E7710c838347Ae178B4a',
  'github_pat_11ABCDEFG0123456789_abcdefghijklmnop',
  'eyJhbGciOiJIUzI1NiJ9.eyJpZCI6ImFhYWEifQ.c2lnbmF0dXJlLW9mLWl0',
];

/** Names under which a secret travels in this product: on the wire, in settings, in the record store. */
const NAMES = [
  'authorization',
  'token',
  'accessToken',
  'access_token',
  'code',
  'codeVerifier',
  'client_secret',
  'clientSecret',
  'webhookSecret',
  'password',
  'secret',
  'privateKey',
  'challenge',
  'email',
  'signature',
  'x-hub-signature-256',
  'x-github-token',
  'x-step-up',
  'stepUp',
  'otp',
  'totpValue',
  'totpSecret',
  'sig',
];

describe.each(['json', 'pretty'] as const)('the log as %s', (format) => {
  it.each(NAMES)('holds no %s, wherever it stands in a line', async (name) => {
    const text = await logged((log) => {
      log.info({ [name]: CANARY }, 'one');
      log.info({ req: { [name]: CANARY } }, 'two');
      log.info({ req: { headers: { [name]: CANARY } } }, 'three');
      log.info({ a: { req: { headers: { [name]: CANARY } } } }, 'four');
      log.info({ list: [{ [name]: CANARY }] }, 'five');
      log.child({ [name]: CANARY }).info('six');
    }, format);
    expect(text).toContain('six');
    expect(text).not.toContain(CANARY);
  });

  it.each(TOKENS)('holds no token, whatever the text around it: %.12s…', async (token) => {
    const cause = new Error(`401 for ${token}`);
    const text = await logged((log) => {
      log.error({ err: new AppError('githubUnavailable', { cause }) }, 'an error');
      log.warn({ url: `https://x-access-token:${token}@github.com/` }, 'an address');
      log.info({ whatever: { deep: { deeper: { deepest: { down: token } } } } }, 'deep');
      log.info(`a sentence with ${token} in it`);
      log.info(new Error(token));
    }, format);
    expect(text).toContain('a sentence with');
    expect(text).not.toContain(token);
    expect(text).not.toContain(token.slice(4, 20));
  });

  it('goes to standard error, as standard output is for the line that says we are ready', async () => {
    await logged((log) => log.info('x'), format);
    expect(written.filter((line) => !line.startsWith('2:'))).toEqual([]);
  });

  it('keeps below its level', async () => {
    const text = await logged((log) => log.debug('too quiet'), format, 'info');
    expect(text).not.toContain('too quiet');
  });
});

describe('an error in the log', () => {
  it('is its kind, its words, its cause and where it was, and nothing that hangs on it', async () => {
    const cause = Object.assign(new Error('Not Found'), {
      status: 404,
      request: { body: CANARY },
      response: CANARY,
    });
    const error = Object.assign(new AppError('githubUnavailable', { cause }), { event: { payload: CANARY } });
    const text = await logged((log) => log.error({ err: error }, 'it failed'));
    const line = JSON.parse(text.split('\n')[0]?.slice(2) ?? '') as {
      err: { message: string; cause: object };
    };
    expect(line.err).toMatchObject({
      message: 'GitHub did not answer. Nothing is lost: try again.',
      cause: { message: 'Not Found', status: 404 },
    });
    expect(text).not.toContain(CANARY);
  });

  it.each([
    ['text', 'text'],
    [null, 'null'],
    [undefined, 'undefined'],
    [{ a: 1 }, 'object'],
  ])('may be anything that was thrown: %p', async (thrown, said) => {
    const text = await logged((log) => log.error({ err: thrown }, 'it failed'));
    expect(text).toContain('it failed');
    if (thrown !== undefined) expect(text).toContain(said);
  });
});
