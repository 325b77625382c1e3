import { describe, expect, it } from '@jest/globals';
import { DEFAULT_POLICY } from '../../../src/contract/default-policy.ts';
import type { Assurance } from '../../../src/contract/policy.ts';
import { approvalFault, assuranceSentence } from '../../../src/policies/assurance.ts';
import { neededVerification } from '../../../src/policies/why-not-counted.ts';
import { aPull } from '../../support/fakes.ts';
import { aPolicy, approvalBy, detailsFor, someDetails } from '../../support/policies.ts';

const MODEL = 'ee882879-721c-4913-9775-3dfcce97072a';
const OTHER = '2fc0579f-8113-47ea-b116-bb5a8db9202a';
type Use = Parameters<typeof approvalFault>[1];
const aKey = (change: Partial<Use> = {}): Use => ({
  method: 'security-key',
  deviceBound: true,
  aaguid: MODEL,
  modelVerified: true,
  userVerified: true,
  ...change,
});
const app = aKey({
  method: 'totp',
  deviceBound: false,
  aaguid: '',
  modelVerified: false,
  userVerified: false,
});

describe('an authenticator', () => {
  it.each<[string, Partial<Assurance>, Use, boolean, string | null]>([
    ['counts by default', {}, app, true, null],
    ['counts if its method does', { methods: ['security-key'] }, aKey(), true, null],
    ['fails if its method does not count', { methods: ['passkey'] }, aKey(), true, 'methods'],
    ['counts if its key stays on the device', { deviceBound: true }, aKey(), true, null],
    ['fails if its key can leave', { deviceBound: true }, aKey({ deviceBound: false }), true, 'deviceBound'],
    ['fails if its secret can be copied', { deviceBound: true }, app, true, 'deviceBound'],
    ['counts if its model is listed', { models: [MODEL] }, aKey({ aaguid: MODEL.toUpperCase() }), true, null],
    ['fails if only another model is listed', { models: [OTHER] }, aKey(), false, 'models'],
    [
      'fails if its model is only claimed',
      { models: [MODEL] },
      aKey({ modelVerified: false }),
      true,
      'models',
    ],
    [
      'counts by a claim that nothing can verify',
      { models: [MODEL] },
      aKey({ modelVerified: false }),
      false,
      null,
    ],
    ['fails without a model', { models: [MODEL] }, app, false, 'models'],
    [
      'fails if nobody was verified',
      { userVerification: 'required' },
      aKey({ userVerified: false }),
      true,
      'userVerification',
    ],
    ['counts if the person was verified', { userVerification: 'required' }, aKey(), true, null],
  ])('%s', (_what, change, use, hasRoots, fault) => {
    expect(approvalFault({ ...DEFAULT_POLICY.assurance, ...change }, use, hasRoots)).toBe(fault);
  });

  it('that does not count comes with what to register instead', () => {
    const assurance: Assurance = { ...DEFAULT_POLICY.assurance, methods: ['passkey', 'security-key'] };
    expect(assuranceSentence('methods', assurance, { method: 'totp' }, 'octo-org')).toBe(
      "octo-org doesn't accept one-time codes. Register a passkey or a security key.",
    );
  });
});

it('a rule without approvals asks for no user verification', async () => {
  const asked = async (approvals: number) => {
    const policy = aPolicy([{ require: { approvals, userVerification: 'required' } }]);
    const details = await detailsFor(policy, someDetails());
    return neededVerification([approvalBy('dana')], aPull(), { policy, details, hasRoots: true });
  };
  expect([await asked(1), await asked(0)]).toEqual(['required', 'preferred']);
});
