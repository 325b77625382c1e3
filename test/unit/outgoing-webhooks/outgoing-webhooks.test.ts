import { createHmac } from 'node:crypto';
import { expect, it } from '@jest/globals';
import type { Effects, StoredEntry } from '../../../src/audit/ports.ts';
import type { ActivityData } from '../../../src/contract/activity.ts';
import type { OutgoingWebhookOutcome } from '../../../src/contract/outgoing-webhooks.ts';
import { toWaiting } from '../../../src/inbox/ports.ts';
import { afterTry } from '../../../src/outgoing-webhooks/after-try.ts';
import { createDeliveryRounds, type DeliverDeps } from '../../../src/outgoing-webhooks/deliver.ts';
import { nextEvents } from '../../../src/outgoing-webhooks/events.ts';
import { messageOf } from '../../../src/outgoing-webhooks/message.ts';
import type { DeliveryState, Message, OutgoingWebhook } from '../../../src/outgoing-webhooks/ports.ts';
import { testOutgoingWebhook } from '../../../src/outgoing-webhooks/set-outgoing-webhook.ts';
import { codeOf } from '../../support/code-of.ts';
import { aDeployment, anInstallation, aWaitingPull, fakeGitHub, fakeStores } from '../../support/fakes.ts';

const DAY_MS = 24 * 60 * 60_000;
const BEGAN = new Date('2026-05-04T12:00:00Z');
const later = (ms: number) => new Date(BEGAN.getTime() + ms);
const NEW = {
  position: 0,
  pullsFrom: BEGAN,
  delivered: [],
  tries: 0,
  failingSince: null,
  due: BEGAN,
  last: null,
};
const org = { id: 'org', orgId: 9, name: 'octo-org', installationId: 5 };
const OUTGOING: OutgoingWebhook = {
  id: 'h',
  org,
  kind: 'webhook',
  host: 'h.example',
  stopped: false,
  state: NEW,
};
const answered = (status: number): OutgoingWebhookOutcome => ({ result: 'answered', status });

function entry(number: number, at = BEGAN, login = 'mona', more: ActivityData = {}) {
  const data = { repo: 'a', pr: 7, ...more };
  const event = { v: 1, log: 'l', number, at: '', activity: 'webauthnCollect', data, facts: {} } as const;
  const person = { data: { login }, facts: { by: { id: 1, login } } };
  const salts = { event: 'salt', person: 'salt' };
  const leaf = `${number}`;
  const stored: StoredEntry = { id: 'e', number, leaf, event, person, salts, checkpoint: '', at };
  return { type: 'entry', at, entry: stored } as const;
}

function waiting(pr: number, since = BEGAN, title = 'Add it') {
  const pull = aWaitingPull({ repoId: 3, repoName: 'a', pr, title, since });
  return { type: 'pull', at: since, pull } as const;
}

const about = (outgoing: OutgoingWebhook, now: Date) => ({
  ...{ outgoing, now, url: 'https://h.example/path', secret: 'a secret' },
  origins: { publicUrl: 'https://guard.example.org', githubUrl: 'https://github.com' },
});

it('a delivery has the entry as the log page shows it, a signature with the time, and one id for all tries', () => {
  const { headers, body } = messageOf(entry(1), about(OUTGOING, later(1)));
  const signature = createHmac('sha256', 'a secret').update(body).digest('hex');
  expect(headers['x-otp-guard-signature-256']).toBe(`sha256=${signature}`);
  const delivery = headers['x-otp-guard-delivery'];
  const data = { repo: 'a', pr: 7, login: 'mona' };
  expect(JSON.parse(body)).toEqual({
    ...{ event: 'log.webauthnCollect', delivery, sent: later(1).toISOString() },
    organization: { id: 9, login: 'octo-org' },
    entry: { number: 1, at: BEGAN.toISOString(), activity: 'webauthnCollect', data },
    url: 'https://guard.example.org/org/log?owner=octo-org&ownerID=9&installation=5',
  });
  const again = [entry(1), entry(2), waiting(7)].map((event) => messageOf(event, about(OUTGOING, later(2))));
  const isSame = again.map(({ headers: other }) => other['x-otp-guard-delivery'] === delivery);
  expect(isSame).toEqual([true, false, false]);
  const toAnother = messageOf(entry(1), about({ ...OUTGOING, id: 'other' }, later(2)));
  expect(toAnother.headers['x-otp-guard-delivery']).not.toBe(delivery);
});

const toSlack = about({ ...OUTGOING, kind: 'slack' }, BEGAN);
const slackBody = (event: Parameters<typeof messageOf>[0]) => {
  const { headers, body } = messageOf(event, toSlack);
  expect(Object.keys(headers)).toEqual(['content-type', 'user-agent']);
  const { text, blocks } = JSON.parse(body.replaceAll('\u200b', '␣'));
  const [section, context, { elements }] = blocks;
  expect([section.type, section.text.type, context.elements.length]).toEqual(['section', 'mrkdwn', 1]);
  return { text, title: section.text.text, context: context.elements[0].text, button: elements[0] };
};

it('Slack gets a title, a context and a button, and plain text, in which names link nothing and mention nobody', () => {
  const title =
    '<!channel> <https://x.example|Y> & [x](https://x.example)\n@here *b* www.evil.example. \u202e';
  const pull = slackBody(waiting(7, BEGAN, title));
  const shown =
    '&lt;!␣channel&gt; &lt;https:␣//x.␣example|␣Y&gt; &amp; [␣x]␣(https:␣//x.␣example) @␣here *␣b*␣ www.␣evil.␣example. ';
  const link = '<https://github.com/octo-org/a/pull/7|octo-org/a#7>';
  expect(pull.title).toBe(`${link} is waiting for approval: *“${shown}”*`);
  expect(pull.context).toBe('by mona · into main');
  expect(pull.button.text).toEqual({ type: 'plain_text', text: 'Review and approve' });
  expect(pull.button.url).toMatch(/^https:\/\/guard\.example\.org\/collect\?.*&pr=7&/);
  const { url } = pull.button;
  expect(pull.text).toBe(
    `${pull.title} (${pull.context}) <${url.replaceAll('&', '&amp;')}|Review and approve>`,
  );
  const named = slackBody(entry(1, BEGAN, 'a<b', { type: 'passkey', label: '<!here> `x`' }));
  expect(named.title).toBe('a&lt;b approved a #␣7 with passkey “&lt;!␣here&gt; `␣x`␣”.');
  expect([named.context, named.button.text.text]).toEqual(['Log of octo-org', 'Open the log']);
});

it('a deployment that waits is named as one, with the page that decides about it', () => {
  const deployment = aDeployment({ environment: 'a*b', ref: 'v1', since: BEGAN });
  const event = { type: 'pull', at: BEGAN, pull: toWaiting(deployment) } as const;
  const { headers, body } = messageOf(event, about(OUTGOING, later(1)));
  expect(headers['x-otp-guard-event']).toBe('deployment.waiting');
  const approval =
    'https://guard.example.org/deploy?owner=octo-org&ownerID=9&installation=5&repo=hello&run=77&environment=a*b';
  expect(JSON.parse(body)).toMatchObject({
    event: 'deployment.waiting',
    deployment: {
      ...{ repository: 'hello', repositoryId: 42, run: 77, attempt: 1, environment: 'a*b', ref: 'v1' },
      ...{ head: deployment.head, since: BEGAN.toISOString(), approval },
      url: 'https://github.com/octo-org/hello/actions/runs/77',
    },
  });
  const { title, context, button } = slackBody(event);
  const link = '<https://github.com/octo-org/hello/actions/runs/77|A deployment of octo-org/hello>';
  expect([title, context, button.url]).toEqual([
    `${link} to *a*␣b* is waiting for approval`,
    'run 77 · of v1',
    approval,
  ]);
});

it('a message to Slack keeps to the limits of its blocks, whatever people wrote', () => {
  const longest = '&'.repeat(1_000);
  const messages = [
    slackBody(waiting(7, BEGAN, longest)),
    slackBody(entry(1, BEGAN, longest, { type: 'passkey', label: longest })),
  ];
  for (const { title, context, button } of messages) {
    expect(title).toContain('…');
    expect(title.length).toBeLessThanOrEqual(3_000);
    expect(context.length).toBeLessThanOrEqual(3_000);
    expect([button.text.text.length <= 75, button.url.length <= 3_000]).toEqual([true, true]);
  }
});

it('entries, waiting heads and deployments come in order and once, also if clocks differ', async () => {
  const entries = [entry(1, later(1_000)), entry(2, later(500)), entry(3, later(9_000))];
  const heads = [waiting(6, later(-1)), waiting(7, later(2_000))];
  const requests = [
    aDeployment({ run: 1, since: later(-1) }),
    aDeployment({ run: 2, since: later(1_500) }),
    // Nobody has judged it yet, or it passes by itself.
    aDeployment({ run: 3, since: later(1_500), lacks: [] }),
  ];
  const deps = {
    auditLog: {
      after: async (_org: string, number: number) => entries.slice(number).map((one) => one.entry),
    },
    waitingPulls: {
      since: async (_org: string, from: Date) =>
        heads.map(({ pull }) => pull).filter(({ since }) => since >= from),
    },
    deployments: { waiting: async () => requests },
  };
  expect(await nextEvents(deps, OUTGOING, 2)).toHaveLength(2);
  let { state } = OUTGOING;
  const take = async () => {
    const events = await nextEvents(deps, { ...OUTGOING, state }, 20);
    for (const event of events) ({ state } = afterTry(state, event, { at: BEGAN, outcome: answered(204) }));
    return events.map((event) =>
      event.type === 'pull' ? (event.pull.deployment?.run ?? event.pull.pr) : `entry ${event.entry.number}`,
    );
  };
  expect([await take(), await take()]).toEqual([['entry 1', 'entry 2', 2, 7, 'entry 3'], []]);
  // It was saved late, by a process whose clock is behind.
  heads.push(waiting(8, later(1_000)));
  expect([await take(), await take()]).toEqual([[8], []]);
});

it('a failed delivery is retried with growing pauses, and a week without a success stops the outgoing webhook', () => {
  const failures = [answered(503), answered(302), answered(429)];
  let { state } = OUTGOING;
  const minutes = Array.from({ length: 13 }, (_, at) => {
    const before = state.due;
    const outcome = failures[at] ?? { result: 'unreachable' };
    ({ state } = afterTry(state, entry(1), { at: before, outcome }));
    return (state.due.getTime() - before.getTime()) / 60_000;
  });
  expect(minutes).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1440, 1440]);
  expect(state).toMatchObject({ position: 0, failingSince: BEGAN });
  const at = (ms: number) => afterTry(state, entry(1), { at: later(ms), outcome: { result: 'certificate' } });
  expect([at(7 * DAY_MS - 1).isStopped, at(7 * DAY_MS).isStopped]).toEqual([false, true]);
  const after = (tries: number, status: number) =>
    afterTry({ ...state, tries }, entry(1), { at: BEGAN, outcome: answered(status) }).state;
  expect(after(9, 400)).toMatchObject({ position: 0, tries: 10 });
  expect(after(10, 400)).toMatchObject({ position: 1, tries: 0, failingSince: BEGAN });
  for (const notNow of [408, 425, 429]) expect(after(10, notNow)).toMatchObject({ position: 0, tries: 11 });
  expect(after(10, 200)).toMatchObject({ position: 1, tries: 0, failingSince: null, due: BEGAN });
});

it('a test is sent once in ten seconds, and only a successful one makes a failing outgoing webhook try again', async () => {
  const stores = fakeStores();
  const saved: Partial<DeliveryState>[] = [];
  const slots = new Set<string>();
  let outcome = answered(503);
  const deps = {
    ...{ ...stores, ...fakeGitHub(stores.stage) },
    origins: { publicUrl: '', githubUrl: '' },
    random: (length: number) => new Uint8Array(length),
    takeOnce: async (name: string) => !slots.has(name) && Boolean(slots.add(name)),
    sender: { send: async () => outcome },
    outgoingWebhooks: {
      of: async () => [OUTGOING],
      open: () => ({ url: 'https://h.example/', secret: '' }),
      save: async (_hook: OutgoingWebhook, state: Partial<DeliveryState>) => void saved.push(state),
    },
  };
  await deps.organizations.save(anInstallation());
  deps.members.set(9, 12, 'admin');
  const person = { userId: 'octocat', githubId: 12, login: 'octocat' };
  const test = () => testOutgoingWebhook(deps as never, { person, orgID: 9, kind: 'webhook' } as never);
  await test();
  expect(await codeOf(test())).toBe('tooManyRequests');
  stores.clock.pass(10_000);
  outcome = answered(204);
  await test();
  expect(saved.map((state) => 'due' in state)).toEqual([false, true]);
});

/** Outgoing webhooks that always have something to send, each of its own organization unless `orgs` says otherwise. */
function receivers(names: string[], orgOf = (name: string) => names.indexOf(name) + 1, hasRounds = true) {
  const { clock } = fakeStores();
  const memberships = { ownersToNotify: async () => ['octocat'] };
  const all = names.map((name) => {
    const about = { ...org, orgId: orgOf(name) };
    return { ...OUTGOING, id: name, org: about, stopped: name === 'stopped' };
  });
  const dueOf = (name: string) => (name === 'tried' ? later(10 * DAY_MS) : BEGAN);
  const states = new Map(names.map((name): [string, DeliveryState] => [name, { ...NEW, due: dueOf(name) }]));
  const open: { name: string; answer(): void }[] = [];
  const sent: { name: string; at: number }[] = [];
  const ended: [name: string, told: string[]][] = [];
  const began = clock.now().getTime();
  const current = () =>
    all
      .map((outgoing) => ({ ...outgoing, state: states.get(outgoing.id) as DeliveryState }))
      .sort((one, other) => one.state.due.getTime() - other.state.due.getTime());
  const outgoingWebhooks = {
    due: async (_now: Date, most: number) => current().slice(0, most),
    of: async () => current().filter(({ id }) => id !== 'removed'),
    open: ({ id }: OutgoingWebhook) => ({ url: id, secret: '' }),
    save: async ({ id }: OutgoingWebhook, state: DeliveryState) =>
      !id.startsWith('replaced') && Boolean(states.set(id, state)),
    stop: async ({ id }: OutgoingWebhook, { notices }: Effects) =>
      void ended.push([id, notices.map(({ userId }) => userId)]),
  };
  const send = ({ url: name }: Message) => {
    sent.push({ name, at: (clock.now().getTime() - began) / 1000 });
    if (!name.startsWith('slow')) return Promise.resolve(answered(name.endsWith('failing') ? 503 : 204));
    return new Promise((resolve) => open.push({ name, answer: () => resolve(answered(204)) }));
  };
  const log = { after: async (_org: string, at: number) => [entry(at + 1).entry, entry(at + 2).entry] };
  const failed: unknown[] = [];
  const rounds = createDeliveryRounds({
    ...({ outgoingWebhooks, auditLog: log, clock, memberships, sender: { send } } as unknown as DeliverDeps),
    waitingPulls: { since: async () => [] },
    deployments: { waiting: async () => [] },
    origins: { publicUrl: '', githubUrl: '' },
    onDeliveryFailed: (failure) => void failed.push(failure),
    onDeliveryError: (error) => void failed.push(error),
    hasRounds: () => hasRounds,
  });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    ...{ sent, failed, open, ended, states, stop: rounds.stop },
    /** A round every five seconds; the slow receivers answer after ten. */
    async rounds(count: number) {
      for (let round = 0; round < count; round += 1) {
        await rounds.round();
        await settle();
        clock.pass(5_000);
        if (round % 2 === 1) for (const { answer } of open.splice(0)) answer();
        await settle();
      }
    },
  };
}

it.each([
  ['working', 2],
  ['failing', 1],
  ['replaced', 1],
  // Since the list of due ones was read.
  ['removed', 0],
  ['stopped', 0],
  ['tried', 0],
])('a receiver that is %s gets %i of two events in a turn', async (name, count) => {
  const w = receivers([name]);
  await w.rounds(1);
  expect(w.sent).toHaveLength(count);
});

it('a receiver that failed for a week is stopped, and the owners get an e-mail; a replaced one is not', async () => {
  const w = receivers(['failing', 'replaced failing']);
  await w.rounds(1);
  expect([w.sent.length, w.ended]).toEqual([2, []]);
  for (const [name, state] of w.states)
    w.states.set(name, { ...state, due: BEGAN, failingSince: later(-7 * DAY_MS) });
  await w.rounds(1);
  expect([w.sent.length, w.ended]).toEqual([4, [['failing', ['octocat']]]]);
});

it('nothing is sent by a process that ends, or that no longer does the rounds', async () => {
  const ending = receivers(['working']);
  await ending.stop();
  const other = receivers(['working'], undefined, false);
  for (const one of [ending, other]) await one.rounds(1);
  expect([ending.sent, other.sent]).toEqual([[], []]);
});

it('200 slow receivers hold up no others', async () => {
  const slow = Array.from({ length: 200 }, (_, at) => `slow ${at}`);
  const w = receivers([...slow, 'quick']);
  await w.rounds(8);
  const times = w.sent.filter(({ name }) => name === 'quick').map(({ at }) => at);
  // Two events in each round.
  expect(times).toHaveLength(16);
  const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
  expect(Math.max(...gaps)).toBeLessThanOrEqual(5);
  expect(new Set(w.sent.map(({ name }) => name)).size).toBe(201);
  expect(w.failed).toEqual([]);
});

it('an organization never has two deliveries on their way, and the process never more than 250', async () => {
  const both = receivers(['slow webhook', 'slow Slack'], () => 99);
  await both.rounds(1);
  expect(both.open).toHaveLength(1);
  await both.rounds(2);
  expect(new Set(both.sent.map(({ name }) => name)).size).toBe(2);
  const many = receivers(Array.from({ length: 300 }, (_, at) => `slow ${at}`));
  await many.rounds(3);
  expect(many.open).toHaveLength(250);
});
