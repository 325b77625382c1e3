import { describe, expect, it } from '@jest/globals';
import { policySchema } from '../../../src/contract/policy.ts';
import { protectionOf } from '../../../src/organizations/protection.ts';

const ALL = { total: 40, enrolled: 40 };
const policyWith = (change: object = {}) => policySchema.parse({ version: 1, ...change });
const rule = (require: object, more: object = {}) => ({ rules: [{ name: 'r', require, ...more }] });
const notByAuthor = { approvals: 1, notBy: ['author'] };
const CLOSED = policyWith({ enrolment: { mode: 'vouched' }, ...rule(notByAuthor) });
const partsOf = (policy: ReturnType<typeof policyWith>, number: number, members = ALL) =>
  Object.fromEntries(protectionOf({ policy, number }, members).map(({ part, ...rest }) => [part, rest]));

describe('the protection of an organization', () => {
  it('was chosen by nobody while no owner has saved a policy', () => {
    const nobody = {
      ...{ isOpen: true, isSettled: false },
      decision: 'This is the default: no owner has chosen it yet.',
    };
    const { firstAuthenticator, ownApprovals } = partsOf(policyWith(), 0);
    expect([firstAuthenticator, ownApprovals]).toEqual([
      { text: 'A GitHub sign-in is enough to register a first authenticator.', ...nobody },
      { text: 'Authors can approve their own pull requests.', ...nobody },
    ]);
  });

  it('is left open on purpose once an owner has saved the policy that leaves it open', () => {
    const { firstAuthenticator, ownApprovals } = partsOf(policyWith(), 3);
    const onPurpose = { isOpen: true, isSettled: true, decision: 'An owner saved this policy.' };
    expect([firstAuthenticator, ownApprovals]).toMatchObject([onPurpose, onPurpose]);
  });

  it('has nothing open with a vouch, a rule for everything, and an authenticator for everybody', () => {
    const open = protectionOf({ policy: CLOSED, number: 1 }, ALL).filter(({ isOpen }) => isOpen);
    expect(open).toEqual([]);
  });

  it.each<[what: string, where: string, rules: object]>([
    ['two approvals', 'never enough', rule({ approvals: 2 })],
    ['no rule', 'pull requests.', {}],
    ['a rule without approvals', 'pull requests.', rule({ ...notByAuthor, approvals: 0 })],
    ['a rule that only reports', 'pull requests.', rule(notByAuthor, { enforced: false })],
    ['a rule that excludes committers', 'pull requests.', rule({ notBy: ['committers'] })],
    ['a rule for people', 'never enough', rule(notByAuthor, { when: { authors: 'people' } })],
    ['a rule for machines', 'where no rule', rule(notByAuthor, { when: { authors: 'machines' } })],
    ['a rule for every repository', 'never enough', rule(notByAuthor, { when: { repositories: ['*'] } })],
    ['a rule for one repository', 'where no rule', rule(notByAuthor, { when: { repositories: ['a'] } })],
    ['a rule for one branch', 'where no rule', rule(notByAuthor, { when: { branches: ['main'] } })],
    ['a rule for every path', 'never enough', rule(notByAuthor, { when: { paths: ['**'] } })],
    ['a rule for some paths', 'where no rule', rule(notByAuthor, { when: { paths: ['*'] } })],
  ])('says where authors approve their own pull requests: %s, %s', (_what, where, rules) => {
    const { ownApprovals } = partsOf(policyWith(rules), 1);
    expect(ownApprovals).toMatchObject({
      text: expect.stringContaining(where),
      isOpen: where !== 'never enough',
    });
  });

  it.each([
    [{ total: 40, enrolled: 40 }, false, true, 'Every member has an authenticator.'],
    [{ total: 40, enrolled: 38 }, true, true, '2 of 40 members have no authenticator.'],
    [{ total: 40, enrolled: 39 }, true, true, '1 of 40 members has no authenticator.'],
    [{ total: 40, enrolled: 0 }, true, false, 'No member has an authenticator, so nobody can approve.'],
    [{ total: 0, enrolled: 0 }, true, true, "GitHub's list of members isn't read yet."],
  ])('names the members without an authenticator: %o', (members, isOpen, isSettled, text) => {
    expect(partsOf(CLOSED, 1, members).members).toEqual({ isOpen, isSettled, text, decision: '' });
  });
});
