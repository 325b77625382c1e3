import { expect, it } from '@jest/globals';
import { MailRefused, type Notice, type NoticeKind } from '../../../src/notices/ports.ts';
import { sendNotices } from '../../../src/notices/send-notices.ts';
import { codeOf } from '../../support/code-of.ts';
import { anImage, FakeMailer, fakeStores } from '../../support/fakes.ts';

const MINUTE_MS = 60_000;

function world() {
  const stores = fakeStores();
  const mailer = new FakeMailer(stores.stage);
  const unsent: unknown[] = [];
  const deps = {
    ...stores,
    contacts: stores.users,
    unsubscribeUrl: ({ userId, choice }: { userId: string; choice: string }) =>
      `https://u/${userId}/${choice}`,
    mailer,
    onUnsent: (error: unknown) => unsent.push(error),
  };
  stores.users.contacts.set('mona', { login: 'mona', address: 'mona@example.org', image: anImage() });
  return {
    ...deps,
    unsent,
    put: (change: Partial<Notice> = {}) =>
      stores.notices.put({
        ...{ kind: 'authenticatorAdded', userId: 'mona', data: { type: 'totp', org: 'octo-org' } },
        ...{ due: stores.clock.now(), ...change },
      }),
    send: () => sendNotices(deps),
    recipients: () => mailer.sent.map(({ to }) => to),
  };
}

it('messages that are due are sent once and deleted, at most twenty a round', async () => {
  const w = world();
  for (let count = 0; count < 45; count += 1) w.put();
  const sent: number[] = [];
  for (let round = 0; round < 4; round += 1) {
    await w.send();
    sent.push(w.mailer.sent.length);
  }
  expect([sent, w.notices.stored]).toEqual([[20, 40, 45, 45], []]);
  expect(w.mailer.sent[0]).toEqual({
    to: 'mona@example.org',
    subject: 'An authenticator was added',
    parts: expect.arrayContaining([expect.stringContaining('your account, mona, in octo-org')]),
    org: 'octo-org',
    unsubscribeUrl: null,
    image: anImage(),
  });
});

it('messages go to the current address with the login of their time, or to the address that they name', async () => {
  const w = world();
  w.put({ data: { login: 'mona-then', org: 'octo-org', type: 'totp' } });
  w.put({ kind: 'addressReplaced', to: 'before@example.org', userId: 'gone', data: { login: 'mona' } });
  w.users.contacts.set('mona', { login: 'mona-now', address: 'new@example.org', image: null });
  await w.send();
  expect(w.recipients()).toEqual(['new@example.org', 'before@example.org']);
  expect(w.mailer.sent[0]).toMatchObject({
    image: null,
    parts: expect.arrayContaining([expect.stringContaining('mona-then')]),
  });
});

it.each<[kind: NoticeKind, url: string | null]>([
  ['pullsWait', 'https://u/mona/at-once'],
  ['pullsDigest', 'https://u/mona/daily'],
  ['registrationReminder', null],
  ['protectionWeakened', null],
  ['codesLocked', null],
])('a message of the kind %s can be stopped at %s', async (kind, url) => {
  const w = world();
  const pulls = [{ name: 'octo-org/a#1', title: 'A', asked: 'named', url: '' }] as const;
  w.put({ kind, data: { pulls: [...pulls] } });
  await w.send();
  expect(w.mailer.sent.map(({ unsubscribeUrl }) => unsubscribeUrl)).toEqual([url]);
});

it.each<[string, (w: ReturnType<typeof world>) => void]>([
  ['an address', (w) => w.users.contacts.set('mona', { login: 'mona', address: '', image: null })],
  ['a person', (w) => void w.users.contacts.clear()],
])('a message without %s to go to is deleted silently', async (_what, change) => {
  const w = world();
  change(w);
  w.put();
  await w.send();
  expect([w.mailer.sent, w.notices.stored, w.unsent]).toEqual([[], [], []]);
});

it('a message that the mail server doesn’t take is retried with pauses that double, and deleted after eight tries', async () => {
  const w = world();
  w.put();
  const pauses: number[] = [];
  for (let tries = 1; tries <= 8; tries += 1) {
    // It doesn't delay the others.
    w.put({ to: 'other@example.org' });
    w.stage.fail('mailer.send', new Error('connection lost'));
    await w.send();
    const [notice] = w.notices.stored.filter(({ to }) => to === '');
    if (!notice) break;
    expect(notice.tries).toBe(tries);
    const pause = notice.due.getTime() - w.clock.now().getTime();
    pauses.push(pause / MINUTE_MS);
    w.clock.pass(pause - 1);
    await w.send();
    expect([w.unsent.length, w.recipients().length]).toEqual([tries, tries]);
    w.clock.pass(1);
  }
  expect([pauses, w.unsent.length]).toEqual([[1, 2, 4, 8, 16, 32, 64], 8]);
});

it('a message that the mail server refuses permanently is deleted', async () => {
  const w = world();
  w.put();
  w.stage.fail('mailer.send', new MailRefused('no such mailbox'));
  await w.send();
  expect([w.notices.stored, w.unsent.length]).toEqual([[], 1]);
});

it('a message that another process has claimed is retried later in case that process died', async () => {
  const w = world();
  w.put();
  for (const notice of w.notices.stored) await w.notices.claim(notice);
  await w.send();
  expect(w.mailer.sent).toEqual([]);
  w.clock.pass(MINUTE_MS - 1);
  await w.send();
  expect(w.mailer.sent).toEqual([]);
  w.clock.pass(1);
  await w.send();
  expect(w.mailer.sent).toHaveLength(1);
});

it.each(['notices.due', 'notices.claim', 'users.contact'])(
  'messages are neither lost nor sent while the record store doesn’t answer: %s',
  async (call) => {
    const w = world();
    w.put();
    w.stage.fail(call, 'storeUnavailable');
    expect(await codeOf(w.send())).toBe('storeUnavailable');
    expect([w.mailer.sent, w.notices.stored.length]).toEqual([[], 1]);
    for (let round = 0; round < 2; round += 1) {
      await w.send();
      w.clock.pass(MINUTE_MS);
    }
    expect(w.mailer.sent).toHaveLength(1);
  },
);

it('a message that the record store fails for keeps no other from its turn', async () => {
  const w = world();
  for (let count = 0; count < 3; count += 1) w.put();
  w.stage.fail('users.contact', 'storeUnavailable');
  expect(await codeOf(w.send())).toBe('storeUnavailable');
  expect(w.mailer.sent).toHaveLength(2);
});
