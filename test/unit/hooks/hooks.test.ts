import { createHmac } from 'node:crypto';
import { expect, it } from '@jest/globals';
import type { StoredEntry } from '../../../src/audit/ports.ts';
import type { HookOutcome } from '../../../src/contract/hooks.ts';
import { afterTry } from '../../../src/hooks/after-try.ts';
import { nextEvents } from '../../../src/hooks/events.ts';
import { messageOf } from '../../../src/hooks/message.ts';
import type { Hook } from '../../../src/hooks/ports.ts';
import { removeHook, setHook } from '../../../src/hooks/set-hook.ts';
import { testHook } from '../../../src/hooks/test-hook.ts';
import { codeOf } from '../../support/code-of.ts';
import { anInstallation, aWaitingPull, fakeGitHub, fakeStores } from '../../support/fakes.ts';

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
const HOOK: Hook = { id: 'h', org, kind: 'webhook', host: 'h.example', stopped: false, turn: 0, state: NEW };
const answered = (status: number): HookOutcome => ({ result: 'answered', status });

function entry(number: number, at = BEGAN, login = 'mona') {
  const activity = 'webauthnCollect';
  const event = { v: 1, log: 'l', number, at: '', activity, data: { repo: 'a', pr: 7 }, facts: {} } as const;
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

const about = (hook: Hook, now: Date) => ({
  ...{ hook, now, url: 'https://h.example/path', secret: 'a secret' },
  origins: { publicUrl: 'https://guard.example.org', githubUrl: 'https://github.com' },
});

it('a delivery has the entry as the log page shows it, a signature with the time, and one id for all tries', () => {
  const { headers, body } = messageOf(entry(1), about(HOOK, later(1)));
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
  const again = [entry(1), entry(2), waiting(7)].map((event) => messageOf(event, about(HOOK, later(2))));
  const isSame = again.map(({ headers: other }) => other['x-otp-guard-delivery'] === delivery);
  expect(isSame).toEqual([true, false, false]);
});

it('Slack gets one sentence with a link, in which names link nothing and mention nobody', () => {
  const title =
    '<!channel> <https://x.example|Y> & [x](https://x.example)\n@here *b* www.evil.example. \u202e';
  const toSlack = about({ ...HOOK, kind: 'slack' }, BEGAN);
  const sent = [waiting(7, BEGAN, title), entry(1, BEGAN, 'a<b')].map((event) => messageOf(event, toSlack));
  const [pull, log] = sent.map(({ body }) => JSON.parse(body).text.replaceAll('\u200b', '␣'));
  const shown =
    '&lt;!␣channel&gt; &lt;https:␣//x.␣example|␣Y&gt; &amp; [␣x]␣(https:␣//x.␣example) @␣here *␣b*␣ www.␣evil.␣example. ';
  const link = '<https://github.com/octo-org/a/pull/7|a #7>';
  expect(pull).toContain(`${link} “${shown}” by mona waits for an approval. <https://guard`);
  expect(log).toMatch(/^a&lt;b approved a #␣7 with an authenticator\. <https:[^>|\s]+\|Log>$/);
  expect(Object.keys(sent[0]?.headers ?? {})).toEqual(['content-type', 'user-agent']);
});

it('entries and waiting heads come in order and once, also if clocks differ', async () => {
  const entries = [entry(1, later(1_000)), entry(2, later(500)), entry(3, later(9_000))];
  const heads = [waiting(6, later(-1)), waiting(7, later(2_000))];
  const deps = {
    log: { after: async (_org: string, number: number) => entries.slice(number).map((one) => one.entry) },
    waitingPulls: {
      since: async (_org: string, from: Date) =>
        heads.map(({ pull }) => pull).filter(({ since }) => since >= from),
    },
  };
  let { state } = HOOK;
  const take = async () => {
    const events = await nextEvents(deps, { ...HOOK, state }, 20);
    for (const event of events) ({ state } = afterTry(state, event, { at: BEGAN, outcome: answered(204) }));
    return events.map((event) => (event.type === 'pull' ? `#${event.pull.pr}` : event.entry.number));
  };
  expect([await take(), await take()]).toEqual([[1, 2, '#7', 3], []]);
  // It was saved late, by a process whose clock is behind.
  heads.push(waiting(8, later(1_000)));
  expect([await take(), await take()]).toEqual([['#8'], []]);
});

it('a failed delivery is retried with growing pauses, and a week without a success stops the hook', () => {
  const failures = [answered(503), answered(302), answered(429)];
  let { state } = HOOK;
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
  expect(after(10, 200)).toMatchObject({ position: 1, tries: 0, failingSince: null, due: BEGAN });
});

it('while the operator switched hooks off, an owner can remove one, and neither set nor test one', async () => {
  const stores = fakeStores();
  const deps = { ...stores, ...fakeGitHub(stores.stage), hooksEnabled: false, hooks: { of: async () => [] } };
  await deps.organizations.save(anInstallation());
  deps.members.set(9, 12, 'admin');
  const person = { userId: 'octocat', githubId: 12, login: 'octocat' };
  const input = { person, orgID: 9, kind: 'slack', url: 'https://hooks.slack.com/' };
  const codes = [setHook, testHook, removeHook].map((call) => codeOf(call(deps as never, input as never)));
  expect(await Promise.all(codes)).toEqual(['hooksOff', 'hooksOff', 'hookNotFound']);
});
