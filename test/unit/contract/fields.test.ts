import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { oneTimeCode } from '../../../src/contract/authenticators.ts';
import {
  accountLogin,
  commitSha,
  githubId,
  label,
  objectOf,
  recordId,
  repositoryName,
} from '../../../src/contract/fields.ts';
import { stepUp } from '../../../src/contract/step-up.ts';

const takes = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;
const SHA = '0123456789abcdef0123456789abcdef01234567';

describe('a field of a call', () => {
  it.each<[string, z.ZodType, unknown[], unknown[]]>([
    [
      'a GitHub id',
      githubId('x'),
      [1, '1', 583231, '0583231', Number.MAX_SAFE_INTEGER, '9007199254740991'],
      [
        0,
        '0',
        -1,
        '-1',
        1.5,
        '1.5',
        '1e3',
        '0x1',
        ' 1',
        '1 ',
        '+1',
        '',
        '１',
        null,
        undefined,
        true,
        [],
        [1],
        {},
        Number.NaN,
        Infinity,
        2 ** 53,
        '9007199254740993',
        '1'.repeat(17),
        1n,
      ],
    ],
    [
      'a commit',
      commitSha('x'),
      [SHA, SHA + SHA.slice(0, 24)],
      [
        SHA.slice(1),
        `${SHA}0`,
        SHA.toUpperCase(),
        `${SHA}\n`,
        ` ${SHA}`,
        'main',
        '',
        null,
        [SHA],
        `g${SHA.slice(1)}`,
      ],
    ],
    [
      'a login',
      accountLogin('x'),
      ['a', 'octo-org', 'Octo', '0', 'octo_shortcode', 'a'.repeat(100)],
      ['', '-a', 'a-', 'a/b', 'a b', 'a.b', '../x', 'ä', 'a\n', 'a'.repeat(101), '.', '%2e', null, 7],
    ],
    [
      'a repository',
      repositoryName('x'),
      ['a', '.github', 'a.b', '...', '-', '_', 'a'.repeat(100)],
      ['', '.', '..', 'a/b', '../b', 'a b', 'a\n', 'ä', 'a%2fb', 'a'.repeat(101), null, {}],
    ],
    [
      'a record id',
      recordId('x'),
      ['a'.repeat(15), '0a1b2c3d4e5f6g7'],
      ['a'.repeat(14), 'a'.repeat(16), 'A'.repeat(15), `${'a'.repeat(15)}\n`, '', null, 7],
    ],
    [
      'a one-time code',
      oneTimeCode('x'),
      ['123456', '000000'],
      ['12345', '1234567', '１２３４５６', 'abcdef', '12 456', '-12345', '1e5', '', null, 123456, ['123456']],
    ],
    [
      'a label',
      label('x'),
      ['a', ' a ', 'x'.repeat(100), ` ${'x'.repeat(100)} `, '<b>', 'ä 数 🦊', '\u202ea'],
      ['', ' ', '\t\n', 'x'.repeat(101), 'a\nb', 'a\u0000', 'a\u007f', 'a\u009b', null, 7, ['a'], {}],
    ],
  ])('that is %s accepts only valid values', (_name, schema, good, bad) => {
    expect(good.filter((value) => !takes(schema, value))).toEqual([]);
    expect(bad.filter((value) => takes(schema, value))).toEqual([]);
  });

  it('that is a label loses the spaces around it', () => {
    expect(label('x').parse('  My key \n')).toBe('My key');
  });

  it('that is an id becomes a number', () => {
    expect([githubId('x').parse('42'), githubId('x').parse(42)]).toEqual([42, 42]);
  });

  it('that is an object may come as its JSON text', () => {
    const schema = objectOf(z.object({ a: z.number() }));
    expect([schema.parse({ a: 1 }), schema.parse('{"a":1}')]).toEqual([{ a: 1 }, { a: 1 }]);
    for (const text of ['', '{', 'null', '[]', '1', '"{}"', 'undefined'])
      expect(takes(schema, text)).toBe(false);
  });
});

const key = {
  id: 'a',
  rawId: 'a',
  type: 'public-key',
  response: { clientDataJSON: 'a', authenticatorData: 'a', signature: 'a' },
  clientExtensionResults: {},
};

it.each(Object.entries({ 'neither a code nor a key': {}, 'both of them': { otp: '123456', webauthn: key } }))(
  'refuses a step-up with %s',
  (_, proof) => {
    const { error } = stepUp.safeParse({ type: 'delete-authenticator', ...proof });
    expect(error?.issues.map(({ message }) => message)).toEqual([
      'Confirm with one authenticator: a passkey, a security key or a one-time code.',
    ]);
  },
);
