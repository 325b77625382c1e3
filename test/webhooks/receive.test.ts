import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import express from 'express';
import { toPullRequest } from '../../src/adapters/github/pull-request-payload.ts';
import { shortenPull } from '../../src/bot/pull-request.ts';
import { createReceiveWebhook } from '../../src/bot/receive-webhook.ts';
import { handleWebhook } from '../../src/http/webhooks.ts';
import { AppError } from '../../src/shared/app-error.ts';
import type { ReceiveWebhook } from '../../src/shared/webhook.ts';
import { githubFixture, type Json, webhookFixture } from '../support/fixtures.ts';
import { until } from '../support/until.ts';
import { APP, CHECK_RUNS, PULLS, RUNS_OF_HEAD, reply, STORY, signed, startBot, testApp } from './bot.ts';
import { bot, foresee, github } from './fresh-bot.ts';

const hmac = (secret: string, body: string, hash = 'sha256') =>
  createHmac(hash, secret).update(body).digest('hex');
const ofBody = (body: string) => ({ body, signature: `sha256=${hmac(APP.webhookSecret, body)}` });

describe('a webhook that GitHub did not send', () => {
  const good = signed('pull_request.opened');
  it.each([
    ['with the signature of another secret', { signature: `sha256=${hmac('another', good.body)}` }],
    ['with the signature of another body', { body: `${good.body} ` }],
    ['with a SHA-1 signature', { signature: `sha1=${hmac(APP.webhookSecret, good.body, 'sha1')}` }],
    ['with a signature that is cut', { signature: good.signature.slice(0, -1) }],
    ['with the hash alone', { signature: good.signature.replace('sha256=', '') }],
    ['without a signature', { signature: '' }],
    ['without a body', { body: '' }],
  ])('is refused %s', async (_what, change) => {
    expect(await bot.receive({ ...good, ...change })).toEqual({ outcome: 'refused' });
    expect([github.sent, bot.stage.calls]).toEqual([[], []]);
  });

  it.each([
    ['without a delivery id', { id: '' }],
    ['with a delivery id that is none', { id: '"; drop' }],
    ['with an event that is none', { event: '../pull_request' }],
    ['without an event', { event: '' }],
    ['with a payload that is not JSON', ofBody('{"action":')],
  ])('is malformed %s', async (_what, change) => {
    expect(await bot.receive({ ...good, ...change })).toEqual({ outcome: 'malformed' });
    expect([github.sent, bot.stage.calls]).toEqual([[], []]);
  });
});

describe('a webhook that nothing handles', () => {
  it.each([
    ['check_run.rerequested', 'completed'],
    ['pull_request.opened', 'labeled'],
    ['check_suite.requested', 'completed'],
  ])('touches neither the record store nor GitHub: %s as %s', async (fixture, action) => {
    const change = (payload: Json) => Object.assign(payload, { action });
    expect(await bot.deliver(fixture, { change })).toBe('ignored');
    expect([github.sent, bot.stage.calls, bot.lines]).toEqual([[], [], []]);
  });

  it.each([
    ['repository.renamed', 'edited'],
    ['merge_group.checks_requested', 'destroyed'],
  ])('is noted as done without a request if nothing is to be done: %s as %s', async (fixture, action) => {
    const change = (payload: Json) => Object.assign(payload, { action });
    expect(await bot.deliver(fixture, { change })).toBe('accepted');
    expect([github.sent, bot.deliveries.worked.size]).toEqual([[], 1]);
  });

  it.each(['check_run', 'check_suite'])('is a re-run of another App’s %s', async (event) => {
    const change = (payload: Json) => Object.assign(payload[event].app, { id: 15368 });
    expect(await bot.deliver(`${event}.rerequested`, { change })).toBe('ignored');
    expect([github.sent, bot.stage.calls, bot.lines]).toEqual([[], [], []]);
  });

  it('is an event that GitHub added later, also with a digit in its name', async () => {
    const delivery = { ...signed('repository.renamed'), event: 'projects_v2_item' };
    expect(await bot.receive(delivery)).toEqual({ outcome: 'ignored' });
  });
});

describe('a webhook whose processing fails', () => {
  it('stays unprocessed while GitHub answers 502, and is processed with the redelivery', async () => {
    github.answers('GET', PULLS, reply.pulls());
    github.answers('GET', RUNS_OF_HEAD, reply.noRuns);
    let isDown = true;
    github.answers('POST', CHECK_RUNS, () => (isDown ? { status: 502, body: {} } : reply.run));
    expect(await bot.deliver('pull_request.opened', { id: 'one' })).toBe('accepted');
    expect(bot.deliveries.worked.size).toBe(0);
    expect(bot.lines.join('')).toContain('webhook failed');
    isDown = false;
    expect(await bot.deliver('pull_request.opened', { id: 'one' })).toBe('accepted');
    expect([...bot.deliveries.worked]).toEqual([['one', 'pull_request']]);
  });

  it('creates no second check run if GitHub created the first one and still answered 502', async () => {
    github.answers('GET', PULLS, reply.pulls());
    const created: Json[] = [];
    github.answers('POST', CHECK_RUNS, ({ body }) => {
      created.push(body as Json);
      return created.length === 1 ? { status: 502, body: {} } : reply.run;
    });
    const left = () =>
      githubFixture('check-runs', ({ check_runs: [run] }) => (run.details_url = created[0]?.details_url));
    github.answers('GET', RUNS_OF_HEAD, () =>
      created.length === 0 ? reply.noRuns : { status: 200, body: left() },
    );
    github.answers('PATCH', `${CHECK_RUNS}/128620228`, reply.updated);
    await bot.deliver('pull_request.opened', { id: 'one' });
    await bot.deliver('pull_request.opened', { id: 'one' });
    expect([bot.deliveries.worked.size, created.length]).toEqual([1, 1]);
  });

  it('stays unprocessed if any call of the record store fails, and is processed with the redelivery', async () => {
    foresee();
    github.answers('POST', CHECK_RUNS, reply.run);
    github.answers('PATCH', `${CHECK_RUNS}/128620228`, reply.updated);
    await bot.deliver('pull_request.opened');
    // Nothing is judged by the saved open pull requests, so saving them may fail.
    const passedOver = (call: string) => call.startsWith('webhookDeliveries.') || call === 'openPulls.save';
    const calls = new Set(bot.stage.calls.filter((call) => !passedOver(call)));
    expect(calls.size).toBeGreaterThan(3);
    for (const call of calls) {
      const fresh = await startBot();
      fresh.stage.fail(call, 'storeUnavailable');
      await fresh.deliver('pull_request.opened', { id: 'one' });
      expect([call, fresh.deliveries.worked.size]).toEqual([call, 0]);
      await fresh.deliver('pull_request.opened', { id: 'one' });
      expect([call, fresh.deliveries.worked.size]).toEqual([call, 1]);
    }
  });
});

describe('the answer to a webhook', () => {
  const servers: Server[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await new Promise((closed) => server.close(closed));
  });

  /** Sends the webhook over HTTP; the answer's status. */
  async function answerTo(delivery: ReturnType<typeof signed>, receive: ReceiveWebhook = bot.receive) {
    const app = express();
    app.post('/', handleWebhook({ receive, onShed: () => undefined }));
    const server = app.listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-github-delivery': delivery.id,
        'x-github-event': delivery.event,
        'x-hub-signature-256': delivery.signature,
      },
      body: delivery.body,
    });
    return [answer.status, await answer.text()];
  }

  const accepted =
    (isIrreplaceable: boolean, work: Promise<boolean>): ReceiveWebhook =>
    async () => ({ outcome: 'accepted', isIrreplaceable, work });
  const never = new Promise<boolean>(() => undefined);
  const good = signed('pull_request.opened');

  it('is sent before the processing if a reconciliation can make up for it', async () => {
    expect(await answerTo(good, accepted(false, never))).toEqual([202, 'ok']);
  });

  it.each<[boolean, [number, string]]>([
    [true, [202, 'ok']],
    [false, [503, 'This webhook could not be processed. Redeliver it.']],
  ])('waits for the work if nothing else can make up for it: %p', async (worked, answer) => {
    expect(await answerTo(good, accepted(true, Promise.resolve(worked)))).toEqual(answer);
  });

  it('is 503 for merge groups and re-runs while GitHub does not answer, and 202 for others', async () => {
    github.answers('POST', CHECK_RUNS, { status: 502, body: {} });
    github.answers('GET', PULLS, { status: 502, body: {} });
    github.answers('GET', `${PULLS}/2`, { status: 502, body: {} });
    expect((await answerTo(signed('merge_group.checks_requested')))[0]).toBe(503);
    expect((await answerTo(good))[0]).toBe(202);
    expect((await answerTo(signed('check_run.rerequested')))[0]).toBe(503);
    expect((await answerTo(signed('check_suite.rerequested')))[0]).toBe(503);
    await until('the others fail', () => bot.lines.join('').match(/webhook failed/g)?.length === 4);
    expect(bot.deliveries.worked.size).toBe(0);
  });

  it('comes after the delivery is stored, and before any work on it', async () => {
    let store: () => void = () => undefined;
    bot.stage.gate = (call) =>
      call === 'webhookDeliveries.receive'
        ? new Promise((stored) => {
            store = stored;
          })
        : call === 'webhookDeliveries.receive answered'
          ? Promise.resolve()
          : new Promise(() => undefined);
    const answer = answerTo(good);
    await until('the delivery is being stored', () => bot.stage.calls.length === 1);
    expect(await Promise.race([answer, new Promise((tick) => setImmediate(tick, 'nothing'))])).toBe(
      'nothing',
    );
    store();
    expect(await answer).toEqual([202, 'ok']);
  });

  it('comes before the work on webhooks that arrived earlier', async () => {
    foresee();
    github.answers('POST', CHECK_RUNS, reply.run);
    github.answers('PATCH', `${CHECK_RUNS}/128620228`, reply.updated);
    let store: () => void = () => undefined;
    bot.stage.gate = (call) =>
      call === 'webhookDeliveries.receive' && bot.stage.calls.length === 2
        ? new Promise((stored) => {
            store = stored;
          })
        : Promise.resolve();
    const [first, second] = [bot.receive(good), bot.receive(signed('pull_request.opened'))];
    const received = await first;
    await new Promise(setImmediate);
    expect(bot.stage.calls).toEqual(['webhookDeliveries.receive', 'webhookDeliveries.receive']);
    store();
    expect(received.outcome === 'accepted' && (await received.work)).toBe(true);
    const later = await second;
    expect(later.outcome === 'accepted' && (await later.work)).toBe(true);
  });

  it.each([
    ['is 202 for a kind that nothing acts on', { event: 'push' }, 202],
    ['is 400 for one that GitHub does not send', { event: 'Push!' }, 400],
  ])('%s', async (_what, change, status) => {
    expect((await answerTo({ ...good, ...change }))[0]).toBe(status);
  });

  it('is 503 if the delivery can’t be stored, so that GitHub records a failure', async () => {
    bot.stage.fail('webhookDeliveries.receive', 'storeUnavailable');
    expect((await answerTo(good))[0]).toBe(503);
  });

  it('is 200 for a delivery that was already processed', async () => {
    github.answers('GET', `${PULLS}/2`, { status: 200, body: githubFixture('pull-request') });
    github.expects('POST', CHECK_RUNS, reply.run);
    const delivery = signed('merge_group.checks_requested');
    expect([await answerTo(delivery), await answerTo(delivery)]).toEqual([
      [202, 'ok'],
      [200, 'ok'],
    ]);
  });

  it('is 401 for a merge group with a wrong signature', async () => {
    const delivery = signed('merge_group.checks_requested');
    const signature = `sha256=${hmac('another', delivery.body)}`;
    expect([(await answerTo({ ...delivery, signature }))[0], github.sent]).toEqual([401, []]);
  });
});

it.each(['opened', 'reopened', 'synchronize', 'ready_for_review', 'edited', 'closed'])(
  'what waits of pull_request.%s is small, and has all that its handler reads',
  (action) => {
    const payload = webhookFixture(`pull_request.${action}`);
    const kept = shortenPull(payload);
    expect(JSON.stringify(kept).length).toBeLessThan(3_000);
    expect(toPullRequest(kept.pull_request)).toEqual(toPullRequest(payload.pull_request));
    const { number, before, after, changes, sender, installation, repository } = payload;
    const { id, login, type } = sender;
    const read = {
      ...{
        action,
        number,
        before,
        after,
        installation: { id: installation.id },
        sender: { id, login, type },
      },
      ...(changes?.base && { changes: { base: {} } }),
      repository: { id: repository.id, name: repository.name, owner: { login: repository.owner.login } },
    };
    expect(kept).toMatchObject(JSON.parse(JSON.stringify(read)));
  },
);

describe('the outcome of a webhook', () => {
  it('is counted as done, failed or known, and not at all for a refused one', async () => {
    const outcomes: string[][] = [];
    const onWebhook = (...all: string[]) => void outcomes.push(all);
    const { app, log } = testApp();
    await app.probot.ready();
    let isDown = false;
    app.probot.on('pull_request.opened', async () => {
      if (isDown) throw new AppError('githubUnavailable');
    });
    const unfinished: unknown[] = [];
    const receive = createReceiveWebhook({
      probot: app.probot,
      appId: APP.appId,
      deliveries: bot.deliveries,
      headTurns: bot.headTurns,
      log,
      onWebhook,
      onUnfinished: (work) => void unfinished.push(work),
    });
    const deliver = async (id: string) => {
      const received = await receive(signed('pull_request.opened', { id }));
      if (received.outcome === 'accepted') await received.work;
    };
    await deliver('one');
    await deliver('one');
    isDown = true;
    await deliver('two');
    await receive({ ...signed('pull_request.opened'), signature: `sha256=${'0'.repeat(64)}` });
    expect(outcomes).toEqual(['done', 'known', 'failed'].map((outcome) => ['pull_request', outcome]));
    expect(await bot.deliveries.lastReceivedAt(STORY.installation)).toEqual(bot.clock.now());
    expect(unfinished).toHaveLength(2);
  });
});
