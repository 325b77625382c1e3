import { describe, expect, it } from '@jest/globals';
import type { z } from 'zod';
import { approvalParams, webauthnApproval } from '../../../src/contract/approvals.ts';
import {
  authenticatorEdit,
  registrationParams,
  totpApproval,
  totpRegistration,
  webauthnRegistration,
} from '../../../src/contract/authenticators.ts';
import { stepUp, stepUpChallenge } from '../../../src/contract/step-up.ts';
import { parseBody } from '../../../src/http/calls/call.ts';
import { AppError } from '../../../src/shared/app-error.ts';
import { EMPTY_ASSERTION, HEAD } from '../../support/fakes.ts';

const target = { installation: 5, owner: 'octo-org', ownerID: '9', repo: 'hello', pr: 7, head: HEAD };
const registration = { label: 'My passkey', type: 'passkey', org: 'octo-org', orgID: 9 };
const assertion = EMPTY_ASSERTION;
const attestation = {
  ...assertion,
  response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA', transports: ['internal'] },
};
const proof = { type: 'register-authenticator', webauthn: assertion };
const accessToken = 'ghu_16C7e42F292c6912E7710c838347Ae178B4a';
const app = { totpValue: '123456', totpSecret: 'JBSWY3DPEHPK3PXPJBSWY3DPEH', org: 'octo-org', orgID: 9 };

type Json = Record<string, unknown>;

/** A valid body for each call. */
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
  ['totpApproval', totpApproval, { ...target, base: 'main', otp: '123456', accessToken }],
];

const GENERIC = 'A field of this request is missing or malformed.';
/** Words of the validation library's own messages, which are for developers. */
const LIBRARY =
  /^(Invalid (input|option|string)|Too (big|small)|Unrecognized key)|expected|received|Unexpected|JSON at/;

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

describe.each(BODIES)('a body of %s', (name, schema, body) => {
  it('is parsed the same as JSON and as a form, whose fields are text', () => {
    const form = Object.fromEntries(
      Object.entries(body).map(([field, value]) => [
        field,
        typeof value === 'object' ? JSON.stringify(value) : String(value),
      ]),
    );
    expect(parseBody(schema, form)).toEqual(parseBody(schema, body));
  });

  it('is refused with the right sentence for each field that is missing', () => {
    const optional = ['accessToken', 'stepUp', 'authenticatorID', 'webauthn'];
    if (name === 'approvalParams') optional.push('type');
    for (const field of Object.keys(body).filter((one) => !optional.includes(one))) {
      const { [field]: _left, ...rest } = body;
      const sentence = refusal(schema, rest);
      expect([field, sentence]).toEqual([field, expect.not.stringMatching(LIBRARY)]);
      expect([field, sentence]).not.toEqual([field, GENERIC]);
    }
  });
});

it('names the first field that is missing, in the order of the contract', () => {
  const order = [
    ['installation', 'missing installation'],
    ['owner', 'missing org'],
    ['ownerID', 'missing organization id'],
    ['repo', 'missing repo'],
    ['pr', 'missing pr'],
    ['head', 'missing head'],
  ] as const;
  for (const [index, [, sentence]] of order.entries()) {
    const kept = Object.fromEntries(order.slice(0, index).map(([name]) => [name, target[name]]));
    expect(refusal(approvalParams, kept)).toBe(sentence);
  }
  expect(refusal(totpApproval, { ...target, otp: '123456' })).toBe('missing base');
});
