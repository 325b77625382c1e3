import { describe, expect, it } from '@jest/globals';
import { ASSURED_TOTP, assuredOf } from '../../../src/authenticators/require-assured.ts';
import { ruleApprovers } from '../../../src/authenticators/rule-approvers.ts';
import { policySchema } from '../../../src/contract/policy.ts';
import { codeOf } from '../../support/code-of.ts';
import { anInstallation } from '../../support/fakes.ts';
import { mona, octocat, world } from './world.ts';

const KEY = assuredOf({ type: 'security-key', aaguid: '', backupEligible: false, modelVerified: false });
const member = (login: string, held: object) => ({
  id: login,
  login,
  role: 'member',
  enrolled: 'open',
  ...held,
});
const HELD = [member('mona', ASSURED_TOTP), { ...member('Octocat', KEY), role: 'admin' }, member('ann', KEY)];
const many = (count: number) => Array.from({ length: count }, (_, at) => member(`m${at}`, KEY));

async function asked(policy: object, { held = HELD as object[], person = octocat, orgID = 9 } = {}) {
  const heldAuthenticators = { ofMembers: async () => held as never, count: async () => ({}) as never };
  const w = { ...(await world()), heldAuthenticators };
  w.memberships.put(w.org, { ...octocat, role: 'admin' }, { userId: octocat.userId });
  w.memberships.put(w.org, { ...mona, role: 'member' }, { userId: mona.userId });
  return { w, ask: () => ruleApprovers(w, { session: person, orgID, policy }) };
}

/** Asks about one rule. */
async function aboutRule(require: object, { held = HELD as object[], assurance = {} } = {}) {
  const rules = [{ name: 'a', require }];
  const { ask } = await asked(policySchema.parse({ version: 1, assurance, rules }), { held });
  const { columns, rules: answers } = await ask();
  const cells = Object.fromEntries(columns.map(({ source }, at) => [source, answers[0]?.cells[at]]));
  return { ...answers[0], cells };
}

describe('the people who can meet a rule', () => {
  it.each<[string, object, object, string[], string]>([
    ['every member who holds one', { from: ['members'] }, {}, ['Octocat', 'ann', 'mona'], 'yes'],
    ['owners', { from: ['owners'] }, {}, ['Octocat'], 'yes'],
    ['the named, in any case', { from: ['MONA', 'octocat'] }, {}, ['Octocat', 'mona'], 'yes'],
    ['those with the method', { methods: ['totp'] }, {}, ['mona'], 'yes'],
    ['those whose key can verify its user', { userVerification: 'required' }, {}, ['Octocat', 'ann'], 'yes'],
    ['those who verify it everywhere', {}, { userVerification: 'required' }, ['Octocat', 'ann'], 'yes'],
    ['those who count at all', {}, { methods: ['passkey'] }, [], 'no'],
    ['fewer than it needs', { from: ['owners'], approvals: 2 }, {}, ['Octocat'], 'no'],
    ['somebody without an authenticator', { from: ['hubot'] }, {}, [], 'no'],
    ['a team that can have enough', { from: ['@octo-org/a'], approvals: 3 }, {}, [], 'unknown'],
    ['a team that is larger than the organization', { from: ['@octo-org/a'], approvals: 4 }, {}, [], 'no'],
    ['outside collaborators', { from: ['collaborators'], approvals: 5 }, {}, [], 'unknown'],
    ['nobody, and none is needed', { approvals: 0 }, {}, [], 'yes'],
  ])('are %s', async (_what, require, assurance, logins, canBeMet) => {
    expect(await aboutRule(require, { assurance })).toMatchObject({ able: logins.length, logins, canBeMet });
  });

  it('have a cell each, and so have groups and teams', async () => {
    expect((await aboutRule({ from: ['owners', 'hubot', '@octo-org/a'] })).cells).toEqual({
      owners: 'yes',
      '@octo-org/a': 'yes',
      hubot: 'without',
      Octocat: 'yes',
      ann: 'unknown',
      mona: 'unknown',
    });
    expect((await aboutRule({ from: ['owners'], methods: ['totp'] })).cells).toEqual({
      owners: 'without',
      Octocat: 'without',
      ann: 'no',
      mona: 'no',
    });
    expect((await aboutRule({ approvals: 0 })).cells).toEqual({ Octocat: 'no', ann: 'no', mona: 'no' });
  });

  it('are counted in a large organization, and only those whom a rule names have a column', async () => {
    const answer = await aboutRule({ from: ['members', 'm7'] }, { held: many(9) });
    expect(answer).toMatchObject({ able: 9, logins: ['m0', 'm1', 'm2', 'm3', 'm4'] });
    expect(answer.cells).toEqual({ members: 'yes', m7: 'yes' });
  });

  it('are only those with a vouch from the day on that the policy names', async () => {
    const rules = [{ name: 'a', require: { from: ['members'] } }];
    const ableBy = async (vouchExistingBy: string) => {
      const enrolment = { mode: 'vouched', vouchers: 'members', vouchExistingBy };
      const { w, ask } = await asked(policySchema.parse({ version: 1, enrolment, rules }));
      w.vouches.among = async (ids) => new Set(ids.filter((id) => id === 'ann'));
      return (await ask()).rules[0]?.logins;
    };
    expect(await ableBy('2000-01-01')).toEqual(['ann']);
    expect(await ableBy('2999-01-01')).toEqual(['Octocat', 'ann', 'mona']);
  });

  it('have at most 24 columns', async () => {
    const from = Array.from({ length: 30 }, (_, at) => `p${at}`);
    const { ask } = await asked(
      policySchema.parse({ version: 1, rules: [{ name: 'a', require: { from } }] }),
    );
    const { columns, more, rules } = await ask();
    expect([columns.length, more, rules[0]?.cells.length]).toEqual([24, 9, 24]);
  });
});

it('tells only owners who can meet a rule, and only about a policy', async () => {
  const policy = { version: 1 };
  expect(await codeOf((await asked(policy, { person: mona })).ask())).toBe('notOwner');
  expect(await codeOf((await asked(policy, { orgID: 404 })).ask())).toBe('notOwner');
  expect(await codeOf((await asked({ version: 2 })).ask())).toBe('wrongPolicy');
  const { w, ask } = await asked(policy);
  await w.organizations.save(anInstallation({ suspended: true }));
  expect(await codeOf(ask())).toBe('notOwner');
});
