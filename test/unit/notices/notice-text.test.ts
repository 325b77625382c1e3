import { describe, expect, it } from '@jest/globals';
import { noticeText } from '../../../src/notices/notice-text.ts';
import type { NoticeData, NoticeKind } from '../../../src/notices/ports.ts';

const LOST: NoticeData = {
  login: 'mona',
  org: 'octo-org',
  type: 'passkey',
  label: 'My laptop',
  lostSince: '2026-11-20T09:14:03.123Z',
  withdrawn: 3,
};

const KEY: NoticeData = {
  login: 'mona',
  by: 'octocat',
  org: 'octo-org',
  type: 'passkey',
  label: 'My laptop',
};

/** Their messages have links. */
type PullsKind = 'pullsWait' | 'pullsDigest';

/** Every kind with its data, and how its text begins. A new kind does not compile until it is here. */
const KINDS: Record<Exclude<NoticeKind, PullsKind>, [data: NoticeData, says: RegExp]> = {
  authenticatorAdded: [
    { login: 'mona', org: 'octo-org', type: 'passkey', label: 'My laptop' },
    /^The passkey “My laptop” was added to your account, mona, in octo-org\./,
  ],
  authenticatorRenamed: [
    { login: 'mona', org: 'octo-org', type: 'security-key', label: 'Blue', formerLabel: 'Red' },
    /^The security key “Red” of your account, mona, in octo-org was renamed to “Blue”\./,
  ],
  authenticatorRemoved: [
    { login: 'mona', org: 'octo-org', type: 'security-key', label: 'Blue key' },
    /^The security key “Blue key” was removed from your account, mona, in octo-org\./,
  ],
  memberAuthenticatorRemoved: [
    { login: 'mona', by: 'octocat', org: 'octo-org', type: 'passkey', label: 'My laptop' },
    /^octocat, an owner of octo-org, removed the passkey “My laptop” from your account, mona\.[\s\S]*ask octocat\.$/,
  ],
  ownerRemovedAuthenticator: [
    { login: 'mona', by: 'octocat', org: 'octo-org', type: 'passkey', label: 'My laptop' },
    /^You removed the passkey “My laptop” of mona in octo-org\./,
  ],
  authenticatorLost: [
    { ...LOST, by: 'mona' },
    /^mona removed the passkey “My laptop” of mona in octo-org\. It was reported as lost or stolen since 2026-11-20 09:14 UTC, so the 3 approvals made with it since then are withdrawn\./,
  ],
  approvalWithdrawn: [
    { login: 'mona', org: 'octo-org', label: 'commit 6dcb09b5 of hello#7' },
    /^You, mona, withdrew your approval of commit 6dcb09b5 of hello#7 in octo-org\./,
  ],
  sessionsEnded: [
    { login: 'mona', by: 'octocat', org: 'octo-org' },
    /^octocat, an owner of octo-org, signed you, mona, out of OTP Guard on every device\./,
  ],
  memberSessionsEnded: [
    { login: 'mona', by: 'octocat', org: 'octo-org' },
    /^octocat ended every OTP Guard session of mona in octo-org\./,
  ],
  firstAuthenticator: [
    { login: 'mona', org: 'octo-org', type: 'totp', label: 'octo-org:mona' },
    /^mona registered a first authenticator in octo-org: the authenticator app\./,
  ],
  authenticatorPending: [
    KEY,
    /^The passkey “My laptop” was registered for your account, mona, in octo-org\. It counts for/,
  ],
  devicePending: [
    KEY,
    /^The passkey “My laptop” was registered on another device for your account, mona, in octo-org\./,
  ],
  vouchWanted: [
    KEY,
    /^mona registered a first authenticator in octo-org: the passkey “My laptop”\. It counts for nothing/,
  ],
  vouchedFor: [KEY, /^octocat vouched for the passkey “My laptop” of your account, mona, in octo-org\./],
  youVouched: [KEY, /^You vouched for the passkey “My laptop” of mona in octo-org\./],
  memberVouchedFor: [KEY, /^octocat vouched for the passkey “My laptop” of mona in octo-org\./],
  ownerConfirmed: [
    KEY,
    /^The operator of OTP Guard confirmed the passkey “My laptop” of mona, an owner of octo-org/,
  ],
  unapprovedMerge: [
    { org: 'octo-org', by: 'mona', label: 'hello#7' },
    /^hello#7 in octo-org was merged by mona, but nobody had approved its last commit/,
  ],
  forgedRecord: [{ org: 'octo-org' }, /^OTP Guard found a record about octo-org in its database/],
  forgedCheck: [
    { org: 'octo-org', label: 'hello#7' },
    /^GitHub showed a green check on hello#7 in octo-org, but OTP Guard didn’t give it\./,
  ],
  registrationReminder: [
    { login: 'mona', org: 'octo-org', by: 'octocat' },
    /^octocat, an owner of octo-org, reminds you, mona, to register a passkey/,
  ],
  policyChanged: [
    { by: 'octocat', org: 'octo-org' },
    /^octocat, an owner of octo-org, changed who has to approve pull requests there, or with what\./,
  ],
  restore: [{ org: 'octo-org' }, /^The records of octo-org in OTP Guard were restored from a backup\./],
  hookSet: [
    { by: 'mona', org: 'octo-org', hook: 'webhook', host: 'a.example' },
    /^mona, an owner of octo-org, set its webhook to a\.example\. .* end the sessions of mona\.$/s,
  ],
  hookRemoved: [
    { by: 'mona', org: 'octo-org', hook: 'slack' },
    /^mona, .* removed its Slack webhook\. Nothing more/,
  ],
  hookStopped: [
    { org: 'octo-org', hook: 'webhook', host: 'a.example' },
    /^The webhook to a\.example of octo-org failed/,
  ],
  codesLocked: [
    { login: 'mona', org: 'octo-org' },
    /^Too many wrong one-time codes were entered for your account, mona, in octo-org\./,
  ],
  addressConfirmed: [{ login: 'mona' }, /^From now on, mona, OTP Guard sends an e-mail to this address when/],
  addressReplaced: [{ login: 'mona' }, /^mona now has another e-mail address in OTP Guard\./],
};

const kinds = Object.entries(KINDS) as [keyof typeof KINDS, (typeof KINDS)[keyof typeof KINDS]][];

const HOSTILE = [
  ['\r\nBcc: everybody@example.org', '<script>alert(1)</script>', '‮gnihsihp', '🔑 ключ 鍵', '%s {0}'],
].flat();

describe.each(kinds)('a message of the kind %s', (kind, [data, says]) => {
  it('reads as sentences without a link', () => {
    const { text } = noticeText(kind, data);
    expect(text).toMatch(says);
    expect(text).not.toMatch(/undefined|null|\[object|\{|\}|\$| {2}|, ,|“”|https?:|www\./);
    for (const paragraph of text.split('\n\n')) expect(paragraph).toMatch(/^\S[^\n]*\.$/);
  });

  it('has names in its text, and the same subject for all names', () => {
    const { subject } = noticeText(kind, data);
    for (const name of HOSTILE) {
      const names = Object.fromEntries(Object.keys(data).map((key) => [key, name]));
      const said = noticeText(kind, { ...names, ...(data.type && { type: data.type }) });
      expect(said.subject).toBe(subject);
      expect(said.text).toContain(name);
    }
  });
});

it('ends with the checkpoint of the log if it is to owners about what decides whom OTP Guard trusts', () => {
  const checkpoint = 'guard.example.org/log/9\n1\nAAAA=\n\n— guard.example.org/log/9 BBBB=\n';
  const text = (kind: NoticeKind) =>
    noticeText(kind, { org: 'o', backup: '2026-11-20T09:14:03Z', checkpoint }).text;
  const keep = 'Keep this signed checkpoint of o’s log. “otp-guard audit” compares the log with it:';
  const ending = `\n\n${keep}\n\n${checkpoint.trimEnd()}`;
  expect(text('restore')).toMatch(/ backup of 2026-11-20 09:14 UTC\. /);
  expect(kinds.filter(([kind]) => text(kind).endsWith(ending))).toHaveLength(11);
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
  [0, /UTC\. No approval was made with it since then, so none is withdrawn\.$/],
  [1, /UTC, so the one approval made with it since then is withdrawn\.\n\nThe organization’s log lists what/],
  [8, /UTC, so the 8 approvals made with it since then are withdrawn\.\n\nThe organization’s log lists what/],
])('says that a loss withdrew %d approvals, not more', (withdrawn, says) => {
  expect(noticeText('authenticatorLost', { ...LOST, by: 'mona', withdrawn }).text).toMatch(says);
  const own = noticeText('authenticatorRemoved', { ...LOST, withdrawn }).text;
  expect(own.includes('withdrawn')).toBe(true);
  expect(own.includes('are withdrawn')).toBe(withdrawn > 1);
});

it('links a reminder to the page on which a member can register', () => {
  const data = { login: 'mona', org: 'octo-org', by: 'octocat', origin: 'https://guard.example.org' };
  expect(noticeText('registrationReminder', data).text).toContain(
    'open https://guard.example.org/ and choose Register beside octo-org.',
  );
});

describe('the words for an authenticator in a message', () => {
  const called = (data: NoticeData) =>
    /^The (.*) was added/.exec(
      noticeText('authenticatorAdded', { login: 'mona', org: 'o', ...data }).text,
    )?.[1];

  it.each<[NoticeData, string]>([
    [{ type: 'passkey', label: 'A' }, 'passkey “A”'],
    [{ type: 'security-key', label: 'A' }, 'security key “A”'],
    [{ type: 'totp', label: 'A' }, 'authenticator app'],
    [{ type: 'passkey', label: '' }, 'passkey'],
    [{ type: 'of-tomorrow' as 'passkey', label: 'A' }, 'authenticator “A”'],
    [{}, 'authenticator'],
  ])('from %j', (data, words) => {
    expect(called(data)).toBe(words);
  });

  it('without “undefined” if a name is missing', () => {
    for (const [kind] of kinds)
      expect([kind, noticeText(kind, { login: 'mona', org: 'o', by: 'p' }).text]).toEqual([
        kind,
        expect.not.stringContaining('undefined'),
      ]);
  });
});
