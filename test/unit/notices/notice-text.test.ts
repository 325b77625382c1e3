import { expect, it } from '@jest/globals';
import { noticeText } from '../../../src/notices/notice-text.ts';
import type { NoticeData, NoticeKind } from '../../../src/notices/ports.ts';

const NAMES = {
  ...{ login: 'mona', by: 'octocat', org: 'octo-org' },
  ...{ label: 'My laptop', formerLabel: 'Red', host: 'a.example' },
};
const DATA: NoticeData = { ...NAMES, type: 'passkey', hook: 'webhook' };
const LOST = { ...DATA, lostSince: '2026-11-20T09:14:03.123Z' };

/** Their messages have links. */
type PullsKind = 'pullsWait' | 'pullsDigest';

/** The names in the text of every kind. A new kind does not compile until it is here. */
const KINDS: Record<Exclude<NoticeKind, PullsKind>, string> = {
  authenticatorAdded: 'label login org',
  authenticatorRenamed: 'formerLabel login org label',
  authenticatorRemoved: 'label login org',
  memberAuthenticatorRemoved: 'by org label login',
  ownerRemovedAuthenticator: 'label login org',
  authenticatorLost: 'by label login org',
  approvalWithdrawn: 'login label org',
  sessionsEnded: 'by org login',
  memberSessionsEnded: 'by login org',
  firstAuthenticator: 'login org label',
  authenticatorPending: 'label login org',
  devicePending: 'label login org',
  vouchWanted: 'login org label',
  vouchedFor: 'by label login org',
  youVouched: 'label login org',
  memberVouchedFor: 'by label login org',
  ownerConfirmed: 'label login org',
  unapprovedMerge: 'label org by',
  forgedRecord: 'org',
  forgedCheck: 'label org',
  registrationReminder: 'by org login',
  policyChanged: 'by org',
  restore: 'org',
  hookSet: 'by org host',
  hookRemoved: 'by org host',
  hookStopped: 'host org',
  protectionWeakened: 'org',
  codesLocked: 'login org',
  addressConfirmed: 'login',
  addressReplaced: 'login',
};
const kinds = Object.entries(KINDS) as [keyof typeof KINDS, string][];

const HOSTILE = [
  ...['\r\nBcc: everybody@example.org', '<script>alert(1)</script>', '‮gnihsihp', '🔑 ключ 鍵', '%s {0}'],
];

it.each(kinds)(
  'a message of the kind %s has the names %s as they are, no link, and a constant subject',
  (kind, names) => {
    const { subject, text } = noticeText(kind, DATA);
    expect(text).not.toMatch(/undefined|null|\[object|\{|\}|\$| {2}|, ,|“”|https?:|www\./);
    for (const paragraph of text.split('\n\n')) expect(paragraph).toMatch(/^\S[^\n]*\.$/);
    const wanted = names.split(' ') as (keyof typeof NAMES)[];
    expect(wanted.filter((name) => !text.includes(NAMES[name]))).toEqual([]);
    for (const name of HOSTILE) {
      const said = noticeText(kind, { ...DATA, ...Object.fromEntries(wanted.map((one) => [one, name])) });
      expect([said.subject, said.text.split(name).length > wanted.length]).toEqual([subject, true]);
    }
    expect(noticeText(kind, { login: 'mona', org: 'o', by: 'p' }).text).not.toContain('undefined');
  },
);

it('ends with the checkpoint of the log if it is to owners about what decides whom OTP Guard trusts', () => {
  const checkpoint = 'guard.example.org/log/9\n1\nAAAA=\n\n— guard.example.org/log/9 BBBB=\n';
  const text = (kind: NoticeKind) =>
    noticeText(kind, { org: 'o', backup: '2026-11-20T09:14:03Z', checkpoint }).text;
  const keep = 'Keep this signed checkpoint of o’s log. “otp-guard audit” compares the log with it:';
  const ending = `\n\n${keep}\n\n${checkpoint.trimEnd()}`;
  expect(text('restore')).toMatch(/ backup of 2026-11-20 09:14 UTC\. /);
  expect(kinds.filter(([kind]) => text(kind).endsWith(ending))).toHaveLength(12);
  expect(text('authenticatorAdded')).not.toContain('/log/');
});

it('has pull requests with their reason and page, and neither a line nor a link from their titles', () => {
  const origin = 'https://guard.example.org';
  const about = (title: string) => {
    const pull = { name: 'octo-org/hello#7', title, asked: 'named' as const, url: `${origin}/collect?pr=7` };
    return noticeText('pullsWait', { login: 'mona', pulls: [pull], more: 3, origin }).text.split('\n\n');
  };
  const said = 'A B Cgpj https://guard.example.org/collect?pr=8 www.evil.example a@evil.example';
  const [first, hello = '', ...rest] = about(`${said.replace('B C', 'B\r\n\r\n\u2028C\u202e')}`);
  expect(first).toMatch(/^mona, a pull request waits for your approval\. /);
  const title = /“(.*)”/.exec(hello)?.[1] ?? '';
  expect(hello.replace(title, '')).toBe(
    `octo-org/hello#7: “”\nA rule of the organization names you or your team.\n${origin}/collect?pr=7`,
  );
  expect(title.replaceAll('\u200b', '')).toBe(said);
  expect(title).not.toMatch(/https:\/|www\.\w|evil\.\w|@\w|guard\.\w/);
  expect(rest).toEqual([
    `3 more pull requests wait for you: ${origin}/`,
    `You chose to get this e-mail. To change that: ${origin}/email`,
  ]);
  expect(about('x'.repeat(999))[1]).toContain(`“${'x'.repeat(120)}…”`);
});

it.each([
  [0, /UTC\. No approval was made with it since then, so there is none to take back\.$/],
  [
    1,
    /UTC, so OTP Guard takes back the one approval made with it since then\. The log has an entry for each/,
  ],
  [8, /UTC, so OTP Guard takes back the 8 approvals made with it since then\. The log has an entry for each/],
])('says that a loss takes back %d approvals, and of none that it was withdrawn', (withdrawn, says) => {
  for (const kind of ['authenticatorLost', 'authenticatorRemoved'] as const) {
    const { text } = noticeText(kind, { ...LOST, withdrawn });
    expect(text.split('\n\n')[0]).toMatch(says);
    // It's written before the first approval is withdrawn.
    expect(text).not.toMatch(/withdrawn/);
  }
});

it.each<[NoticeData, string]>([
  [{ type: 'security-key', label: 'A' }, 'security key “A”'],
  [{ type: 'totp', label: 'A' }, 'authenticator app'],
  [{ type: 'passkey', label: '' }, 'passkey'],
  [{ type: 'of-tomorrow' as 'passkey', label: 'A' }, 'authenticator “A”'],
  [{}, 'authenticator'],
])('calls the authenticator of %j its %s', (data, words) => {
  const { text } = noticeText('authenticatorAdded', { login: 'mona', org: 'o', ...data });
  expect(/^The (.*) was added/.exec(text)?.[1]).toBe(words);
});
