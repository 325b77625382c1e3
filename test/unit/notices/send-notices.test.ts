import { describe, expect, it } from '@jest/globals';
import { MailRefused, type Notice } from '../../../src/notices/ports.ts';
import { sendNotices } from '../../../src/notices/send-notices.ts';
import { codeOf } from '../../support/code-of.ts';
import { anImage, FakeMailer, fakeStores } from '../../support/fakes.ts';

const MINUTE_MS = 60_000;

function world() {
  const stores = fakeStores();
  const mailer = new FakeMailer(stores.stage);
  const unsent: { kind: string; tries: number; error: unknown }[] = [];
  const deps = {
    ...stores,
    contacts: stores.users,
    mailer,
    onUnsent: (error: unknown, { kind, tries }: { kind: string; tries: number }) =>
      void unsent.push({ kind, tries, error }),
  };
  stores.users.contacts.set('mona', { login: 'mona', address: 'mona@example.org', image: anImage() });
  return {
    ...deps,
    unsent,
    put: (change: Partial<Notice> = {}) =>
      stores.notices.put({
        kind: 'authenticatorAdded',
        userId: 'mona',
        data: { type: 'totp', org: 'octo-org' },
        due: stores.clock.now(),
        ...change,
      }),
    send: () => sendNotices(deps),
    recipients: () => mailer.sent.map(({ to }) => to),
  };
}

const lost = () => new Error('connection lost');

describe('messages that are due', () => {
  it('are sent once, and deleted', async () => {
    const w = world();
    w.put();
    await w.send();
    expect(w.mailer.sent).toEqual([
      {
        to: 'mona@example.org',
        subject: 'An authenticator was added',
        text: expect.stringContaining('your account, mona, in octo-org'),
        image: anImage(),
      },
    ]);
    expect(w.notices.stored).toEqual([]);
    await w.send();
    expect(w.mailer.sent).toHaveLength(1);
  });

  it('are at most twenty a round', async () => {
    const w = world();
    for (let count = 0; count < 45; count += 1) w.put();
    const sent: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      await w.send();
      sent.push(w.mailer.sent.length);
    }
    expect(sent).toEqual([20, 40, 45, 45]);
  });

  it('go to the person’s current address, with the login of the moment they were queued', async () => {
    const w = world();
    w.put({ data: { login: 'mona-then', org: 'octo-org', type: 'totp' } });
    w.users.contacts.set('mona', { login: 'mona-now', address: 'new@example.org', image: null });
    await w.send();
    expect(w.recipients()).toEqual(['new@example.org']);
    expect(w.mailer.sent[0]).toMatchObject({ image: null, text: expect.stringContaining('mona-then') });
  });

  it('go to the address that they name even if the person is gone', async () => {
    const w = world();
    w.put({ kind: 'addressReplaced', to: 'before@example.org', userId: 'gone', data: { login: 'mona' } });
    w.put({ kind: 'addressReplaced', to: 'other@example.org', userId: '', data: { login: 'mona' } });
    await w.send();
    expect(w.recipients()).toEqual(['before@example.org', 'other@example.org']);
  });
});

describe('a message with nobody to go to', () => {
  it.each<[string, (w: ReturnType<typeof world>) => void]>([
    ['without an address', (w) => w.users.contacts.set('mona', { login: 'mona', address: '', image: null })],
    ['without a person', (w) => void w.users.contacts.clear()],
  ])('%s is deleted silently', async (_what, change) => {
    const w = world();
    change(w);
    w.put();
    await w.send();
    expect([w.mailer.sent, w.notices.stored, w.unsent]).toEqual([[], [], []]);
  });
});

describe('a message that the mail server does not take', () => {
  it('is retried with pauses that double, and deleted after eight tries', async () => {
    const w = world();
    w.put();
    w.stage.fail('mailer.send', lost(), { times: 100 });
    const pauses: number[] = [];
    for (let tries = 1; tries <= 8; tries += 1) {
      await w.send();
      const [notice] = w.notices.stored;
      if (!notice) break;
      expect(notice.tries).toBe(tries);
      const pause = notice.due.getTime() - w.clock.now().getTime();
      pauses.push(pause / MINUTE_MS);
      w.clock.pass(pause - 1);
      await w.send();
      expect(w.unsent).toHaveLength(tries);
      w.clock.pass(1);
    }
    expect([pauses, w.notices.stored, w.unsent.length]).toEqual([[1, 2, 4, 8, 16, 32, 64], [], 8]);
  });

  it('is deleted at once if the refusal is permanent', async () => {
    const w = world();
    w.put();
    w.stage.fail('mailer.send', new MailRefused('no such mailbox'));
    await w.send();
    expect([w.notices.stored, w.unsent.length]).toEqual([[], 1]);
  });

  it('does not delay other messages', async () => {
    const w = world();
    w.put({ to: 'first@example.org' });
    w.put({ to: 'second@example.org' });
    w.stage.fail('mailer.send', lost());
    await w.send();
    expect(w.recipients()).toEqual(['second@example.org']);
    expect(w.notices.stored).toMatchObject([{ to: 'first@example.org', tries: 1 }]);
  });
});

describe('a message that another process has claimed', () => {
  it('is not sent, but retried later in case that process died', async () => {
    const w = world();
    w.put();
    for (const notice of w.notices.stored) await w.notices.claim(notice);
    await w.send();
    expect(w.mailer.sent).toEqual([]);
    expect(w.notices.stored).toMatchObject([
      { tries: 1, due: new Date(w.clock.now().getTime() + MINUTE_MS) },
    ]);
    w.clock.pass(MINUTE_MS);
    await w.send();
    expect(w.mailer.sent).toHaveLength(1);
  });
});

describe('messages while the record store does not answer', () => {
  it.each(['notices.due', 'notices.claim', 'users.contact'])('are not lost, nor sent: %s', async (call) => {
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
  });
});
