import { expect, it } from '@jest/globals';
import { noticeMail, organizationOf } from '../../../src/notices/notice-mail.ts';
import type { NoticeData, NoticedPull, NoticeKind } from '../../../src/notices/ports.ts';
import { wordsOf } from '../../support/fakes.ts';

const NAMES = {
  ...{ login: 'mona', by: 'octocat', org: 'octo-org' },
  ...{ label: 'My laptop', formerLabel: 'Red', host: 'a.example' },
};
const REASONS = { reason: 'drops a table', setAsideReason: 'it was a test' };
const RUN = { run: 77, environment: 'release' };
const DATA: NoticeData = { ...NAMES, type: 'passkey', hook: 'webhook', ...REASONS, ...RUN };
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
  pullDenied: 'by label org',
  denialSetAside: 'by label org',
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
  deployRejected: 'by label org',
  deployBypassed: 'by label org',
  deployExpires: 'label org',
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

/** Their label is a pull request, `hello#7`, or a repository. */
const PULLS: string[] = [
  ...['unapprovedMerge', 'forgedCheck', 'pullDenied'],
  ...['deployRejected', 'deployBypassed', 'deployExpires'],
];

const textOf = (kind: NoticeKind, data: NoticeData) => noticeMail(kind, data).parts.map(wordsOf).join('\n\n');

it.each(kinds)(
  'a message of the kind %s has the names %s as they are, no address, and no label in its subject',
  (kind, names) => {
    const { subject, parts } = noticeMail(kind, DATA);
    expect(parts[0]).toEqual({ role: 'heading', text: subject });
    const paragraphs = parts.slice(1).map(wordsOf);
    for (const paragraph of paragraphs) expect(paragraph).toMatch(/^\S[^\n]*\.$/);
    const text = paragraphs.join('\n');
    expect(subject + text).not.toMatch(/undefined|null|\[object|\{|\}|\$| {2}|, ,|“”|https?:|www\./);
    const wanted = names.split(' ') as (keyof typeof NAMES)[];
    expect(wanted.filter((name) => !(subject + text).includes(NAMES[name]))).toEqual([]);
    // GitHub restricts logins and names of organizations and repositories to letters, digits and `._-`.
    const restricted = ['login', 'by', 'org', ...(PULLS.includes(kind) ? ['label'] : [])];
    const free = wanted.filter((name) => !restricted.includes(name));
    for (const name of HOSTILE) {
      const said = noticeMail(kind, { ...DATA, ...Object.fromEntries(free.map((one) => [one, name])) });
      const found = said.parts.map(wordsOf).join('\n').split(name).length;
      expect([said.subject, found > free.length]).toEqual([subject, true]);
    }
    expect(textOf(kind, { login: 'mona', org: 'o', by: 'p' })).not.toContain('undefined');
  },
);

it('has the checkpoint of the log if it is to owners about what decides whom OTP Guard trusts', () => {
  const checkpoint = 'guard.example.org/log/9\n1\nAAAA=\n\n— guard.example.org/log/9 BBBB=\n';
  const text = (kind: NoticeKind) =>
    textOf(kind, { login: 'mona', by: 'p', org: 'o', backup: '2026-11-20T09:14:03Z', checkpoint });
  const keep = 'Keep this signed checkpoint of o’s log. “otp-guard audit” compares the log with it:';
  const ending = `\n\n${keep}\n\n${checkpoint.trimEnd()}`;
  expect(text('restore')).toMatch(/ backup of 2026-11-20 09:14 UTC\. /);
  expect(kinds.filter(([kind]) => text(kind).endsWith(ending))).toHaveLength(13);
  expect(text('authenticatorAdded')).not.toContain('/log/');
});

const origin = 'https://guard.example.org';
const url = `${origin}/collect?pr=7`;
const aNoticedPull = (change: Partial<NoticedPull> = {}): NoticedPull => ({
  ...{ name: 'octo-org/hello#7', title: 'Add it', asked: 'named', url, author: 'mona', files: 3, ...change },
});

it('names the pull request in its subject, and has its title, what is known of it, the reason and a button', () => {
  const mail = (change?: Partial<NoticedPull>) =>
    noticeMail('pullsWait', { login: 'mona', pulls: [aNoticedPull(change)], more: 0, origin });
  expect(mail()).toEqual({
    subject: 'octo-org/hello#7 is waiting for your approval',
    parts: [
      { role: 'quiet', text: 'octo-org/hello#7' },
      { role: 'heading', text: 'Add it' },
      { role: 'quiet', text: 'by mona · 3 files' },
      'A rule of the organization names you or your team.',
      { role: 'button', text: 'Review and approve', url },
      { role: 'quiet', text: 'Look at the changes first, and approve only what you expect.' },
    ],
  });
  expect(mail({ author: '', files: 1 }).parts[2]).toEqual({ role: 'quiet', text: '1 file' });
  const { author: _author, files: _files, ...queuedBefore } = aNoticedPull();
  const before = noticeMail('pullsWait', { pulls: [queuedBefore], origin });
  expect(before.parts[2]).toBe('A rule of the organization names you or your team.');
});

it('says that it’s about a deployment, in its subject, its facts and its button', () => {
  const name = 'octo-org/hello: deploy v1 to release';
  const { files: _, ...pull } = aNoticedPull({ name, title: 'Release', run: 77 });
  expect(noticeMail('pullsWait', { login: 'mona', pulls: [pull], more: 0, origin })).toEqual({
    subject: `${name} is waiting for your approval`,
    parts: [
      { role: 'quiet', text: name },
      { role: 'heading', text: 'Release' },
      { role: 'quiet', text: 'started by mona · run 77' },
      'A rule of the organization names you or your team.',
      { role: 'button', text: 'Review the deployment', url },
      { role: 'quiet', text: 'Look at the changes first, and approve only what you expect.' },
    ],
  });
});

it('has neither a line nor an address from the title of a pull request', () => {
  const said = 'A B Cgpj https://guard.example.org/collect?pr=8 www.evil.example a@evil.example';
  const titleOf = (title: string) =>
    wordsOf(noticeMail('pullsWait', { pulls: [aNoticedPull({ title })], origin }).parts[1] ?? '');
  const title = titleOf(said.replace('B C', 'B\r\n\r\n\u2028C\u202e'));
  expect(title.replaceAll('\u200b', '')).toBe(said);
  expect(title).not.toMatch(/https:\/|www\.\w|evil\.\w|@\w|guard\.\w/);
  expect(titleOf('x'.repeat(999))).toBe(`${'x'.repeat(120)}…`);
});

it('counts the pull requests that it doesn’t name, and is about an organization if they are all in one', () => {
  const pulls = [aNoticedPull(), aNoticedPull({ name: 'other/b#8' })];
  const { subject, parts } = noticeMail('pullsDigest', { pulls, more: 3, origin });
  expect(subject).toBe('octo-org/hello#7 and 4 more are waiting for your approval');
  const links = parts.flatMap((part) => (typeof part !== 'string' && 'url' in part ? [part] : []));
  expect(links.map(({ role, text, url: to }) => [role, text, to])).toEqual([
    ['link', 'Review and approve', url],
    ['link', 'Review and approve', url],
    ['link', '3 more are waiting', `${origin}/`],
  ]);
  expect(organizationOf({ pulls })).toBeNull();
  expect(organizationOf({ pulls: pulls.slice(0, 1) })).toBe('octo-org');
  expect([organizationOf({ org: 'octo-org' }), organizationOf({})]).toEqual(['octo-org', null]);
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
    const text = textOf(kind, { ...LOST, withdrawn });
    expect(text.split('\n\n')[1]).toMatch(says);
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
  const text = textOf('authenticatorAdded', { login: 'mona', org: 'o', ...data });
  expect(/^The (.*) was added/m.exec(text)?.[1]).toBe(words);
});
