import { describe, expect, it } from '@jest/globals';
import { leftOpenBy } from '../../../src/contract/left-open.ts';
import { policySchema } from '../../../src/contract/policy.ts';

const ALL = { total: 40, enrolled: 40 };
const policyWith = (change: object = {}) => policySchema.parse({ version: 1, ...change });
const rule = (require: object, more: object = {}) => ({ rules: [{ name: 'r', require, ...more }] });
const notByAuthor = { approvals: 1, notBy: ['author'] };
const VOUCHED = { enrolment: { mode: 'vouched' } };
const SIGN_IN = 'A GitHub sign-in is enough to register a first authenticator.';

describe('what an organization leaves open', () => {
  it('was chosen by nobody while no owner has saved a policy', () => {
    expect(leftOpenBy({ policy: policyWith(), number: 0 }, ALL)).toEqual([
      {
        part: 'firstAuthenticator',
        isSettled: false,
        text: `${SIGN_IN} This is the default: no owner has chosen it yet.`,
      },
      {
        part: 'ownApprovals',
        isSettled: false,
        text: 'Authors can approve their own pull requests. This is the default: no owner has chosen it yet.',
      },
    ]);
  });

  it('is said to be on purpose once an owner has saved the policy', () => {
    const texts = leftOpenBy({ policy: policyWith(), number: 3 }, ALL);
    expect(texts.map(({ isSettled }) => isSettled)).toEqual([true, true]);
    expect(texts[0]?.text).toBe(`${SIGN_IN} An owner saved the policy that allows it.`);
  });

  it.each<[what: string, leftOpen: string, change: object]>([
    ['a rule for everything', '', rule(notByAuthor)],
    ['two approvals', '', rule({ approvals: 2 })],
    ['a rule without approvals', 'ownApprovals', rule({ ...notByAuthor, approvals: 0 })],
    ['a rule that only reports', 'ownApprovals', rule(notByAuthor, { enforced: false })],
    ['a rule that excludes committers', 'ownApprovals', rule({ notBy: ['committers'] })],
    ['a rule for people', '', rule(notByAuthor, { when: { authors: 'people' } })],
    ['a rule for machines', 'ownApprovals', rule(notByAuthor, { when: { authors: 'machines' } })],
    ['a rule for every repository', '', rule(notByAuthor, { when: { repositories: ['a', '*'] } })],
    ['a rule for one branch', 'ownApprovals', rule(notByAuthor, { when: { branches: ['main'] } })],
    ['a rule for every path', '', rule(notByAuthor, { when: { paths: ['**'] } })],
    ['a rule for some paths', 'ownApprovals', rule(notByAuthor, { when: { paths: ['*'] } })],
    ['a code by mail and no rule', 'ownApprovals', { enrolment: { mode: 'email', domains: ['a.example'] } }],
    ['an open enrolment', 'firstAuthenticator', { enrolment: {}, ...rule(notByAuthor) }],
  ])('with %s is “%s”', (_what, leftOpen, change) => {
    const policy = policyWith({ ...VOUCHED, ...change });
    expect(
      leftOpenBy({ policy, number: 1 }, ALL)
        .map(({ part }) => part)
        .join(),
    ).toBe(leftOpen);
  });

  it('is where no rule prevents it, if rules prevent it in part', () => {
    const policy = policyWith({ ...VOUCHED, ...rule(notByAuthor, { when: { branches: ['main'] } }) });
    const [own] = leftOpenBy({ policy, number: 1 }, ALL);
    expect(own?.text).toMatch(/^Authors can approve their own pull requests where no rule prevents it\./);
  });

  it.each([
    [{ total: 40, enrolled: 38 }, true, '2 of 40 members have no authenticator.'],
    [{ total: 40, enrolled: 39 }, true, '1 of 40 members has no authenticator.'],
    [{ total: 40, enrolled: 0 }, false, 'No member has an authenticator, so nobody can approve.'],
  ])('names the members without an authenticator: %o', (members, isSettled, text) => {
    const policy = policyWith({ ...VOUCHED, ...rule(notByAuthor) });
    expect(leftOpenBy({ policy, number: 1 }, members)).toEqual([{ part: 'members', isSettled, text }]);
  });

  it('says nothing about members who are not read yet', () => {
    const closed = { policy: policyWith({ ...VOUCHED, ...rule(notByAuthor) }), number: 1 };
    expect([leftOpenBy(closed, null), leftOpenBy(closed, { total: 0, enrolled: 0 })]).toEqual([[], []]);
  });
});
