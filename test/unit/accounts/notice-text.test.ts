import { describe, expect, it } from '@jest/globals';
import { noticeText } from '../../../src/accounts/notice-text.ts';
import type { NoticeData, NoticeKind } from '../../../src/accounts/ports.ts';

/** Every kind with the names that come with it, and what is read. A new kind does not compile until it stands here. */
const KINDS: Record<NoticeKind, [subject: string, data: NoticeData, says: RegExp]> = {
  authenticatorAdded: [
    'An authenticator was added',
    { login: 'mona', org: 'octo-org', type: 'passkey', label: 'My laptop' },
    /^The passkey “My laptop” was added to your account, mona, in octo-org\./,
  ],
  authenticatorRemoved: [
    'An authenticator was removed',
    { login: 'mona', org: 'octo-org', type: 'security-key', label: 'Blue key' },
    /^The security key “Blue key” was removed from your account, mona, in octo-org\./,
  ],
  memberAuthenticatorRemoved: [
    'An owner removed your authenticator',
    { login: 'mona', by: 'octocat', org: 'octo-org', type: 'passkey', label: 'My laptop' },
    /^octocat, an owner of octo-org, removed the passkey “My laptop” from your account, mona\.[\s\S]*talk to octocat\.$/,
  ],
  ownerRemovedAuthenticator: [
    'You removed a member’s authenticator',
    { login: 'mona', by: 'octocat', org: 'octo-org', type: 'passkey', label: 'My laptop' },
    /^You removed the passkey “My laptop” of mona in octo-org\. mona is told as well\./,
  ],
  firstAuthenticator: [
    'A member registered a first authenticator',
    { login: 'mona', org: 'octo-org', type: 'totp', label: 'octo-org:mona' },
    /^mona registered a first authenticator in octo-org: the one-time code app\./,
  ],
  unapprovedMerge: [
    'A pull request was merged without an approval',
    { org: 'octo-org', by: 'mona', label: 'hello#7' },
    /^hello#7 in octo-org was merged by mona, and nobody had approved its last commit/,
  ],
  codesLocked: [
    'Wrong one-time codes were entered',
    { login: 'mona', org: 'octo-org' },
    /^Too many wrong one-time codes were entered for you, mona, in octo-org\./,
  ],
  addressConfirmed: [
    'This address is confirmed',
    { login: 'mona' },
    /^OTP Guard tells you at this address from now on, mona, when/,
  ],
  addressReplaced: [
    'Your e-mail address was changed',
    { login: 'mona' },
    /^mona at OTP Guard has another e-mail address now\./,
  ],
};

const kinds = Object.entries(KINDS) as [NoticeKind, (typeof KINDS)[NoticeKind]][];

const HOSTILE = [
  '\r\nBcc: everybody@example.org',
  '<script>alert(1)</script>',
  '‮gnihsihp',
  '🔑 ключ 鍵',
  '%s {0}',
];

describe.each(kinds)('a message of the kind %s', (kind, [subject, data, says]) => {
  it('reads as sentences', () => {
    const said = noticeText(kind, data);
    expect(said.subject).toBe(subject);
    expect(said.text).toMatch(says);
    expect(said.text).not.toMatch(/undefined|null|\[object|\{|\}|\$| {2}|, ,|“”/);
    for (const paragraph of said.text.split('\n\n')) expect(paragraph).toMatch(/^\S[^\n]*\.$/);
  });

  it.each(HOSTILE)('has a constant subject, and names in its text alone: %j', (name) => {
    const names = Object.fromEntries(Object.keys(data).map((key) => [key, name]));
    const said = noticeText(kind, { ...names, ...(data.type && { type: data.type }) });
    expect(said.subject).toBe(subject);
    expect(said.text).toContain(name);
  });

  it('has no link that anyone could have put there', () => {
    expect(noticeText(kind, data).text).not.toMatch(/https?:|www\./);
  });
});

describe('how an authenticator is called', () => {
  const called = (data: NoticeData) =>
    /^The (.*) was added/.exec(
      noticeText('authenticatorAdded', { login: 'mona', org: 'o', ...data }).text,
    )?.[1];

  it.each<[NoticeData, string]>([
    [{ type: 'passkey', label: 'A' }, 'passkey “A”'],
    [{ type: 'security-key', label: 'A' }, 'security key “A”'],
    [{ type: 'totp', label: 'A' }, 'one-time code app'],
    [{ type: 'passkey', label: '' }, 'passkey'],
    [{ type: 'of-tomorrow', label: 'A' }, 'authenticator “A”'],
    [{}, 'authenticator'],
  ])('%j', (data, words) => {
    expect(called(data)).toBe(words);
  });

  it('without what is not said', () => {
    for (const [kind] of kinds)
      expect([kind, noticeText(kind, { login: 'mona', org: 'o', by: 'p' }).text]).toEqual([
        kind,
        expect.not.stringContaining('undefined'),
      ]);
  });
});
