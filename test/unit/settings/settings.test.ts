import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Config,
  ConfigError,
  loadDotEnv,
  readConfig,
  settingHints,
} from '../../../src/settings/config.ts';
import { SETTING_NAMES, SETTING_PARTS, SETTINGS, type SettingName } from '../../../src/settings/settings.ts';
import { findUnknownSettings } from '../../../src/settings/unknown-settings.ts';
import { APP_KEY } from '../../support/app-key.ts';
import { createManufacturer } from '../../support/attestation.ts';

type Env = Record<string, string | undefined>;

const folder = mkdtempSync(join(tmpdir(), 'otp-guard-settings-'));
const path = (name: string) => join(folder, name);
beforeAll(async () => {
  const { root } = await createManufacturer();
  const { privateKey } = generateKeyPairSync('ed25519');
  writeFileSync(path('roots.pem'), root);
  writeFileSync(path('damaged.pem'), root.replace(/\n[^-]{4}/, '\nAAAA'));
  writeFileSync(path('ed25519.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(path('notes.txt'), 'nothing to see');
  mkdirSync(path('folder'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const COMPLETE: Env = {
  APP_ID: '4711',
  PRIVATE_KEY: APP_KEY,
  WEBHOOK_SECRET: 'webhooks-are-signed-with-it',
  GITHUB_CLIENT_ID: 'Iv1.8a61f9b3a7aba766',
  GITHUB_CLIENT_SECRET: 'sign-in-needs-it',
  DATA_DIR: folder,
};
const EXTERNAL: Env = {
  POCKETBASE_URL: 'https://pocketbase.internal',
  POCKETBASE_SUPERUSER_EMAIL: 'superuser@pocketbase.internal',
  POCKETBASE_SUPERUSER_PASSWORD: 'superusers-sign-in-with-it',
  SECRET_KEY: 'secrets-are-sealed-with-this-for-good',
};
const MAIL: Env = { SMTP_URL: 'smtps://mail.internal', MAIL_FROM: 'guard@mail.internal' };
const S3: Env = { BACKUP_S3_URL: 'https://key:secret@s3.internal/guard-backups/' };
const TWO_YEARS_MS = 2 * 365 * 24 * 60 * 60_000;

/** Wrong values of one setting, or several settings that are wrong together, and what each of them needs. */
type Wrong = { with?: Env } & Partial<
  Record<'missing' | 'malformed' | 'unreadable' | 'expired' | 'weak', (string | Env)[]>
>;

/** A new setting doesn't compile without a line here. */
const WRONG: Record<SettingName, Wrong> = {
  APP_ID: { missing: [' '], malformed: ['0', '-1', '1.5', 'otp-guard', '99999999999999999'] },
  PRIVATE_KEY: {
    missing: [' '],
    malformed: [APP_KEY.slice(0, -200), APP_KEY.replace(/\n[^-]{64}/, '\nbm8ga2V5'), 'no key'],
    unreadable: ['nowhere.pem', 'folder', 'notes.txt', 'ed25519.pem'].map(path),
  },
  WEBHOOK_SECRET: {
    missing: [' '],
    malformed: ['"quoted-and-long-enough"'],
    weak: ['development', 'a'.repeat(40)],
  },
  GITHUB_CLIENT_ID: { missing: [' '], malformed: ['123456'] },
  GITHUB_CLIENT_SECRET: { missing: [' '] },
  GITHUB_SERVER_URL: {
    malformed: ['github.internal', 'https://github.internal/path', 'ftp://github.internal'],
  },
  GITHUB_API_URL: { malformed: ['file:///etc/passwd', 'api.github.internal'] },
  PUBLIC_URL: {
    with: { NODE_ENV: 'production' },
    missing: [' '],
    malformed: [
      ['guard.internal', 'http://guard.internal', 'http://127.0.0.1:3000', 'javascript:alert(1)'],
      ['https://10.0.0.5', 'https://[2001:db8::5]:8443'],
      ['https://guard.internal/path', 'https://guard.internal?x=1', 'https://user:password@guard.internal'],
    ].flat(),
  },
  PORT: { malformed: ['http', '-1', '65536', '3000.5', "'3000'"] },
  HOST: { malformed: ['http://127.0.0.1', '127.0.0.1:3000'] },
  TRUST_PROXY: {
    malformed: [
      ['everyone', '-1', '99999999999999999999', '100'],
      ['10.0.0.0/99', '10.0.0.0/0', '::1/129', '10.0.0.0/8/8', '10.0.0.0/', 'loopback/8'],
    ].flat(),
  },
  WEBHOOK_PROXY_URL: { malformed: ['smee.io'] },
  DATA_DIR: {
    unreadable: ['/dev/null/below', path('notes.txt'), '/proc/below', '/sys/below'],
    malformed: ['~/guard', '~', '"/var/lib/guard"'],
  },
  SECRET_KEY: {
    missing: [' '],
    malformed: ['a-tiny-secret-key', `${EXTERNAL.SECRET_KEY},tiny-key`],
    weak: ['ab'.repeat(20), SETTINGS.SECRET_KEY.example],
    with: EXTERNAL,
  },
  POCKETBASE_SHA256: { malformed: ['0123', 'g'.repeat(64)] },
  BACKUP_DIR: {
    malformed: [
      ...['./backups', 'on', '~/backups', '/proc/backups'],
      // Copies of backups that nobody makes.
      { ...S3, BACKUP_DIR: 'off' },
      { ...S3, ...EXTERNAL },
    ],
  },
  BACKUP_S3_URL: {
    malformed: [
      [
        's3.internal',
        's3://key:secret@s3.internal/guard-backups',
        'http://key:secret@s3.internal/guard-backups',
      ],
      ...[
        'key:secret@s3.internal',
        'key:secret@s3.internal/Backups/2026',
        'key:secret@s3.internal/guard-backups/folder',
        'key:secret@s3.internal/guard-backups/../',
        'key:secret@s3.internal/guard-backups?region=EU%20West',
        'key:secret@s3.internal/guard-backups?acl=public',
        'key:se/cret@s3.internal/guard-backups',
        'key:se%cret@s3.internal/guard-backups',
        'key@s3.internal/guard-backups',
        's3.internal/guard-backups',
        ':secret@s3.internal/guard-backups',
      ].map((rest) => `https://${rest}`),
    ].flat(),
  },
  POCKETBASE_URL: { missing: [' '], malformed: ['records'], with: EXTERNAL },
  POCKETBASE_SUPERUSER_EMAIL: { missing: [' '], malformed: ['superuser'], with: EXTERNAL },
  POCKETBASE_SUPERUSER_PASSWORD: { missing: [' '], weak: ['superuser'], with: EXTERNAL },
  ATTESTATION_ROOTS: {
    unreadable: ['nowhere.pem', 'notes.txt', 'damaged.pem'].map(path),
    expired: [path('roots.pem')],
  },
  SMTP_URL: {
    missing: [' '],
    with: MAIL,
    malformed: [
      ['mail.internal:25', 'https://mail.internal', 'smtp://mail.internal?service=gmail'],
      ...['proxy=http://x', 'sendmail=true', 'logger=true', 'requireTLS=true&pool=true'].map(
        (options) => `smtp://mail.internal?${options}`,
      ),
    ].flat(),
  },
  MAIL_FROM: {
    missing: [' '],
    malformed: ['Guard <guard@mail.internal>'],
    with: MAIL,
  },
  NODE_ENV: { malformed: ['Production', 'prod', 'test'] },
  LOG_LEVEL: { malformed: ['loud'] },
  METRICS_TOKEN: { malformed: ['fifteen-letters'], weak: ['abababababababababab'] },
  HTTPS_PROXY: { malformed: ['proxy.internal:3128', 'socks5://proxy.internal'] },
  NO_PROXY: { malformed: ['"localhost"'] },
  REDIS_URL: { malformed: ['no redis', 'https://redis.internal'] },
};

const CASES = SETTING_NAMES.flatMap((name) => {
  const { with: others, ...wrong } = WRONG[name];
  return Object.entries(wrong).flatMap(([kind, all]) =>
    all.map((value) => {
      const change = typeof value === 'string' ? { [name]: value } : value;
      return [kind, name, { ...COMPLETE, ...others, ...change } as Env] as const;
    }),
  );
});

/** Everything that an operator is shown about these settings. */
function linesOf(env: Env, now = new Date()): string[] {
  return [...settingHints(env, now), ...faultsOf(env)];
}

const WAY_OUT = /\. (Example: [A-Z0-9_]+=\S.*|(Set|Remove|Replace) [^\n]+)$/;

/** Everything that the product starts with, and the test's changes. */
const settings = (change: Env = {}): Env => ({
  ...COMPLETE,
  PUBLIC_URL: 'https://guard.example.org',
  ...change,
});

function faultsOf(env: Env): readonly string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

describe('a wrong setting', () => {
  it('is tried in each way that the list knows', () => {
    for (const name of SETTING_NAMES) {
      const { with: _others, missing, ...wrong } = WRONG[name];
      expect([name, Boolean(missing)]).toEqual([name, Boolean(SETTINGS[name].required)]);
      expect([name, Boolean(missing) || Object.keys(wrong).length > 0]).toEqual([name, true]);
    }
    expect(CASES.length).toBeGreaterThan(80);
  });

  it.each(CASES)(
    'that is %s is named with the way out, in one line without its value: %s',
    (kind, name, env) => {
      const lines = linesOf(env, new Date(Date.now() + (kind === 'expired' ? TWO_YEARS_MS : 0)));
      expect(lines).toEqual([expect.stringMatching(new RegExp(`^${name}: [^\\n]+$`))]);
      expect(lines[0]).toMatch(WAY_OUT);
      const said = lines[0]?.replace(`${name}=${SETTINGS[name].example}`, '');
      for (const value of Object.values(env))
        if (value && value.length > 4 && value !== 'production') expect(said).not.toContain(value);
    },
  );
});

describe('a name that is no setting', () => {
  const hintsAt = (names: string) =>
    findUnknownSettings(
      Object.fromEntries(
        names
          .trim()
          .split(/\s+/)
          .map((name) => [name, 'a-secret']),
      ),
    );

  it.each(
    `
    APPID:APP_ID app_id:APP_ID DataDir:DATA_DIR port:PORT SMTP_URI:SMTP_URL MAIL_FORM:MAIL_FROM DATA_DIRS:DATA_DIR
    WEBHOK_SECRET:WEBHOOK_SECRET PRIVATE_KEYS:PRIVATE_KEY GITHUB__API_URL:GITHUB_API_URL PUBLIC_UR:PUBLIC_URL
    GHE_HOST:GITHUB_SERVER_URL GHE_PROTOCOL:GITHUB_SERVER_URL PRIVATE_KEY_PATH:PRIVATE_KEY`
      .trim()
      .split(/\s+/),
  )('but looks like one that is not set is named with that, without its value: %s', (pair) => {
    const [name = '', meant = ''] = pair.split(':');
    expect(hintsAt(name)).toEqual([`${name}: not a setting of OTP Guard. Did you mean ${meant}?`]);
    expect(hintsAt(`${name} ${meant}`)).toEqual([]);
  });

  it('and that other programs have isn’t named', () => {
    const others = `
      PATH HOME USER LOGNAME MAIL SHELL TERM LANG LC_ALL PWD OLDPWD SHLVL _ HOSTNAME HOSTTYPE DISPLAY EDITOR TZ TMPDIR
      LS_COLORS SSH_AUTH_SOCK SSH_CLIENT XDG_DATA_DIRS XDG_DATA_HOME XDG_RUNTIME_DIR DBUS_SESSION_BUS_ADDRESS SUDO_USER
      POST PROT HOSTS COST SORT PORTS EXPORT REPORT DATA DIR BACKUP LOG DEBUG APP_ENV APP_URL APP_KEY APP_UID APPDIR SECRET
      OTP_GUARD_PORT OTP_GUARD_SERVICE_HOST POCKETBASE_PORT POCKETBASE_SERVICE_HOST SMTP_PORT SMTP_HOST SMTP_USER
      CI RUNNER_OS GITHUB_ACTIONS GITHUB_TOKEN GITHUB_ACTOR GITHUB_ACTOR_ID GITHUB_RUN_ID GITHUB_SHA GITHUB_REF GITHUB_ENV
      npm_package_name npm_node_execpath COLOR HTTP_PROXY https_proxy NO_PROXY no_proxy DATABASE_URL PUBLIC_KEY SSL_CERT_FILE`;
    expect(hintsAt(others)).toEqual([]);
    expect(settingHints(COMPLETE)).toEqual([]);
  });
});

describe('the list of settings', () => {
  it('has all that are read, and no others', () => {
    const names = new Set<string>();
    const watched = (env: Env) =>
      new Proxy(env, { get: (all, name: string) => names.add(name) && all[name] });
    for (const env of [{}, EXTERNAL, MAIL, S3]) readConfig(watched({ ...COMPLETE, ...env }));
    expect([...names].sort()).toEqual([...SETTING_NAMES].sort());
  });

  it('has valid examples, and defaults that apply', () => {
    const files = ['PRIVATE_KEY', 'DATA_DIR', 'ATTESTATION_ROOTS'];
    const examples = SETTING_NAMES.filter((name) => !files.includes(name)).map((name) => [
      name,
      SETTINGS[name].example,
    ]);
    expect(() => readConfig({ ...COMPLETE, ...Object.fromEntries(examples) })).not.toThrow();
    for (const name of SETTING_NAMES) {
      const [, value] = /^`([a-z0-9][a-z0-9.:/]*)`$/.exec(SETTINGS[name].default ?? '') ?? [];
      if (value)
        expect([name, readConfig({ ...COMPLETE, [name]: value })]).toEqual([name, readConfig(COMPLETE)]);
    }
  });

  it('is what docs/settings.md and .env.example say', async () => {
    const { settingsExample, settingsTable } = await import(resolve('scripts/setting-docs.js'));
    // If this fails: npm run build && node scripts/write-docs.js
    expect(readFileSync(resolve('docs/settings.md'), 'utf8')).toContain(`\n${settingsTable(SETTINGS)}\n`);
    expect(readFileSync(resolve('.env.example'), 'utf8')).toBe(settingsExample(SETTING_PARTS));
  });

  it('isn’t read from a `.env` that can’t be read, and nothing else starts either', () => {
    expect(() => loadDotEnv(path('folder'))).toThrow(
      /^\.env: cannot be read \(EISDIR\)\. Let the user .*, or remove it$/,
    );
    expect(() => loadDotEnv(path('nowhere'))).not.toThrow();
  });

  it('is read from a .env that begins with a byte order mark, as editors of Windows write it', () => {
    const env: Env = {};
    writeFileSync(path('bom.env'), '\uFEFFAPP_ID=7\nHOST=::1\n');
    loadDotEnv(path('bom.env'), env);
    expect(env).toMatchObject({ APP_ID: '7', HOST: '::1' });
  });

  it.each([
    ['WEBHOOK_SECRET=before#after', true],
    ['  export WEBHOOK_SECRET = before#after # a comment', true],
    ['WEBHOOK_SECRET=#after', true],
    ['WEBHOOK_SECRET="before#after"', false],
    ["WEBHOOK_SECRET= 'before#after'", false],
    ['WEBHOOK_SECRET=before # as issue#5 says', false],
    ['WEBHOOK_SECRET= # a comment#', false],
    ['# WEBHOOK_SECRET=before#after', false],
    ['OTHER=before#after', false],
  ])('isn’t cut at a # without a word: %s', (line, isCut) => {
    const file = path('hash.env');
    writeFileSync(file, `PORT=3000\n${line}\n`);
    if (!isCut) return expect(() => loadDotEnv(file, {})).not.toThrow();
    expect(() => loadDotEnv(file, {})).toThrow(
      /^WEBHOOK_SECRET: has a # in \.env, [^\n]*\. Example: WEBHOOK_SECRET="[^"]+"$/,
    );
  });

  it('is read from the environment, else from .env, else from DATA_DIR/.env, which can’t move DATA_DIR', () => {
    const cwd = process.cwd();
    const folders = ['here', 'here/data', 'there'].map(path);
    for (const one of folders) mkdirSync(one);
    process.chdir(path('here'));
    try {
      writeFileSync('.env', `DATA_DIR=${path('there')}\nAPP_ID=2\nMAIL_FROM=first\n`);
      writeFileSync(path('there/.env'), 'APP_ID=3\nMAIL_FROM=second\nHOST=second\n');
      const env: Env = { APP_ID: '1' };
      loadDotEnv('.env', env);
      expect(env).toEqual({ DATA_DIR: path('there'), APP_ID: '1', MAIL_FROM: 'first', HOST: 'second' });
      rmSync('.env');
      writeFileSync('data/.env', 'DATA_DIR=elsewhere\n');
      expect(() => loadDotEnv('.env', {})).toThrow(/^DATA_DIR: can't be set in DATA_DIR\/\.env/);
    } finally {
      process.chdir(cwd);
    }
  });
});

describe('valid settings', () => {
  it('are read, with a default for each that is not set', () => {
    expect(readConfig(settings())).toEqual({
      production: false,
      github: {
        appId: 4711,
        privateKey: APP_KEY.trim(),
        webhookSecret: COMPLETE.WEBHOOK_SECRET ?? '',
        clientId: COMPLETE.GITHUB_CLIENT_ID ?? '',
        clientSecret: COMPLETE.GITHUB_CLIENT_SECRET ?? '',
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
      outgoingProxy: null,
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

  it.each<[string, (key: string) => string]>([
    ['in quotes', (key) => `"${key}"`],
    ['in single quotes, with a line end behind them', (key) => `'${key}'\n`],
    ['in one line with \\n, in quotes', (key) => `"${key.trim().replaceAll('\n', '\\n')}"`],
    ['indented', (key) => key.replace(/^/gm, '    ')],
    ['with line ends of Windows', (key) => key.replaceAll('\n', '\r\n')],
    ['in base64', (key) => Buffer.from(key).toString('base64')],
    ['in base64 with line ends', (key) => Buffer.from(key).toString('base64').replace(/.{76}/g, '$&\n')],
  ])('take a private key %s', (_how, write) => {
    const config = readConfig(settings({ PRIVATE_KEY: write(APP_KEY) }));
    expect(config.github?.privateKey.trim()).toBe(APP_KEY.trim());
  });

  it('can name the private key’s file', () => {
    const path = join(folder, 'key.pem');
    writeFileSync(path, APP_KEY);
    const config = readConfig(settings({ PRIVATE_KEY: path }));
    expect(config.github?.privateKey.trim()).toBe(APP_KEY.trim());
  });

  it('make backups next to an embedded store, with an external one only if a folder is set', () => {
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

  it('need no App until one is registered, except in production', () => {
    expect(readConfig({ DATA_DIR: folder })).toMatchObject({
      github: null,
      publicUrl: 'http://localhost:3000',
    });
    expect(readConfig({ DATA_DIR: folder, PORT: '8080' }).publicUrl).toBe('http://localhost:8080');
  });

  it('can name a proxy on the way out, also in small letters', () => {
    const env: Env = { ...settings(), https_proxy: 'http://u:p@proxy.internal:3128', no_proxy: '.internal' };
    loadDotEnv(path('nowhere'), env);
    expect(readConfig(env).outgoingProxy).toEqual({ url: env.https_proxy, except: env.no_proxy });
    expect(findUnknownSettings(env)).toEqual([]);
  });

  it('make no folder for a DATA_DIR that isn’t taken', () => {
    const cwd = process.cwd();
    process.chdir(mkdtempSync(join(folder, 'empty-')));
    try {
      for (const value of ['~/guard', '"guard"']) faultsOf({ DATA_DIR: value });
      expect(readdirSync('.')).toEqual([]);
    } finally {
      process.chdir(cwd);
    }
  });

  it('turn e-mail on with a mail server and a sender', () => {
    const mail = { url: 'smtps://guard:secret@mail.example.org:465', from: 'otp-guard@example.org' };
    for (const url of [mail.url, `${mail.url}?requireTLS=true&tls.rejectUnauthorized=false`])
      expect(readConfig(settings({ SMTP_URL: url, MAIL_FROM: mail.from })).mail).toEqual({ ...mail, url });
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
      url: EXTERNAL.POCKETBASE_URL,
      email: EXTERNAL.POCKETBASE_SUPERUSER_EMAIL,
      password: EXTERNAL.POCKETBASE_SUPERUSER_PASSWORD,
    });
    expect(config.secretKeys).toEqual(['a'.repeat(32), 'b'.repeat(32)]);
  });
});

it('every setting of the App and the public URL is required in production, where no set-up page opens', () => {
  const faults = faultsOf({ NODE_ENV: 'production', DATA_DIR: folder });
  expect(faults.map((fault) => fault.split(':')[0]).sort()).toEqual(
    [
      ['APP_ID', 'GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET', 'PRIVATE_KEY', 'PUBLIC_URL'],
      ['WEBHOOK_SECRET'],
    ].flat(),
  );
});
