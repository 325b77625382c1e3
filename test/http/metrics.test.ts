import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { asApp, registerPasskey } from '../support/account.ts';
import { type OwnProduct, startTestProduct, type TestProduct, until } from '../support/product.ts';

const TOKEN = 'the-token-of-the-monitor';
const ask = async (world: TestProduct, authorization?: string, path = '/metrics') => {
  const answer = await fetch(`${world.origin}${path}`, authorization ? { headers: { authorization } } : {});
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
};

/** A webhook that is announced and never sent: it is dropped, and a reconciliation follows. */
function startWebhook({ origin }: TestProduct) {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  const headers = `Content-Type: application/json\r\nX-Hub-Signature-256: sha256=${'0'.repeat(64)}`;
  socket.write(
    `POST /api/github/webhooks HTTP/1.1\r\nHost: a\r\n${headers}\r\nContent-Length: 1000\r\n\r\n{`,
  );
  return socket;
}

/** Each sample: its name, its labels, its value. */
const samples = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = '', value = ''] =
        /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      return { name, labels, value: Number(value), line };
    });

describe('metrics', () => {
  let world: OwnProduct;
  beforeAll(async () => {
    world = await startTestProduct({ env: { METRICS_TOKEN: TOKEN } });
  });
  afterAll(() => world?.stop());

  it('answers 404 without the right bearer token, at another spelling of the path, and for another method', async () => {
    const basic = `Basic ${Buffer.from(`monitor:${TOKEN}`).toString('base64')}`;
    for (const authorization of [undefined, `Bearer ${TOKEN}x`, basic, TOKEN]) {
      const { status, text } = await ask(world, authorization);
      expect([authorization, status, text]).toEqual([authorization, 404, "There's nothing here."]);
    }
    for (const path of ['/metrics/', '/METRICS', '/metrics/x'])
      expect((await ask(world, undefined, path)).text).not.toContain('otp_guard');
    const headers = { authorization: `Bearer ${TOKEN}` };
    expect((await fetch(`${world.origin}/metrics`, { method: 'POST', headers })).status).toBe(404);
  });

  it('are in Prometheus’s text format and are not cached', async () => {
    const { status, text, headers } = await ask(world, `Bearer ${TOKEN}`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(headers.get('cache-control')).toBe('no-store');
    // Which metrics there are: test/unit/monitoring.test.ts.
    for (const name of ['otp_guard_build_info', 'process_cpu_seconds_total'])
      expect(text).toContain(`# TYPE ${name} `);
    expect(samples(text).filter(({ name }) => name === '')).toEqual([]);
  });

  it('count a dropped webhook, and what the reconciliation after it finds: a green check that OTP Guard did not give', async () => {
    const pull = await world.pendingPull('A change that nobody approves');
    const { facts } = world.github;
    const path = `/app/installations/${facts.installation}/access_tokens`;
    const { token } = await asApp<{ token: string }>(world, 'POST', path);
    const runs = `/repos/${facts.org}/${facts.repo}/check-runs`;
    const forged = { name: 'OTP Guard', head_sha: pull.head.sha, status: 'completed', conclusion: 'success' };
    const made = await fetch(`${world.github.origin}${runs}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(forged),
    });
    expect(made.status).toBe(201);
    const socket = startWebhook(world);
    const all = await until('the alert', async () => {
      const found = samples((await ask(world, `Bearer ${TOKEN}`)).text);
      return (
        found.some(({ name, value }) => name === 'otp_guard_forged_checks_total' && value === 1) && found
      );
    });
    socket.destroy();
    expect(all).toContainEqual(
      expect.objectContaining({ labels: 'event="unread",outcome="dropped"', value: 1 }),
    );
    expect(
      all.find(({ name }) => name === 'otp_guard_last_webhook_timestamp_seconds')?.value,
    ).toBeGreaterThan(0);
    await until('the repair', async () => {
      const shown = await world.runs(pull.head.sha);
      return shown.toSorted((one, other) => other.id - one.id)[0]?.status === 'in_progress';
    });
    expect(world.log.join('')).toContain("GitHub showed a green check that OTP Guard didn't give");
  });

  it('contain nothing that a person chose or sent, after any kind of request', async () => {
    const mona = await world.signIn('mona');
    await registerPasskey(world, mona);
    const pull = await world.pendingPull('A title nobody else has');
    const chosen = ['/mona', '/org/octo-org?x=mona', '/api/collections/mona', '/assets/mona.js', '/%6dona'];
    for (const path of chosen) await fetch(`${world.origin}${path}`);
    await fetch(`${world.origin}/mona`, { method: 'PROPFIND' });
    await fetch(`${world.origin}/api/github/webhooks`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-github-delivery': 'mona',
        'x-github-event': 'mona_event',
        'x-hub-signature-256': `sha256=${'0'.repeat(64)}`,
      },
      body: '{}',
    });
    const { text } = await ask(world, `Bearer ${TOKEN}`);
    const labels = samples(text).map((one) => one.labels);
    const names = ['mona', 'octo-org', 'hello', 'nobody else has', pull.head.sha, mona.record.id];
    const secrets = [...names, mona.token, mona.accessToken, TOKEN];
    expect(secrets.filter((secret) => labels.join('\n').includes(secret))).toEqual([]);
    const routes = labels.flatMap((one) => /(?:^|,)route="([^"]*)"/.exec(one)?.[1] ?? []);
    expect(routes.filter((route) => !/^(page|\/[a-z/-]*)$/.test(route))).toEqual([]);
    const counted = samples(text).filter(({ name }) => name === 'otp_guard_webhooks_total');
    expect(counted).toContainEqual(
      expect.objectContaining({ labels: 'event="pull_request",outcome="done"' }),
    );
    expect(samples(text)).toContainEqual(
      expect.objectContaining({ name: 'otp_guard_github_requests_total', labels: 'status="201"' }),
    );
  });
});
