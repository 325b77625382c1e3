import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Config, ConfigError, readConfig } from '../../../src/settings/config.ts';
import { APP_KEY } from '../../support/app-key.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'otp-guard-config-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

type Env = Record<string, string | undefined>;

/** Settings that the product starts with, and the test's changes. */
const settings = (change: Env = {}): Env => ({
  APP_ID: '123456',
  PRIVATE_KEY: APP_KEY,
  WEBHOOK_SECRET: 'a-long-random-text',
  GITHUB_CLIENT_ID: 'Iv23liAbCdEfGhIjKlMn',
  GITHUB_CLIENT_SECRET: 'the-secret-of-the-app',
  PUBLIC_URL: 'https://guard.example.org',
  DATA_DIR: folder,
  ...change,
});

const EXTERNAL: Env = {
  POCKETBASE_URL: 'https://records.example.org',
  POCKETBASE_SUPERUSER_EMAIL: 'otp-guard@example.org',
  POCKETBASE_SUPERUSER_PASSWORD: 'a-long-random-text',
  SECRET_KEY: 'a-random-text-of-at-least-32-characters',
};

function faultsOf(env: Env): readonly string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

const faulty = (env: Env) => faultsOf(env).map((fault) => fault.split(':')[0]);

describe('valid settings', () => {
  it('are read, with a default for each that is not set', () => {
    expect(readConfig(settings())).toEqual({
      production: false,
      github: {
        appId: 123456,
        privateKey: APP_KEY.trim(),
        webhookSecret: 'a-long-random-text',
        clientId: 'Iv23liAbCdEfGhIjKlMn',
        clientSecret: 'the-secret-of-the-app',
        serverUrl: 'https://github.com',
        apiUrl: 'https://api.github.com',
      },
      githubUrls: { serverUrl: 'https://github.com', apiUrl: 'https://api.github.com' },
      store: { kind: 'embedded', dataDir: folder },
      secretKeys: [],
      publicUrl: 'https://guard.example.org',
      host: undefined,
      port: 3000,
      logLevel: 'info',
      redisUrl: undefined,
      webhookProxyUrl: undefined,
      mail: null,
      backup: {
        folder: join(folder, 'backups'),
        s3: null,
      },
      attestationRoots: [],
      metricsToken: undefined,
      trustProxy: false,
    } satisfies Config);
  });

  it('lose the spaces around them, and an empty one counts as not set', () => {
    const config = readConfig(settings({ WEBHOOK_SECRET: ' secret ', HOST: ' ', LOG_LEVEL: '' }));
    expect([config.github?.webhookSecret, config.host, config.logLevel]).toEqual([
      'secret',
      undefined,
      'info',
    ]);
  });

  it('can name the private key’s file', () => {
    const path = join(folder, 'key.pem');
    writeFileSync(path, APP_KEY);
    const config = readConfig(settings({ PRIVATE_KEY: path }));
    expect(config.github?.privateKey.trim()).toBe(APP_KEY.trim());
  });

  it('make backups beside an embedded store, with an external one only if a folder is set', () => {
    const folderOf = (env: Env) => readConfig(settings(env)).backup.folder;
    expect(folderOf(EXTERNAL)).toBeNull();
    expect(folderOf({ ...EXTERNAL, BACKUP_DIR: '/mnt/backups' })).toBe('/mnt/backups');
    expect(folderOf({ BACKUP_DIR: 'off' })).toBeNull();
  });

  it('name a bucket for copies, with its key, a region and a folder', () => {
    const bucketOf = (url: string) => readConfig(settings({ BACKUP_S3_URL: url })).backup.s3;
    const key = { keyId: 'AKIA', secret: 'a/secret+of=signs' };
    expect(bucketOf('https://AKIA:a%2Fsecret+of=signs@s3.eu-central-1.amazonaws.com/backups')).toEqual({
      ...key,
      ...{
        endpoint: 'https://s3.eu-central-1.amazonaws.com',
        region: undefined,
        bucket: 'backups',
        prefix: '',
      },
    });
    expect(bucketOf('http://AKIA:a%2Fsecret+of=signs@localhost:9000/b-1/guard/daily/?region=fr-par')).toEqual(
      {
        ...key,
        ...{ endpoint: 'http://localhost:9000', region: 'fr-par', bucket: 'b-1', prefix: 'guard/daily/' },
      },
    );
  });

  it('can contain the private key on one line, or as base64', () => {
    for (const PRIVATE_KEY of [APP_KEY.replaceAll('\n', '\\n'), Buffer.from(APP_KEY).toString('base64')])
      expect(readConfig(settings({ PRIVATE_KEY })).github?.privateKey.trim()).toBe(APP_KEY.trim());
  });

  it('need no App until one is registered, except in production', () => {
    expect(readConfig({ DATA_DIR: folder })).toMatchObject({
      github: null,
      publicUrl: 'http://localhost:3000',
    });
    expect(readConfig({ DATA_DIR: folder, PORT: '8080' }).publicUrl).toBe('http://localhost:8080');
  });

  it('turn e-mail on with a mail server and a sender', () => {
    const mail = { url: 'smtps://guard:secret@mail.example.org:465', from: 'otp-guard@example.org' };
    for (const url of [mail.url, `${mail.url}?requireTLS=true&tls.rejectUnauthorized=false`])
      expect(readConfig(settings({ SMTP_URL: url, MAIL_FROM: mail.from })).mail).toEqual({ ...mail, url });
    expect(readConfig(settings({ MAIL_FROM: mail.from })).mail).toBeNull();
  });

  it('turn metrics on with a token of at least sixteen characters', () => {
    const token = 'sixteen-letters!';
    expect(readConfig(settings({ METRICS_TOKEN: token })).metricsToken).toBe(token);
    expect(readConfig(settings({ METRICS_TOKEN: ' ' })).metricsToken).toBeUndefined();
  });

  it('say whether this is production', () => {
    const isProduction = (NODE_ENV?: string) => readConfig(settings({ NODE_ENV })).production;
    expect([isProduction(), isProduction('development'), isProduction('production')]).toEqual([
      ...[false, false, true],
    ]);
  });

  it.each<[string, Env, [string, string]]>([
    ['GitHub itself', {}, ['https://github.com', 'https://api.github.com']],
    [
      'an Enterprise Server',
      { GITHUB_SERVER_URL: 'http://ghe.example.org:8080' },
      ['http://ghe.example.org:8080', 'http://ghe.example.org:8080/api/v3'],
    ],
    [
      'GitHub Enterprise Cloud with data residency',
      { GITHUB_SERVER_URL: 'https://Octocorp.ghe.com/' },
      ['https://octocorp.ghe.com', 'https://api.octocorp.ghe.com'],
    ],
    [
      'an API somewhere else',
      { GITHUB_SERVER_URL: 'https://a.example/', GITHUB_API_URL: 'https://b.example/v3//' },
      ['https://a.example', 'https://b.example/v3'],
    ],
  ])('give the addresses of GitHub: %s', (_what, change, addresses) => {
    const { github } = readConfig(settings(change));
    expect([github?.serverUrl, github?.apiUrl]).toEqual(addresses);
  });

  it.each([
    [undefined, false],
    ['false', false],
    ['true', 1],
    ['0', 0],
    ['2', 2],
    ['10.0.0.1', '10.0.0.1'],
    ['10.0.0.0/8, ::1', '10.0.0.0/8, ::1'],
    ['loopback', 'loopback'],
  ])('accept TRUST_PROXY=%s', (value, trusted) => {
    expect(readConfig(settings({ TRUST_PROXY: value })).trustProxy).toBe(trusted);
  });

  it('can name an external record store, and several secret keys', () => {
    const keys = `${'a'.repeat(32)}, ${'b'.repeat(32)}`;
    const config = readConfig(settings({ ...EXTERNAL, SECRET_KEY: keys, DATA_DIR: '/dev/null/nowhere' }));
    expect(config.store).toEqual({
      kind: 'external',
      url: 'https://records.example.org',
      email: 'otp-guard@example.org',
      password: 'a-long-random-text',
    });
    expect(config.secretKeys).toEqual(['a'.repeat(32), 'b'.repeat(32)]);
  });

  it.each([
    'https://guard.example.org',
    'https://guard.example.org/',
    'http://localhost:3000',
    'https://g.example:8443',
  ])('accept PUBLIC_URL=%s', (PUBLIC_URL) => {
    expect(readConfig(settings({ PUBLIC_URL })).publicUrl).toBe(PUBLIC_URL.replace(/\/$/, ''));
  });
});

describe('an invalid setting', () => {
  it('is reported together with all the others, in one line each', () => {
    const env = settings({ APP_ID: 'x', PORT: 'x', LOG_LEVEL: 'x', WEBHOOK_SECRET: '', PUBLIC_URL: 'x' });
    expect(faulty(env).sort()).toEqual(['APP_ID', 'LOG_LEVEL', 'PORT', 'PUBLIC_URL', 'WEBHOOK_SECRET']);
    const error = new ConfigError(faultsOf(env));
    expect(error.message.split('\n')).toHaveLength(5);
  });

  it('is reported for every missing App setting and the public URL in production', () => {
    expect(faulty({ NODE_ENV: 'production', DATA_DIR: folder }).sort()).toEqual(
      [
        ['APP_ID', 'GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET', 'PRIVATE_KEY', 'PUBLIC_URL'],
        ['WEBHOOK_SECRET'],
      ].flat(),
    );
  });

  it('is reported for each missing setting of an App that is only partly set', () => {
    expect(faulty({ DATA_DIR: folder, APP_ID: '1' })).toEqual(
      expect.arrayContaining(['PRIVATE_KEY', 'WEBHOOK_SECRET', 'GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET']),
    );
    expect(faulty({ DATA_DIR: folder, WEBHOOK_SECRET: 'a-long-random-text' })).toContain('APP_ID');
  });
});
