import { describe, expect, it } from '@jest/globals';
import { countAuthenticators, previewAssurance } from '../../../src/authenticators/count-authenticators.ts';
import { ASSURED_TOTP, assuredOf } from '../../../src/authenticators/require-assured.ts';
import { DEFAULT_POLICY } from '../../../src/contract/default-policy.ts';
import type { Assurance } from '../../../src/contract/policy.ts';
import { codeOf } from '../../support/code-of.ts';
import { anInstallation } from '../../support/fakes.ts';
import { mona, octocat, world } from './world.ts';

const NUMBERS = { passkey: 3, 'security-key': 2, totp: 1 };
const key = { type: 'security-key' as const, aaguid: '', backupEligible: false, modelVerified: false };
const heldBy = (login: string, ...held: object[]) => held.map((one) => ({ login, ...one }) as never);
const heldAuthenticators = {
  count: async () => NUMBERS,
  ofMembers: async () => [
    ...heldBy('mona', ASSURED_TOTP),
    ...heldBy('hubot', assuredOf({ ...key, type: 'passkey', backupEligible: true }), ASSURED_TOTP),
    ...heldBy('octocat', assuredOf(key), ASSURED_TOTP),
  ],
};

it('counts are numbers for the owners of an organization that has the App', async () => {
  const w = { ...(await world()), heldAuthenticators };
  for (const [person, role] of [
    [octocat, 'admin'],
    [mona, 'member'],
  ] as const)
    w.memberships.put(w.org, { ...person, role }, { userId: person.userId });
  const count = (session = octocat, orgID = w.org.orgId) => countAuthenticators(w, { session, orgID });
  expect(await count()).toEqual(NUMBERS);
  expect(await codeOf(count(mona))).toBe('notOwner');
  expect(await codeOf(count(octocat, 404))).toBe('notOwner');
  await w.organizations.save(anInstallation({ suspended: true }));
  expect(await codeOf(count())).toBe('notOwner');
});

describe('a preview of an assurance', () => {
  const { assurance } = DEFAULT_POLICY;
  async function preview(change: Partial<Assurance>, before: Partial<Assurance> = {}, person = octocat) {
    const w = { ...(await world()), heldAuthenticators };
    w.policies.policy = { ...DEFAULT_POLICY, assurance: { ...assurance, ...before } };
    return previewAssurance(w, { person, orgID: 9, assurance: { ...assurance, ...change } });
  }

  it.each<[string, Partial<Assurance>, Partial<Assurance>, string[]]>([
    ['nobody, if nothing changes', {}, {}, []],
    ['those with one-time codes only', { methods: ['passkey', 'security-key'] }, {}, ['mona']],
    ['those whose keys can leave', { deviceBound: true }, {}, ['hubot', 'mona']],
    [
      'nobody who could not approve before',
      { deviceBound: true },
      { methods: ['passkey', 'security-key'] },
      ['hubot'],
    ],
  ])('names %s', async (_what, change, before, logins) => {
    expect(await preview(change, before)).toMatchObject({ without: logins.length, logins });
  });

  it('is for owners', async () => {
    expect(await codeOf(preview({}, {}, mona))).toBe('notOwner');
  });
});
