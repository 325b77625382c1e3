import { createHash } from 'node:crypto';
import { expect, it } from '@jest/globals';
import type { NoticeChoice } from '../../../src/contract/inbox.ts';
import { createUnsubscribeLinks } from '../../../src/notices/unsubscribe-links.ts';
import { everyRoom } from '../../support/every-room.ts';
import { FakeClock } from '../../support/fakes.ts';
import { endServersAfterEach, PUBLIC_URL, startHttpApp } from './http-app.ts';

endServersAfterEach();

const KEY = 'a secret key';
const linksWith = (...keys: [string, ...string[]]) => createUnsubscribeLinks(() => keys, PUBLIC_URL);
const linkOf = (choice: 'at-once' | 'daily', key = KEY) =>
  linksWith(key).url({ userId: 'mona', choice }).slice(PUBLIC_URL.length);
const LINK = linkOf('at-once');

/** The product's HTTP face, in which two people get e-mails immediately. `KEY` was replaced by another key. */
async function world() {
  const choices: Record<string, NoticeChoice> = { mona: 'at-once', octocat: 'at-once' };
  const calls: string[] = [];
  const noticeChoices = {
    async of(userId: string) {
      calls.push('of');
      return choices[userId] ?? 'off';
    },
    async save(userId: string, choice: NoticeChoice) {
      calls.push('save');
      choices[userId] = choice;
    },
  };
  const rooms = everyRoom({ noticeChoices, clock: new FakeClock() });
  return { ...(await startHttpApp({ rooms, unsubscribeLinks: linksWith('new', KEY) })), choices, calls };
}

/** What a mail program sends, without a session (RFC 8058, section 3.1). */
const ONE_CLICK = {
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: 'List-Unsubscribe=One-Click',
};

it('a post stops the e-mails of this person, as often as it comes', async () => {
  const w = await world();
  expect(await w.send('POST', LINK, ONE_CLICK)).toMatchObject({ status: 200 });
  expect(w.choices).toEqual({ mona: 'off', octocat: 'at-once' });
  const again = await w.send('POST', LINK, ONE_CLICK);
  expect([again.status, w.calls]).toEqual([200, ['of', 'save', 'of']]);
  expect(again.body).toContain('You won’t get these e-mails any more');
});

it('opening the link changes nothing, and shows a form that posts to it', async () => {
  const w = await world();
  for (const method of ['GET', 'HEAD']) expect((await w.send(method, LINK)).status).toBe(200);
  const { body, headers } = await w.send('GET', LINK);
  expect(w.calls).toEqual([]);
  expect(body).toContain(`<form method="post" action="${LINK.replaceAll('&', '&amp;')}">`);
  const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(body) ?? [];
  const hash = createHash('sha256').update(style).digest('base64');
  expect(headers['content-security-policy']).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  );
  expect(headers['cache-control']).toBe('no-store');
});

it('leaves what the person chose since then', async () => {
  const w = await world();
  w.choices.mona = 'daily';
  expect((await w.send('POST', LINK, ONE_CLICK)).status).toBe(200);
  expect(w.choices.mona).toBe('daily');
  expect((await w.send('POST', linkOf('daily'), ONE_CLICK)).status).toBe(200);
  expect(w.choices.mona).toBe('off');
});

it.each([
  ['of another key', linkOf('at-once', 'another key')],
  ['about another person', LINK.replace('person=mona', 'person=octocat')],
  ['about other e-mails', LINK.replace('choice=at-once', 'choice=daily')],
  ['about a choice that isn’t one', LINK.replace('choice=at-once', 'choice=off')],
  ['that was cut', LINK.slice(0, -1)],
  ['with two persons', `${LINK}&person=octocat`],
  ['without anything', '/unsubscribe'],
])('a link %s changes nothing, and costs no read of the record store', async (_what, link) => {
  const w = await world();
  for (const method of ['GET', 'POST']) {
    const { status, body } = await w.send(method, link);
    expect([status, body.includes('This link doesn’t work')]).toEqual([400, true]);
    expect(body).toContain('it’s older than OTP Guard’s present keys');
  }
  expect(w.calls).toEqual([]);
});

it('counts as a call of its sender’s address, so that nobody keeps the record store busy', async () => {
  const w = await world();
  const ofAddress = { key: 'http:calls:address:127.0.0.1', most: 1_200, ms: 60_000 };
  expect(await w.limits.take([{ ...ofAddress, cost: 1_199 }])).toBe(0);
  const statuses = [await w.send('POST', LINK, ONE_CLICK), await w.send('POST', LINK, ONE_CLICK)];
  expect(statuses.map(({ status }) => status)).toEqual([200, 429]);
  expect(w.calls).toEqual(['of', 'save']);
});
