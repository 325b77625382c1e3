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
const proxy = (trustProxy: number | false, answer: Reply | null = reply(200, 'ok'), url = publicUrl) =>
  checkProxy({ publicUrl: url, trustProxy }, async () => answer);
const expected = { default_permissions: { checks: 'write' }, default_events: ['pull_request'] };
const app = (permissions: Record<string, string>, events: string[]) =>
  checkApp({ readApp: async () => ({ slug: 'guard', permissions, events }) }, expected);
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
const store = (schema: number | null) => checkStore(async () => schema, 8);
const local = (byPath: Record<string, [number, string]>, port: string | null = null) =>
  checkRunning(LOCAL, { request: answers(byPath), listen: async () => port });
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
    ['the App', () => app({ checks: 'write' }, ['pull_request']), 'ok', /guard/],
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
      'note',
      /^(?!.*secret).*REDIS_URL/,
    ],
    ['the record store', () => store(8), 'ok', /schema 8/],
    ['no record store', () => store(null), 'note', /first start/],
    ['an older store', () => store(7), 'note', /upgrades it to 8/],
    ['a newer store', () => store(9), 'problem', /newer version/],
    ['a damaged store', () => checkStore(fails('Lost.'), 8), 'problem', /^Lost/],
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
    readyz?: [number, string] | null;
    port?: string;
    store?: string;
    megabytes?: number;
    list?: [number, string];
  };
  const away = "GitHub doesn't answer. Check GITHUB_SERVER_URL and GITHUB_API_URL, and the network.";
  const refused = "GitHub refused the App: APP_ID and PRIVATE_KEY don't belong together.";
  const noStore = 'The record store does not answer.';
  it.each<[state: string, world: State, cause: RegExp]>([
    ['OTP Guard hangs', { readyz: null, port: 'EADDRINUSE' }, /^running: .*it hangs/],
    [
      'the store hangs',
      { readyz: [503, noStore], store: 'It hangs.', list: [503, ''] },
      /^record store: It hangs/,
    ],
    ['the disk is full', { readyz: [503, 'takes no records'], megabytes: 1 }, /^disk: .*Make room/],
    ['GitHub is away', { readyz: [503, away], refusal: away, secret: 0 }, /^App: GitHub doesn't answer/],
    ['GitHub answers 401', { readyz: [503, refused], refusal: refused, secret: 401 }, /^App: GitHub refused/],
    [
      'the clock is wrong',
      { clock: 90, readyz: [503, refused], refusal: refused, secret: 401 },
      /^clock: .*NTP/,
    ],
    [
      'webhooks don’t arrive',
      { readyz: [200, "ok, but GitHub's webhooks don't arrive."] },
      /^running: .*webhooks/,
    ],
    ['another client secret', { secret: 401 }, /^sign-in: .*GITHUB_CLIENT_SECRET/],
  ])('names one cause: %s', async (_state, state, cause) => {
    const { refusal, readyz = [200, 'ok'], secret = 404, list = listed() } = state;
    const registration = {
      readApp: refusal
        ? fails(refusal)
        : async () => ({
            slug: 'guard',
            permissions: readAppManifest().default_permissions,
            events: readAppManifest().default_events,
          }),
      readWebhookConfig: refusal ? fails(refusal) : async () => hook,
      readDeliveries: async () => [{ at: NOW, status: 200 }],
      tryClientSecret: async () => secret,
      askAccounts: async () => ({ asked: [{ login: 'octo-org', refusal: null }], more: 0 }),
    };
    const found = await runChecks([
      {
        name: 'running',
        run: () => local(readyz ? { '/healthz': alive, '/readyz': readyz } : {}, state.port),
      },
      { name: 'record store', run: () => checkStore(state.store ? fails(state.store) : async () => 8, 8) },
      { name: 'disk', run: async () => disk(state.megabytes ?? 5_000) },
      ...checksAtGitHub(
        registration as unknown as Parameters<typeof checksAtGitHub>[0],
        { name: 'clock', run: () => timeOf(state.clock ?? 0) },
        hook.url,
      ),
      { name: 'reach', run: () => reach(list) },
    ]);
    const problems = found.filter(({ status }) => status === 'problem');
    expect(problems.map(({ check, text }) => `${check}: ${text}`)).toEqual([expect.stringMatching(cause)]);
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
    expect(JSON.stringify(found)).not.toContain('secret');
    const worse = { check: 'x', status: 'problem' as const, text: '' };
    expect([exitCodeOf(found), exitCodeOf([...found, worse])]).toEqual([0, 1]);
  });
});
