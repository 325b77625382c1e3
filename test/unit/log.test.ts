import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Logger } from 'pino';
import { AppError } from '../../src/app-error.ts';
import { createLog } from '../../src/log.ts';
import { logContext, within } from '../../src/log-context.ts';
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

const ADDRESSES = [
  'mona@example.org',
  'mona.lisa+guard@mail.example.co.uk',
  'møna@exämple.org',
  'x@xn--exmple-cua.org',
];

/** The lines of the log; a pretty one has its members on lines of their own, which are part of it. */
const linesOf = (text: string) => text.split(/\n(?=2:|\{|[A-Z]+ \(|\[)/);

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

  it.each(ADDRESSES)('holds no address, whatever the text around it: %s', async (address) => {
    const text = await logged((log) => {
      log.warn({ err: new Error(`550 5.1.1 <${address}>: no such user`) }, 'refused');
      log.info({ whatever: { deep: { deeper: { deepest: { down: address } } } } }, 'deep');
      log.info({ to: [address, 'x'] }, `to ${address}, and others`);
      log.child({ who: address }).info('child');
      log.trace(`mailto:${address}`);
    }, format);
    expect(text).toContain('550 5.1.1');
    expect(text).toContain('[address]');
    expect(text).not.toContain(address);
    expect(text).not.toContain(address.split('@')[1]);
  });

  it('says as much of the rest as before', async () => {
    const text = await logged((log) => {
      log.info({ repository: 'octo-org/hello', head: 'ab12', login: '@mona' }, 'gave a head its run');
    }, format);
    for (const word of ['octo-org/hello', 'ab12', '@mona']) expect(text).toContain(word);
  });

  it('holds no token after a new line', async () => {
    const [token = ''] = TOKENS;
    const text = await logged((log) => {
      log.warn(`it said:\n${token}`);
      log.error({ err: new Error(`401\n${token}`) }, 'an error');
      log.info({ answer: `a\t${token}` });
    }, format);
    expect(text).not.toContain(token.slice(4, 20));
  });

  it('holds nothing of a token, a code or an address at any level', async () => {
    const [token = ''] = TOKENS;
    const text = await logged((log) => {
      for (const level of ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const) {
        log[level](
          { code: CANARY, otp: '123456', email: 'mona@example.org', token },
          `${token} mona@example.org`,
        );
        log[level]({ body: { code: CANARY, params: { totpValue: '123456', accessToken: token } } }, level);
        within({ request: 'r-1' }, () =>
          log[level]({ err: new AppError('wrongEmailCode', { cause: new Error(token) }) }),
        );
      }
    }, format);
    for (const secret of [CANARY, '123456', 'mona@', 'example.org', token, token.slice(4, 20)])
      expect([secret, text.includes(secret)]).toEqual([secret, false]);
  });

  it('carries the ids of the request and of the webhook that it is about', async () => {
    const text = await logged((log) => {
      within({ request: 'request-1' }, () => {
        log.info('in the request');
        within({ delivery: 'delivery-1' }, () => log.child({ name: 'probot' }).info('in the webhook'));
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

  it('goes to standard error, as standard output is for the line that says we are ready', async () => {
    await logged((log) => log.info('x'), format);
    expect(written.filter((line) => !line.startsWith('2:'))).toEqual([]);
  });

  it('keeps below its level', async () => {
    const text = await logged((log) => log.debug('too quiet'), format, 'info');
    expect(text).not.toContain('too quiet');
  });
});

describe('the log as JSON', () => {
  const parsed = (text: string) =>
    text
      .replaceAll(/^2:/gm, '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  it('stays JSON where something is taken out', async () => {
    const text = await logged((log) => {
      for (const address of ADDRESSES) log.info({ a: `"${address}"`, b: [address] }, `${address}: no`);
      for (const token of TOKENS) log.info({ a: `"${token}"` }, `${token}`);
    });
    expect(parsed(text)).toHaveLength(ADDRESSES.length + TOKENS.length + 1);
  });

  it('stays JSON where an address comes after a new line', async () => {
    const text = await logged((log) => log.warn('the mail server said\nmona@example.org unknown'));
    expect(parsed(text)).toHaveLength(2);
  });

  it('says of each line of a request what belongs to it, and nothing of the lines before', async () => {
    const text = await logged((log) => {
      within({ request: 'request-1' }, () => {
        log.warn({ err: new Error('of the first line'), repository: 'octo-org/secret' }, 'first');
        log.info('second');
      });
    });
    const second = parsed(text).find(({ msg }) => msg === 'second');
    expect(Object.keys(second ?? {}).sort()).toEqual(['hostname', 'level', 'msg', 'pid', 'request', 'time']);
  });
});

describe('what a line is about', () => {
  it('goes with the work, over everything that it waits for, and with nothing else', async () => {
    const seen: object[] = [];
    const work = async (id: string) => {
      await new Promise((done) => setImmediate(done));
      seen.push(logContext());
      await Promise.resolve();
      expect(logContext()).toMatchObject({ request: id });
    };
    await Promise.all(['a', 'b', 'c'].map((id) => within({ request: id }, () => work(id))));
    expect(seen).toEqual([{ request: 'a' }, { request: 'b' }, { request: 'c' }]);
    expect(logContext()).toEqual({});
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
