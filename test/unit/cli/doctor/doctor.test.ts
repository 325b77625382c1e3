import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { readAppManifest } from '../../../../src/cli/app-manifest.ts';
import { checkAddress, checkProxy, checkReach } from '../../../../src/cli/doctor/address.ts';
import { checkBackups } from '../../../../src/cli/doctor/backups.ts';
import {
  conclusionOf,
  exitCodeOf,
  type Found,
  runChecks,
  type Status,
} from '../../../../src/cli/doctor/finding.ts';
import {
  checkApp,
  checkClock,
  checkOrganizations,
  checkSignIn,
  checksAtGitHub,
  checkWebhooks,
} from '../../../../src/cli/doctor/github.ts';
import {
  checkDisk,
  checkMode,
  checkRights,
  checkRunning,
  checkSettings,
} from '../../../../src/cli/doctor/machine.ts';
import { checkMail } from '../../../../src/cli/doctor/mail.ts';
import { checkStore } from '../../../../src/cli/doctor/record-store.ts';
import { checkRedis } from '../../../../src/cli/doctor/redis.ts';
import { READINESS_TEXTS } from '../../../../src/shared/readiness-texts.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const now = () => NOW;
const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
const DAY = 24 * 60 * 60;
const publicUrl = 'https://guard.example.org';
const fails = (message: string) => () => Promise.reject(new Error(message));

const addressWith = (days: number, change: object = {}, url = publicUrl) =>
  checkAddress(
    { publicUrl: url },
    {
      now,
      resolve: async () => ['192.0.2.1'],
      certificateOf: async () => ({ validTo: after(days * DAY), refusal: null }),
      ...change,
    },
  );
const headers = { 'content-security-policy': "default-src 'none'", 'x-content-type-options': 'nosniff' };
const reply = (status: number, text: string) => ({ status, text, headers });
const timeOf = (seconds: number | null) => {
  const answer = (date: Date) => ({ ...reply(200, ''), headers: { date: date.toUTCString() } });
  return checkClock('', { now, request: async () => (seconds === null ? null : answer(after(seconds))) });
};
const answers = (byPath: Record<string, [number, string]>) => async (url: string) => {
  const found = byPath[new URL(url).pathname];
  return found ? reply(...found) : null;
};
const LOCAL = { host: undefined, port: 3000 };
const listed = (change: object = {}): [number, string] => [
  200,
  JSON.stringify({ app: 7, host: publicUrl, ...change }),
];
const reach = (list: [number, string] | null, isRunning = true) =>
  checkReach({ publicUrl, ...LOCAL }, 7, async (url) => {
    if (url.startsWith('http://localhost:3000/')) return isRunning ? reply(200, 'ok') : null;
    return answers(list ? { '/healthz': alive, '/.well-known/otp-guard.json': list } : {})(url);
  });
type Reply = ReturnType<typeof reply> | { status: number; text: string; headers: Record<string, string> };
const proxy = (
  trustProxy: number | false,
  answer: Reply | null = reply(200, 'ok'),
  url = publicUrl,
  hook: Reply = reply(400, ''),
) =>
  checkProxy(
    { publicUrl: url, trustProxy },
    { request: async () => answer, sendWebhook: async () => answer && hook },
  );
const expected = { default_permissions: { checks: 'write' }, default_events: ['pull_request'] };
const app = (
  permissions: Record<string, string>,
  events: string[],
  enterpriseVersion: string | null = null,
) => checkApp({ readApp: async () => ({ slug: 'guard', permissions, events, enterpriseVersion }) }, expected);
const hook = { url: `${publicUrl}/hook`, hasSecret: true, isJson: true, verifiesTls: true };
const hooks = (change: object, ...statuses: number[]) =>
  checkWebhooks(
    {
      readWebhookConfig: async () => ({ ...hook, ...change }),
      readDeliveries: async () => statuses.map((status) => ({ at: NOW, status })),
    },
    hook.url,
  );
const mailServer = { connect: async () => undefined, send: async () => undefined };
const GRANTED = { checks: 'write', pull_requests: 'read', metadata: 'read', members: 'read' };
const organizations = (refusal: string | null, permissions: Record<string, string> = GRANTED) => {
  const asked = [{ login: 'octo-org', refusal, isOrganization: true, permissions }];
  return checkOrganizations({ askAccounts: async () => ({ asked, more: 2 }) });
};
const disk = (megabytes: number) => checkDisk('/data', megabytes * 1024 * 1024);
const rights = (mode: number | null, isSecret = true) => checkRights([{ path: '/x/.env', mode, isSecret }]);
const backups = (days: number | null, change: object = {}) =>
  checkBackups(
    {
      folders: ['/b'],
      newest: async () => (days === null ? null : after(-days * DAY)),
      tryFolder: async () => undefined,
      tryCopy: async () => undefined,
      isCopied: true,
      ...change,
    },
    NOW,
  );
const signIn = (status: number) => checkSignIn({ tryClientSecret: async () => status });
const store = (schema: number | null, isRunning = false, forged = 0) =>
  checkStore(
    async () => (schema === null ? null : { schema, forged }),
    async () => isRunning,
    8,
  );
const local = (byPath: Record<string, [number, string]>, port: string | null = null, load = 1) =>
  checkRunning(LOCAL, {
    request: answers(byPath),
    listen: async () => port,
    load: () => load,
    version: '0.1.0',
  });
const alive: [number, string] = [200, '{"status":"ok","version":"0.1.0","commit":null}'];

describe('otp-guard doctor', () => {
  it.each<
    [what: string, found: () => Promise<Found | Found[]> | Found | Found[], status: Status, says: RegExp]
  >([
    ['settings', () => checkSettings([], []), 'ok', /read/],
    ['a wrong setting', () => checkSettings(['PORT: no'], []), 'problem', /^PORT/],
    ['a misspelt setting', () => checkSettings([], ['APPID: ?']), 'note', /^APPID/],
    ['the right time', () => timeOf(0), 'ok', /agrees/],
    ['a clock that is a bit ahead', () => timeOf(-10), 'note', /9 seconds ahead of/],
    ['a clock that is behind', () => timeOf(90), 'problem', /90 seconds behind.*NTP/],
    ['no time from GitHub', () => timeOf(null), 'unknown', /not known/],
    ['a certificate', () => addressWith(60), 'ok', /valid until 2026-04-30/],
    ['a certificate that ends soon', () => addressWith(5), 'note', /in 5 days/],
    ['an expired certificate', () => addressWith(-1), 'problem', /expired on 2026-02-28\. Renew/],
    [
      'a certificate of nobody',
      () => addressWith(9, { certificateOf: async () => ({ validTo: after(DAY), refusal: 'SELF_SIGNED' }) }),
      'problem',
      /SELF_SIGNED/,
    ],
    ['no TLS', () => addressWith(9, { certificateOf: async () => null }), 'problem', /nothing answers/],
    ['a name that is nobody’s', () => addressWith(9, { resolve: async () => [] }), 'problem', /DNS/],
    ['http on this machine', () => addressWith(9, {}, 'http://localhost:3000'), 'ok', /no cert/],
    ['an organization', () => organizations(null), 'ok', /about octo-org\. 2 more weren't tried/],
    [
      'an IP allow list',
      () => organizations('It has a list.'),
      'problem',
      /octo-org\. It says: It has a list\./,
    ],
    [
      'a permission that the account did not grant',
      () => organizations(null, { ...GRANTED, checks: 'read' }),
      'problem',
      /octo-org hasn't granted OTP Guard checks: write\. An owner/,
    ],
    [
      'no installation',
      () => checkOrganizations({ askAccounts: async () => ({ asked: [], more: 0 }) }),
      'note',
      /yet/,
    ],
    ['no list', () => checkOrganizations({ askAccounts: fails('') }), 'unknown', /again/],
    ['an address that leads here', () => reach(listed()), 'ok', /leads to this/],
    ['an address of another App', () => reach(listed({ app: 8 })), 'problem', /another App \(8\)/],
    [
      'another PUBLIC_URL',
      () => reach(listed({ host: 'https://old' })),
      'problem',
      /PUBLIC_URL=https:\/\/old/,
    ],
    ['another program', () => reach([404, 'no']), 'problem', /not as OTP Guard/],
    ['no answer', () => reach(null), 'problem', /firewall/],
    ['no answer while nothing runs', () => reach(null, false), 'unknown', /Start it/],
    ['a proxy', () => proxy(1), 'ok', /TRUST_PROXY is 1/],
    ['an unknown proxy', () => proxy(false), 'problem', /TRUST_PROXY=1/],
    ['a proxy without a use', () => proxy(1, reply(200, 'ok'), 'http://localhost'), 'note', /remove it/],
    [
      'a proxy that removes headers',
      () => proxy(1, { ...reply(200, 'ok'), headers: {} }),
      'problem',
      /removes content-security-policy/,
    ],
    ['a proxy that is away', () => proxy(1, null), 'unknown', /not known/],
    [
      'a proxy that sends webhooks in chunks',
      () => proxy(1, reply(200, 'ok'), publicUrl, reply(411, '')),
      'problem',
      /\(411\)\. Let it pass Content-Length on/,
    ],
    ['the App', () => app({ checks: 'write' }, ['pull_request']), 'ok', /guard/],
    [
      'an old Enterprise Server',
      () => app({ checks: 'write' }, ['pull_request'], '3.16.4'),
      'note',
      /\(3\.16\.4\) is older than 3\.17.*rule suites only with administration: write/,
    ],
    [
      'a newer Enterprise Server',
      () => app({ checks: 'write' }, ['pull_request'], '3.17.0'),
      'ok',
      /^(?!.*rule suites)/,
    ],
    ['a missing permission', () => app({ checks: 'read' }, ['pull_request']), 'problem', /checks: write/],
    ['a missing event', () => app({ checks: 'write' }, []), 'problem', /subscribed to pull_request/],
    ['a refused key', () => checkApp({ readApp: fails('No.') }, expected), 'problem', /^No\.$/],
    ['webhooks', () => hooks({}, 200, 202), 'ok', /last of 2/],
    ['a webhook to somebody else', () => hooks({ url: 'https://old' }, 200), 'problem', /https:\/\/old.*Set/],
    ['webhooks without a secret', () => hooks({ hasSecret: false }, 200), 'problem', /WEBHOOK_SECRET/],
    ['webhooks without TLS', () => hooks({ verifiesTls: false }, 200), 'note', /SSL/],
    ['no webhook yet', () => hooks({}), 'note', /no webhook/],
    ['a webhook that failed', () => hooks({}, 502, 200), 'problem', /failed with 502/],
    ['one that failed before', () => hooks({}, 200, 0), 'note', /1 before it failed/],
    ['no mail server', () => checkMail(undefined, undefined), 'note', /SMTP_URL/],
    ['no mail server for a message', () => checkMail(undefined, 'a@b.c'), 'problem', /SMTP_URL/],
    ['a mail server', () => checkMail(mailServer, undefined), 'ok', /--mail/],
    ['a message', () => checkMail(mailServer, 'a@b.c'), 'ok', /to a@b\.c/],
    [
      'a mail server that refuses',
      () => checkMail({ ...mailServer, connect: fails('EAUTH.') }, undefined),
      'problem',
      /^EAUTH\. Check SMTP_URL/,
    ],
    ['a trial', () => checkMode({ production: false }), 'note', /add NODE_ENV=production to \.env/],
    ['production', () => checkMode({ production: true }), 'ok', /set-up page is closed/],
    ['a disk', () => disk(5_000), 'ok', /5,000 MB/],
    ['a small disk', () => disk(900), 'note', /soon/],
    ['a full disk', () => disk(10), 'problem', /Make room/],
    ['rights', () => rights(0o600), 'ok', /Only their owner/],
    ['no file', () => rights(null), 'ok', /neither/],
    ['a secret for its group', () => rights(0o640), 'note', /group/],
    ['a secret for all', () => rights(0o644), 'problem', /read \/x\/\.env\. Run chmod/],
    ['a folder for all', () => rights(0o755, false), 'note', /list/],
    ['a folder that all change', () => rights(0o777, false), 'problem', /change/],
    ['a backup', () => backups(1), 'ok', /2026-02-28/],
    ['a backup on this machine only', () => backups(1, { isCopied: false }), 'note', /nowhere\. Copy \/b/],
    ['an older backup', () => backups(3), 'note', /3 days ago/],
    ['an old backup', () => backups(9), 'problem', /every day/],
    ['no backup', () => backups(null), 'note', /otp-guard backup/],
    ['no Redis', () => checkRedis(undefined), 'ok', /alone/],
    ['Redis', () => checkRedis('redis://r', async () => undefined), 'ok', /answers/],
    [
      'no answer of Redis',
      () => checkRedis('redis://r', fails('redis://:secret@r')),
      'problem',
      /^(?!.*secret).*REDIS_URL/,
    ],
    ['the record store', () => store(8), 'ok', /schema 8/],
    ['no record store', () => store(null), 'note', /first start.*isn’t its folder/],
    [
      'a record store elsewhere',
      () => store(null, true),
      'problem',
      /isn’t in DATA_DIR\. Run otp-guard doctor/,
    ],
    ['forged records', () => store(8, true, 2), 'problem', /it didn't write \(2\)/],
    ['an older store', () => store(7), 'note', /upgrades it to 8/],
    ['a newer store', () => store(9), 'problem', /newer version/],
    ['a damaged store', () => checkStore(fails('Lost.'), async () => true), 'problem', /^Lost/],
    ['a product', () => local({ '/healthz': alive, '/readyz': [200, 'ok'] }), 'ok', /ready/],
    ['silence', () => local({ '/healthz': alive, '/readyz': [200, 'ok, but'] }), 'problem', /but$/],
    ['one that is not ready', () => local({ '/healthz': alive, '/readyz': [503, 'S'] }), 'problem', /: S$/],
    ['another program on the port', () => local({ '/healthz': [404, ''] }), 'problem', /PORT/],
    [
      'another program that is healthy, too',
      () => local({ '/healthz': [200, '{"status":"ok"}'], '/readyz': [200, 'ok'] }),
      'problem',
      /Another program.*PORT/,
    ],
    ['what hangs on the port', () => local({}, 'EADDRINUSE'), 'problem', /If it is OTP Guard, it hangs/],
    ['a port that is not ours', () => local({}, 'EACCES'), 'problem', /EACCES.*HOST and PORT/],
    ['a client secret', () => signIn(404), 'ok', /accepts the client secret/],
    ['a wrong client secret', () => signIn(401), 'problem', /GITHUB_CLIENT_SECRET/],
    ['no answer about the client secret', () => signIn(0), 'unknown', /not known/],
    [
      'backups that can’t be written',
      () => backups(1, { tryFolder: fails('No (EROFS).') }),
      'problem',
      /EROFS/,
    ],
    ['backups that can’t be copied', () => backups(1, { tryCopy: fails('No (403).') }), 'problem', /403/],
    ['no product', () => local({}), 'note', /otp-guard start/],
  ])('says what to do about %s', async (_what, find, status, says) => {
    const found = await runChecks([{ name: 'x', run: async () => find() }]);
    expect(found).toEqual([{ check: 'x', status, text: expect.stringMatching(says) }]);
  });

  type State = {
    clock?: number;
    refusal?: string;
    secret?: number;
    healthz?: [number, string];
    readyz?: [number, string] | null;
    port?: string;
    load?: number;
    /** What opening the record store fails with. */
    store?: string;
    forged?: number;
    isStoreElsewhere?: boolean;
    megabytes?: number;
    list?: [number, string];
    /** The status of the last webhook that GitHub sent. */
    delivery?: number;
    /** The answer to a webhook through the proxy. */
    hook?: number;
    hasNoName?: boolean;
    backups?: object;
    mail?: string;
    redis?: string;
  };
  // Other words for each trouble, of which the causes are the same.
  const texts = Object.keys(READINESS_TEXTS).map((trouble) => [trouble, `It is ${trouble}.`]);
  const { noStore, noWrites, noWebhooks, overdue, noBackup } = Object.assign(
    READINESS_TEXTS,
    Object.fromEntries(texts),
  );
  const noAnswer = [503, noStore] satisfies State['readyz'];
  const takesNone = [503, `${noWrites} Its disk has 1 MB left.`] satisfies State['readyz'];
  const silent = { readyz: [200, noWebhooks] } satisfies State;
  const away = "GitHub doesn't answer. Check GITHUB_SERVER_URL and GITHUB_API_URL, and the network.";
  const refused = "GitHub refused the App: APP_ID and PRIVATE_KEY don't belong together.";
  const notGitHub = 'GITHUB_API_URL answers, but not as GitHub does. Check GITHUB_SERVER_URL';
  const interrupted = 'A restore was interrupted, so these records must not be used yet.';
  const otherKey = 'SECRET_KEY is not the key that the records were sealed with.';
  const refusesApp = { readyz: [503, refused], refusal: refused, secret: 401 } satisfies State;
  const unusable = { readyz: noAnswer, list: [503, ''] } satisfies State;

  /** What the doctor is run for in each state of the runbook, by its heading there, and the one finding that it has. */
  const STATES: Record<string, [what: string, state: State, cause: RegExp][]> = {
    'Checks hang': [
      ['webhooks don’t arrive', silent, /^running: .*noWebhooks/],
      [
        'the proxy takes their length away',
        { ...silent, hook: 411, delivery: 411 },
        /^proxy: .*Content-Length/,
      ],
      ['GitHub doesn’t reach us', { ...silent, delivery: 0 }, /^webhooks: .*GitHub reaches PUBLIC_URL/],
      ['a round is overdue', { readyz: [200, overdue] }, /^running: .*overdue/],
    ],
    'Nobody gets an answer': [
      ['OTP Guard hangs', { readyz: null, port: 'EADDRINUSE', delivery: 0 }, /^running: .*it hangs: restart/],
      ['a busy machine', { readyz: null, port: 'EADDRINUSE', load: 12 }, /^running: .*too busy: 12 programs/],
      ['no DNS record', { hasNoName: true, ...silent, delivery: 0 }, /^address: .*DNS record/],
    ],
    '503': [
      ['the store hangs', { ...unusable, store: 'It hangs.', delivery: 503 }, /^record store: It hangs/],
      [
        'an interrupted restore',
        { ...unusable, store: interrupted },
        /^record store: A restore was interrupted/,
      ],
      ['the folder is another', { isStoreElsewhere: true }, /^record store: .*isn’t in DATA_DIR/],
    ],
    'The disk is full': [['it is', { readyz: takesNone, megabytes: 1 }, /^disk: .*Make room/]],
    'GitHub is down': [
      ['it doesn’t answer', { readyz: [503, away], refusal: away, secret: 0 }, /^App: GitHub doesn't answer/],
      [
        'something else answers',
        { readyz: [503, notGitHub], refusal: notGitHub },
        /^App: .*not as GitHub does/,
      ],
    ],
    'The clock is wrong': [['it is', { ...refusesApp, clock: 90 }, /^clock: .*NTP/]],
    'Redis is away': [['it is', { redis: 'redis://r' }, /^redis: .*third of every limit/]],
    'E-mail waits': [['the server refuses us', { mail: 'It answered EAUTH.' }, /^mail: It answered EAUTH/]],
    'There is no backup': [
      [
        'none can be written',
        {
          readyz: [200, noBackup],
          backups: { tryFolder: fails('EROFS.') },
        },
        /^backups: EROFS/,
      ],
      ['it isn’t known why', { readyz: [200, noBackup] }, /^running: .*noBackup/],
    ],
    'A key is lost': [
      ['SECRET_KEY', { store: otherKey, ...unusable }, /^record store: SECRET_KEY is not/],
      ['the private key', refusesApp, /^App: GitHub refused/],
      ['the client secret', { secret: 401 }, /^sign-in: .*GITHUB_CLIENT_SECRET/],
      ['the webhook secret', { ...silent, delivery: 401 }, /^webhooks: .*Compare WEBHOOK_SECRET/],
    ],
    'A forged record or check': [['there is one', { forged: 1 }, /^record store: .*docs\/runbook\.md/]],
    'Versions differ': [
      [
        'the old one still runs',
        { healthz: [200, '{"status":"ok","version":"0.0.9","commit":null}'] },
        /^running: OTP Guard 0\.0\.9 runs .* 0\.1\.0 is installed\. Restart/,
      ],
    ],
  };
  const NO_STATES = ['The first five minutes', 'Let people merge without OTP Guard'];

  it('knows each state of the runbook', () => {
    const headings = [...readFileSync('docs/runbook.md', 'utf8').matchAll(/^## (.+)$/gm)].map(
      ([, name]) => name,
    );
    expect(headings.filter((name) => !NO_STATES.includes(name ?? '')).sort()).toEqual(
      Object.keys(STATES).sort(),
    );
  });

  it.each(Object.entries(STATES).flatMap(([name, rows]) => rows.map((row) => [name, ...row] as const)))(
    'finds one cause: %s: %s',
    async (_name, _what, state, cause) => {
      const { refusal, healthz = alive, readyz = [200, 'ok'], secret = 404, list = listed() } = state;
      const registration = {
        readApp: refusal
          ? fails(refusal)
          : async () => ({
              slug: 'guard',
              permissions: readAppManifest().default_permissions,
              events: readAppManifest().default_events,
              enterpriseVersion: null,
            }),
        readWebhookConfig: async () => hook,
        readDeliveries: async () => [{ at: NOW, status: state.delivery ?? 200 }],
        tryClientSecret: async () => secret,
        askAccounts: async () => ({
          asked: [{ login: 'octo-org', refusal: null, permissions: GRANTED }],
          more: 0,
        }),
      };
      const found = await runChecks([
        {
          name: 'running',
          run: () => local(readyz ? { '/healthz': healthz, '/readyz': readyz } : {}, state.port, state.load),
        },
        {
          name: 'record store',
          run: () =>
            state.store
              ? checkStore(fails(state.store), async () => true)
              : store(state.isStoreElsewhere ? null : 8, true, state.forged),
        },
        { name: 'disk', run: async () => disk(state.megabytes ?? 5_000) },
        { name: 'address', run: () => addressWith(60, state.hasNoName ? { resolve: async () => [] } : {}) },
        {
          name: 'proxy',
          run: () => proxy(1, state.hasNoName ? null : undefined, publicUrl, reply(state.hook ?? 400, '')),
        },
        { name: 'clock', run: () => timeOf(state.clock ?? 0) },
        ...checksAtGitHub(registration as unknown as Parameters<typeof checksAtGitHub>[0], hook.url),
        { name: 'reach', run: () => reach(state.hasNoName ? null : list, readyz !== null) },
        {
          name: 'mail',
          run: () =>
            checkMail(state.mail ? { ...mailServer, connect: fails(state.mail) } : mailServer, undefined),
        },
        { name: 'backups', run: () => backups(1, state.backups) },
        { name: 'redis', run: () => checkRedis(state.redis, fails('away')) },
      ]);
      const problems = found.filter(({ status }) => status === 'problem');
      expect(problems.map(({ check, text }) => `${check}: ${text}`)).toEqual([expect.stringMatching(cause)]);
    },
  );

  it('calls a product that isn’t ready a problem, even if something else is wrong', async () => {
    const found = await runChecks([
      { name: 'running', run: () => local({ '/healthz': alive, '/readyz': noAnswer }) },
      { name: 'backups', run: () => backups(9) },
    ]);
    expect(found.map(({ check, status }) => [check, status])).toEqual([
      ['running', 'problem'],
      ['backups', 'problem'],
    ]);
  });

  it.each<[Status[], string]>([
    [['ok', 'ok'], 'No problem. Nothing is left to do.'],
    [
      ['ok', 'note', 'unknown'],
      "No problem. 1 note: nothing is broken, but act on it before people depend on OTP Guard. 1 thing couldn't be checked.",
    ],
    [
      ['problem', 'problem', 'note', 'note'],
      '2 problems: do what they say. 2 notes: nothing else is broken, but act on them before people depend on OTP Guard.',
    ],
  ])('ends with what %j amount to', (statuses, line) => {
    expect(conclusionOf(statuses.map((status) => ({ check: 'x', status, text: '' })))).toBe(line);
  });

  it('runs all checks, also when one fails with a secret or never answers, and its exit code is the worst', async () => {
    const checks = [
      { name: 'slow', run: () => new Promise<Found>(() => undefined), limitMs: 1 },
      { name: 'broken', run: fails('redis://:secret@host') },
      { name: 'fine', run: async () => [{ status: 'ok' as const, text: 'Fine.' }] },
    ];
    const found = await runChecks(checks);
    expect(found.map(({ check, status }) => `${check} ${status}`)).toEqual([
      'slow unknown',
      'broken unknown',
      'fine ok',
    ]);
    expect(found[0]?.text).toBe('There was no answer within 0.001 seconds. Try again.');
    expect(JSON.stringify(found)).not.toContain('secret');
    const worse = { check: 'x', status: 'problem' as const, text: '' };
    expect([exitCodeOf(found), exitCodeOf([...found, worse])]).toEqual([0, 1]);
  });
});
