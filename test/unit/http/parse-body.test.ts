import { describe, expect, it } from '@jest/globals';
import type { z } from 'zod';
import { AppError } from '../../../src/app-error.ts';
import { approvalParams, webauthnApproval } from '../../../src/contract/approvals.ts';
import {
  authenticatorEdit,
  registrationParams,
  webauthnRegistration,
} from '../../../src/contract/authenticators.ts';
import { stepUp, stepUpChallenge } from '../../../src/contract/step-up.ts';
import { totpApproval, totpRegistration } from '../../../src/contract/totp.ts';
import { parseBody } from '../../../src/http/parse-body.ts';
import { HEAD } from '../../support/fakes.ts';
import { seeded } from '../../support/seeded.ts';

const target = { installation: 5, owner: 'octo-org', ownerID: '9', repo: 'hello', pr: 7, head: HEAD };
const registration = { label: 'My passkey', type: 'passkey', org: 'octo-org', orgID: 9 };
const assertion = {
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key',
  response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA', userHandle: 'AAAA' },
  clientExtensionResults: {},
};
const attestation = {
  ...assertion,
  response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA', transports: ['internal'] },
};
const proof = { type: 'register-authenticator', webauthn: assertion };
const accessToken = 'ghu_16C7e42F292c6912E7710c838347Ae178B4a';
const app = { totpValue: '123456', totpSecret: 'JBSWY3DPEHPK3PXPJBSWY3DPEH', org: 'octo-org', orgID: 9 };

type Json = Record<string, unknown>;

/** Each body of the wire, as it is when all is right. */
const BODIES: [name: string, schema: z.ZodType, body: Json][] = [
  ['approvalParams', approvalParams, { ...target, type: 'webauthn', accessToken }],
  ['webauthnApproval', webauthnApproval, { params: target, authResponse: assertion, accessToken }],
  ['registrationParams', registrationParams, { ...registration, accessToken }],
  [
    'webauthnRegistration',
    webauthnRegistration,
    { params: registration, pkCreds: attestation, stepUp: proof, accessToken },
  ],
  ['authenticatorEdit', authenticatorEdit, { type: 'security-key', id: 'aaaaaaaaaaaaaaa', label: 'Key' }],
  [
    'stepUpChallenge',
    stepUpChallenge,
    { type: 'delete-authenticator', org: 'octo-org', orgID: 9, authenticatorID: 'aaaaaaaaaaaaaaa' },
  ],
  ['stepUp', stepUp, proof],
  [
    'totpRegistration',
    totpRegistration,
    { ...app, stepUp: { type: 'register-authenticator', otp: '123456' }, accessToken },
  ],
  ['totpApproval', totpApproval, { ...target, otp: '123456', accessToken }],
];

/** Every text that a body can be refused with; nothing that a client sent is ever part of one. */
const SENTENCES = new Set([
  'A field of this request is missing or malformed.',
  'missing installation',
  'missing org',
  'missing organization id',
  'missing repo',
  'missing pr',
  'missing head',
  'missing authenticator',
  'Missing organization',
  'Unrecognized authenticator type',
  'invalid authenticator type',
  'invalid authenticator id',
  'Registration was not completed',
  'Authentication was not completed',
  'Give the authenticator a label.',
  'Give a label of at most 100 characters.',
  'Give a label without control characters.',
  'Confirm with an authenticator first.',
  'Confirm with one authenticator: a passkey, a security key or a one-time code.',
  'Enter the 6 digits that your app shows.',
  'Start the registration again: its secret is missing.',
  'Start the registration again: its secret is too long.',
]);

const refusal = (schema: z.ZodType, body: unknown): string | null => {
  try {
    parseBody(schema, body);
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error.status).toBe(400);
    return error.message;
  }
};

describe('a body that is right', () => {
  it.each(BODIES)('is taken as JSON: %s', (_name, schema, body) => {
    expect(refusal(schema, body)).toBeNull();
  });

  it.each(BODIES)('is taken as a form, whose fields are text: %s', (_name, schema, body) => {
    const form = Object.fromEntries(
      Object.entries(body).map(([name, value]) => [
        name,
        typeof value === 'object' ? JSON.stringify(value) : String(value),
      ]),
    );
    expect(refusal(schema, form)).toBeNull();
    expect(parseBody(schema, form)).toEqual(parseBody(schema, body));
  });

  it.each(BODIES)('loses what nobody asked for: %s', (_name, schema, body) => {
    const parsed = parseBody(schema, { ...body, role: 'admin', userId: 'x' });
    expect(parsed).toEqual(parseBody(schema, body));
  });
});

describe('a body without a field', () => {
  it.each<[string, z.ZodType, Json, string]>(
    BODIES.flatMap(([name, schema, body]) =>
      Object.keys(body)
        .filter((field) => !['accessToken', 'stepUp', 'authenticatorID', 'webauthn'].includes(field))
        .filter((field) => !(name === 'approvalParams' && field === 'type'))
        .map((field): [string, z.ZodType, Json, string] => [name, schema, body, field]),
    ),
  )('is refused with that field’s text: %s', (_name, schema, body, field) => {
    const { [field]: _left, ...rest } = body;
    const sentence = refusal(schema, rest);
    expect(SENTENCES).toContain(sentence);
    expect(sentence).not.toBe('A field of this request is missing or malformed.');
  });

  it('is refused with the first one’s text, in the order of the contract', () => {
    const order = ['installation', 'owner', 'ownerID', 'repo', 'pr', 'head'] as const;
    const texts = [
      'missing installation',
      'missing org',
      'missing organization id',
      'missing repo',
      'missing pr',
      'missing head',
    ];
    for (const [index] of order.entries()) {
      const kept = Object.fromEntries(order.slice(0, index).map((name) => [name, target[name]]));
      expect(refusal(approvalParams, kept)).toBe(texts[index]);
    }
  });

  it.each([undefined, null, [], 'text', 7, true, new Date(), new Map()])(
    'is refused where it is %p',
    (body) => {
      for (const [, schema] of BODIES) expect(SENTENCES).toContain(refusal(schema, body));
    },
  );
});

/** What a hostile or broken client might send in any place. */
function oddity(random: () => number, depth = 0): unknown {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const text = () => pick(TEXTS)(random);
  const kind = Math.floor(random() * (depth > 3 ? 5 : 8));
  if (kind === 0) return text();
  if (kind === 1)
    return pick([0, -0, -1, 1, 1.5, 1e21, 2 ** 53, -(2 ** 53), Number.NaN, Infinity, 5e-324, 0x7fffffff]);
  if (kind === 2) return pick([null, undefined, true, false]);
  if (kind === 3) return pick([[], {}, [[]], '', ' ']);
  if (kind === 4) return JSON.stringify(oddity(random, depth + 1)) ?? 'undefined';
  if (kind === 5) return Array.from({ length: Math.floor(random() * 5) }, () => oddity(random, depth + 1));
  const made: Json = {};
  for (let count = Math.floor(random() * 5); count > 0; count -= 1) made[text()] = oddity(random, depth + 1);
  return made;
}

const CANARY = 'CANARY-7c1e';
const TEXTS: ((random: () => number) => string)[] = [
  (random) => String.fromCharCode(...Array.from({ length: 12 }, () => Math.floor(random() * 0xffff))),
  (random) => String(Math.floor(random() * 1e9)),
  () => CANARY,
  () => `<script>${CANARY}</script>`,
  () => '__proto__',
  () => 'constructor',
  () => 'toString',
  () => 'passkey',
  () => 'public-key',
  () => '../../etc/passwd',
  () => '１２３４５６',
  () => '0x10',
  () => '1e3',
  () => '+7',
  () => ' 7',
  () => 'AAAA',
  () => '\ud800',
  () => '\u202e',
  () => '['.repeat(2000),
  () => '{"a":'.repeat(500),
  () => 'x'.repeat(5000),
];

/** A copy of a right body with something odd in one place. */
function spoiled(body: Json, random: () => number): unknown {
  const copy = structuredClone(body);
  let place: Json = copy;
  for (;;) {
    const names = Object.keys(place);
    const name = names[Math.floor(random() * names.length)] ?? 'label';
    const inside = place[name];
    const goesOn = typeof inside === 'object' && inside !== null && !Array.isArray(inside) && random() < 0.7;
    if (!goesOn) {
      if (random() < 0.2) delete place[name];
      else place[name] = oddity(random);
      return copy;
    }
    place = inside as Json;
  }
}

describe('any body at all', () => {
  it.each(BODIES)('is taken or refused with a sentence of ours: %s', (_name, schema, body) => {
    const random = seeded(1);
    const seen = { taken: 0, refused: 0 };
    for (let round = 0; round < 3000; round += 1) {
      for (const value of [oddity(random), spoiled(body, random)]) {
        const sentence = refusal(schema, value);
        if (sentence === null) seen.taken += 1;
        else {
          seen.refused += 1;
          if (!SENTENCES.has(sentence)) throw new Error(`not of ours: ${sentence}`);
          if (sentence.includes(CANARY)) throw new Error('it echoes');
        }
      }
    }
    expect(seen.taken).toBeGreaterThan(20);
    expect(seen.refused).toBeGreaterThan(3000);
  });

  it('changes no prototype', () => {
    for (const [, schema, body] of BODIES)
      refusal(
        schema,
        JSON.parse(
          `{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},${JSON.stringify(body).slice(1)}`,
        ),
      );
    expect(({} as Json).polluted).toBeUndefined();
  });
});
