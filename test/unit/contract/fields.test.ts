import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { oneTimeCode } from '../../../src/contract/authenticators.ts';
import { bypassLists } from '../../../src/contract/bypass-lists.ts';
import { denial, reasonText } from '../../../src/contract/denials.ts';
import { emailAddress } from '../../../src/contract/email.ts';
import {
  accountLogin,
  authenticationResponse,
  commitSha,
  githubId,
  label,
  objectOf,
  recordId,
  registrationResponse,
  repositoryName,
} from '../../../src/contract/fields.ts';
import { patternTrial } from '../../../src/contract/policy-calls.ts';
import { stepUp, stepUpChallenge } from '../../../src/contract/step-up.ts';
import { SoftwareAuthenticator } from '../../support/authenticator.ts';

const takes = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;
const sentences = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value).error?.issues.map(({ message }) => message);
const SHA = '0123456789abcdef0123456789abcdef01234567';

it.each<[string, z.ZodType, good: unknown[], bad: unknown[]]>([
  [
    'GitHub id',
    githubId('x'),
    [1, '1', '0583231', Number.MAX_SAFE_INTEGER, '9007199254740991'],
    [
      ...[0, '0', -1, '-1', 1.5, '1.5', '1e3', '0x1', ' 1', '+1', '', '１', null, undefined, true, [1]],
      ...[Number.NaN, 2 ** 53, '9007199254740993', '1'.repeat(17), 1n],
    ],
  ],
  [
    'reason',
    reasonText,
    [
      ...['drops a table', 'x', '  trimmed  ', '<b>no</b> | `rm -rf` [x](y)', '❤️ 👩‍👩‍👧 می‌خواهم', '表を消す'],
      ...['é'.repeat(500), 'e\u0301'.repeat(250), '🔑'.repeat(500), '1', '?'],
    ],
    [
      ...[
        '',
        '   ',
        'x'.repeat(501),
        'two\nlines',
        'tab\there',
        'nul\0',
        '\u007f.',
        'next\u0085line',
        null,
        7,
        ['x'],
      ],
      ...[
        'x\u2028y.',
        'rlo\u202egnp',
        'x\u2066y',
        'mark\u200fx',
        'mark\u061cx',
        'half \ud800',
        'zero\u200bwidth',
      ],
      ...[
        'bom\ufeffx',
        'soft\u00adhyphen',
        'x\u200d\u200d\u200dy',
        '\u200d',
        '\ufe0f',
        'x\u{e0041}y',
        '\u3164',
        'blank\u2800braille',
        'x\ufff9y\ufffb',
        `stacked${'\u0301'.repeat(9)}`,
      ],
    ],
  ],
  [
    'commit',
    commitSha('x'),
    [SHA, SHA + SHA.slice(0, 24)],
    [SHA.slice(1), `${SHA}0`, SHA.toUpperCase(), `${SHA}\n`, 'main', '', null, [SHA], `g${SHA.slice(1)}`],
  ],
  [
    'login',
    accountLogin('x'),
    [
      ...['a', 'octo-org', 'Octo', '0', 'octo_shortcode', 'a'.repeat(100)],
      ...['mees-', '-ACE-', '-', 'a--b', '_'],
    ],
    ['', 'a/b', 'a b', 'a.b', '../x', 'ä', 'a\n', 'a'.repeat(101), '.', '%2e', null],
  ],
  [
    'repository',
    repositoryName('x'),
    ['a', '.github', 'a.b', '...', '-', '_', 'a'.repeat(100)],
    ['', '.', '..', 'a/b', '../b', 'a b', 'a\n', 'ä', 'a%2fb', 'a'.repeat(101), null, {}],
  ],
  [
    'record id',
    recordId('x'),
    ['a'.repeat(15), '0a1b2c3d4e5f6g7'],
    ['a'.repeat(14), 'a'.repeat(16), 'A'.repeat(15), `${'a'.repeat(15)}\n`, '', null],
  ],
  [
    'one-time code',
    oneTimeCode('x'),
    ['123456', '000000'],
    ['12345', '1234567', '１２３４５６', 'abcdef', '12 456', '-12345', '1e5', '', null, 123456],
  ],
  [
    'label',
    label('x'),
    ['a', ' a ', 'x'.repeat(100), ` ${'x'.repeat(100)} `, '<b>', 'ä 数 🦊', '\u202ea'],
    ['', ' ', '\t\n', 'x'.repeat(101), 'a\nb', 'a\u0000', 'a\u007f', 'a\u009b', 'a\ud800', null, ['a']],
  ],
])('a field that is a %s accepts only valid values', (_name, schema, good, bad) => {
  expect(good.filter((value) => !takes(schema, value))).toEqual([]);
  expect(bad.filter((value) => takes(schema, value))).toEqual([]);
});

it('the time of a ruleset’s last change is taken as GitHub gives it, with any offset', () => {
  const body = (updated: string) => ({
    org: 'octo-org',
    orgID: 9,
    text: JSON.stringify({ id: 1, updated_at: updated, bypass_actors: [] }),
  });
  for (const updated of [
    '2026-05-04T12:00:00Z',
    '2026-05-04T12:00:00.000+00:00',
    '2026-05-04T05:00:00.000-07:00',
  ])
    expect([updated, takes(bypassLists, body(updated))]).toEqual([updated, true]);
  for (const updated of ['2026-05-04', 'yesterday', ''])
    expect([updated, takes(bypassLists, body(updated))]).toEqual([updated, false]);
});

it('a pattern that is tried has 1 to 200 characters', () => {
  const body = (pattern: string) => ({ org: 'octo-org', orgID: 9, paths: [pattern] });
  const lengths = [0, 1, 200, 201];
  expect(lengths.map((length) => takes(patternTrial, body('a'.repeat(length))))).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

it('a field becomes what the call works with', () => {
  expect(label('x').parse('  My key \n')).toBe('My key');
  expect([githubId('x').parse('42'), githubId('x').parse(42)]).toEqual([42, 42]);
  expect(emailAddress.parse('  mona@example.org\r\n')).toBe('mona@example.org');
  const schema = objectOf(z.object({ a: z.number() }));
  expect([schema.parse({ a: 1 }), schema.parse('{"a":1}')]).toEqual([{ a: 1 }, { a: 1 }]);
  const wrong = ['', '{', 'null', '[]', '1', '"{}"', 'undefined'];
  expect(wrong.filter((text) => takes(schema, text))).toEqual([]);
});

it('a step-up has either a code or a key', () => {
  const response = { clientDataJSON: 'a', authenticatorData: 'a', signature: 'a' };
  const webauthn = { id: 'a', rawId: 'a', type: 'public-key', response, clientExtensionResults: {} };
  for (const proof of [{}, { otp: '123456', webauthn }])
    expect(sentences(stepUp, { type: 'delete-authenticator', ...proof })).toEqual([
      'Confirm with one authenticator: a passkey, a security key or a one-time code.',
    ]);
});

it.each([
  ['delete-authenticator', 'invalid authenticator id'],
  ['vouch', 'invalid authenticator id'],
  ['end-sessions', 'missing member'],
  ['set-aside-denial', 'missing denial'],
])('a challenge to confirm “%s” names what it is about', (type, sentence) => {
  expect(sentences(stepUpChallenge, { type, org: 'octo-org', orgID: 9 })).toEqual([sentence]);
  const named = { authenticatorID: 'a'.repeat(15), memberID: 12, denialID: 'a'.repeat(15) };
  expect(takes(stepUpChallenge, { type, org: 'octo-org', orgID: 9, ...named })).toBe(true);
});

describe('the answer of an authenticator', () => {
  const made = new SoftwareAuthenticator('https://guard.example.org');
  const taken = (schema: z.ZodType, ceremony: object, response: object, others: object = {}) => {
    const sent = { ...ceremony, ...others, response: { ...(ceremony as Made).response, ...response } };
    // As it arrives: a member that is undefined isn't there.
    return JSON.parse(JSON.stringify(schema.parse(JSON.parse(JSON.stringify(sent)))));
  };
  type Made = { response: object };
  const asserted = made.get({ challenge: 'AAAA' });
  const registered = made.create({ challenge: 'AAAA' });

  it.each([
    ['an empty user handle', { userHandle: '' }, {}],
    ['null as its user handle', { userHandle: null }, {}],
    ['null as its attachment', {}, { authenticatorAttachment: null }],
    ['an attachment that nobody knows', {}, { authenticatorAttachment: 'implanted' }],
    ['null as its extensions', {}, { clientExtensionResults: null }],
    ['no extensions', {}, { clientExtensionResults: undefined }],
  ])('with %s is one without it', (_what, response, others) => {
    expect(taken(authenticationResponse('x'), asserted, response, others)).toEqual(asserted);
    const { success } = stepUp.safeParse({
      type: 'vouch',
      authenticatorID: 'a'.repeat(15),
      webauthn: { ...asserted, ...others, response: { ...asserted.response, ...response } },
    });
    expect(success).toBe(true);
    expect(taken(registrationResponse('x'), registered, {}, others)).toEqual(registered);
  });

  it.each([7, 'a b', 'ä', {}, []])('with the user handle %j is refused', (userHandle) => {
    const sent = { ...asserted, response: { ...asserted.response, userHandle } };
    expect(sentences(authenticationResponse('x'), sent)).toEqual(['x']);
  });

  it.each([
    [['internal', 'hybrid', 'usb', 'nfc', 'ble', 'smart-card'], 6],
    [['', 'usb', 'warp', 'usb', null, 7, 'x'.repeat(100)], ['usb']],
    [Array.from({ length: 40 }, () => ''), []],
    [null, []],
    [undefined, []],
    ['usb', []],
  ])('keeps of the transports %j those that WebAuthn knows', (transports, kept) => {
    const { response } = taken(registrationResponse('x'), registered, { transports });
    if (typeof kept === 'number') expect(response.transports).toHaveLength(kept);
    else expect(response.transports).toEqual(kept);
  });
});

describe('an e-mail address', () => {
  const domainLabel = 'a'.repeat(63);
  /** An address of 254 characters with a domain that ends with this many letters. */
  const long = (last: number) => `${'x'.repeat(64)}@${domainLabel}.${domainLabel}.${'a'.repeat(last)}.org`;

  it.each([
    ...['mona@example.org', 'Mona.Lisa+otp@mail.example.co.uk', "o'brien@example.org", '-@example.org'],
    ...['!#$%&*+/=?^_`{|}~@example.org', 'mona%0d%0aBcc=eve@example.org', 'mona@xn--bcher-kva.example'],
    ...['mona@例え.テスト', 'mona@भारत.भारत', 'モナ@例え.テスト', '🦊@example.org'],
    ...[`${'x'.repeat(64)}@example.org`, `mona@${domainLabel}.org`, long(57)],
  ])('can be %s', (address) => {
    expect(emailAddress.parse(address)).toBe(address);
  });

  it.each([
    // No address, or parts of one.
    ...['', null, 7, 'mona', 'mona@', '@example.org', 'mona@evil.example@example.org', 'mona@localhost'],
    // Dots and hyphens.
    ...['.mona@example.org', 'mona.@example.org', 'mo..na@example.org', 'mona@.example.org'],
    ...['mona@example..org', 'mona@example.org.', 'mona@-example.org', 'mona@example-.org'],
    // Other hosts and signs.
    ...['mona@ex_ample.org', 'mona@127.0.0.1', 'mona@[127.0.0.1]', 'mona@example。org', 'mona＠example.org'],
    // Too long, in octets too.
    ...[`mona@${domainLabel}a.org`, `${'x'.repeat(65)}@example.org`, `${'é'.repeat(33)}@example.org`],
    ...[long(58), `mona@${'例'.repeat(50)}.${'例'.repeat(50)}.org`],
    // Control characters.
    ...['mona@example.org\r\nBcc: eve@evil.example', 'mona\0@example.org', 'mo\tna@example.org'],
    ...[
      'mo\u0085na@example.org',
      'mo\u200bna@example.org',
      'mo\u202ena@example.org',
      'mo\ud800na@example.org',
    ],
    // Another header's syntax.
    ...['mona@example.org,eve@evil.example', 'mona@example.org;eve@evil.example'],
    ...['mona@example.org eve@evil.example', 'Mona <mona@example.org>', '<mona@example.org>'],
    ...['mona(comment)@example.org', '"mona lisa"@example.org', 'mo\\na@example.org'],
    ...['mailto:mona@example.org', '=?utf-8?q?mona=40evil.example=2c?=@example.org,'],
    // Made to be slow.
    ...['a.'.repeat(126), 'a@'.repeat(126), `a@${'a-'.repeat(120)}`, `a@${'a.'.repeat(120)}-`],
  ])('cannot be %j', (value) => {
    expect(takes(emailAddress, value)).toBe(false);
  });

  it('is refused with one sentence', () => {
    expect(sentences(emailAddress, 'mona')).toEqual(['Enter an e-mail address, such as mona@example.org.']);
    expect(sentences(emailAddress, long(58))).toEqual(['Enter an e-mail address of at most 254 characters.']);
    expect(sentences(emailAddress, 'x'.repeat(100_000))).toHaveLength(1);
  });
});

it('takes the reason of a denial as it is, without the spaces around it', () => {
  expect(reasonText.parse('  Drops  a *table*.\u3000')).toBe('Drops  a *table*.');
});

it('says what is wrong with a reason', () => {
  expect(sentences(reasonText, '')).toEqual(['Say why, in 1 to 500 characters.']);
  expect(sentences(reasonText, undefined)).toEqual(['Say why, in 1 to 500 characters.']);
  expect(sentences(reasonText, 'a\u202eb')).toEqual([
    "Write the reason without line breaks and without characters that can't be seen.",
  ]);
});

it('takes a denial with one proof alone', () => {
  const params = { installation: 77, owner: 'octo-org', ownerID: 9919, repo: 'hello', pr: 7, head: SHA };
  const authResponse = new SoftwareAuthenticator('https://guard.example.org').get({
    challenge: 'Y2hhbGxlbmdl',
  });
  const body = { params, reason: 'drops a table', accessToken: 'x' };
  expect(takes(denial, { ...body, authResponse })).toBe(true);
  expect(takes(denial, { ...body, otp: '123456' })).toBe(true);
  expect(takes(denial, body)).toBe(false);
  expect(takes(denial, { ...body, authResponse, otp: '123456' })).toBe(false);
});
