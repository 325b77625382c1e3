import { describe, expect, it } from '@jest/globals';
import { emailAddress } from '../../../src/contract/email.ts';

const label = 'a'.repeat(63);
/** Addresses of 254 and 255 characters. */
const longest = `${'x'.repeat(64)}@${label}.${label}.${'a'.repeat(57)}.org`;
const tooLong = `${'x'.repeat(64)}@${label}.${label}.${'a'.repeat(58)}.org`;

const sentenceFor = (value: unknown) => emailAddress.safeParse(value).error?.issues.map((one) => one.message);

describe('an e-mail address', () => {
  it.each(
    [
      ['mona@example.org', 'Mona.Lisa+otp@mail.example.co.uk', "o'brien@example.org", '-@example.org'],
      ['!#$%&*+/=?^_`{|}~@example.org', 'mona%0d%0aBcc=eve@example.org', 'mona@xn--bcher-kva.example'],
      ['mona@bücher.example', 'mona@例え.テスト', 'mona@भारत.भारत', 'モナ@例え.テスト', '🦊@example.org'],
      [`${'x'.repeat(64)}@example.org`, `mona@${label}.org`, longest],
    ].flat(),
  )('can be %s', (address) => {
    expect(emailAddress.parse(address)).toBe(address);
  });

  it('loses the spaces around it', () => {
    expect(emailAddress.parse('  mona@example.org\r\n')).toBe('mona@example.org');
  });

  it.each<[what: string, value: unknown]>([
    ['nothing', ''],
    ['null', null],
    ['a number', 7],
    ['a bare name', 'mona'],
    ['no domain', 'mona@'],
    ['no local part', '@example.org'],
    ['two at signs', 'mona@evil.example@example.org'],
    ['a domain without a dot', 'mona@localhost'],
    ['a dot at the front', '.mona@example.org'],
    ['a dot at the back', 'mona.@example.org'],
    ['two dots', 'mo..na@example.org'],
    ['a domain that begins with a dot', 'mona@.example.org'],
    ['two dots in the domain', 'mona@example..org'],
    ['a domain that ends with a dot', 'mona@example.org.'],
    ['a label that begins with a hyphen', 'mona@-example.org'],
    ['a label that ends with a hyphen', 'mona@example-.org'],
    ['an underscore in the domain', 'mona@ex_ample.org'],
    ['an IPv4 address', 'mona@127.0.0.1'],
    ['a domain literal', 'mona@[127.0.0.1]'],
    ['an ideographic full stop', 'mona@example。org'],
    ['a fullwidth at sign', 'mona＠example.org'],
    ['a label of 64', `mona@${label}a.org`],
    ['a local part of 65', `${'x'.repeat(65)}@example.org`],
    ['a local part of 66 octets', `${'é'.repeat(33)}@example.org`],
    ['255 characters', tooLong],
    ['a domain of 300 octets in 100 characters', `mona@${'例'.repeat(50)}.${'例'.repeat(50)}.org`],
    ['a line break', 'mona@example.org\r\nBcc: eve@evil.example'],
    ['a NUL', 'mona\0@example.org'],
    ['a tab', 'mo\tna@example.org'],
    ['NEL', 'mo\u0085na@example.org'],
    ['a zero-width space', 'mo\u200bna@example.org'],
    ['an override of the direction', 'mo\u202ena@example.org'],
    ['half a surrogate pair', 'mo\ud800na@example.org'],
    ['a comma list', 'mona@example.org,eve@evil.example'],
    ['a semicolon list', 'mona@example.org;eve@evil.example'],
    ['a space list', 'mona@example.org eve@evil.example'],
    ['a name', 'Mona <mona@example.org>'],
    ['angle brackets', '<mona@example.org>'],
    ['a comment', 'mona(comment)@example.org'],
    ['a quoted local part', '"mona lisa"@example.org'],
    ['a backslash', 'mo\\na@example.org'],
    ['a mailto address', 'mailto:mona@example.org'],
    ['an encoded word', '=?utf-8?q?mona=40evil.example=2c?=@example.org,'],
  ])('cannot be %s', (_what, value) => {
    expect(emailAddress.safeParse(value).success).toBe(false);
  });

  it('is refused with one sentence', () => {
    expect(sentenceFor('mona')).toEqual(['Enter an e-mail address, such as mona@example.org.']);
    expect(sentenceFor(tooLong)).toEqual(['Enter an e-mail address of at most 254 characters.']);
    expect(sentenceFor('x'.repeat(100_000))).toHaveLength(1);
  });

  it('is checked quickly even if it was crafted to be slow', () => {
    for (const text of [
      'a.'.repeat(126),
      'a@'.repeat(126),
      `a@${'a-'.repeat(120)}`,
      `a@${'a.'.repeat(120)}-`,
    ])
      expect(emailAddress.safeParse(text).success).toBe(false);
  });
});
