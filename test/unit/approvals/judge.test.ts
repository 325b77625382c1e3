import { describe, expect, it } from '@jest/globals';
import { DEFAULT_GROUNDS, judge, needsOf } from '../../../src/approvals/judge/judge.ts';
import type { Approval, Denial, PullRequest } from '../../../src/approvals/ports.ts';
import { aDenial, anApproval, aPull, HEAD } from '../../support/fakes.ts';
import { aPolicy, approvalBy, detailsFor, someDetails } from '../../support/policies.ts';
import { OTHER } from './world.ts';

const grounds = DEFAULT_GROUNDS;
const otherRepo = { id: 43, owner: 'octo-org', name: 'other', ownerId: 9 };

describe('a head', () => {
  it.each<[string, PullRequest[], Approval[], boolean]>([
    ['waits without an approval', [aPull()], [], false],
    ['passes with one of its own', [aPull()], [anApproval()], true],
    ['passes with two', [aPull()], [anApproval(), anApproval({ login: 'octocat' })], true],
    ['passes with one that was signed for another pull request', [aPull()], [anApproval({ pr: 8 })], true],
    ['passes for all pull requests into one base', [aPull(), aPull({ number: 8 })], [anApproval()], true],
    ['waits with another one’s of a former owner', [aPull()], [anApproval({ pr: 8, orgId: 10 })], false],
    ['waits with one of another head', [aPull()], [anApproval({ head: OTHER })], false],
    ['waits with one into another base', [aPull()], [anApproval({ base: 'next' })], false],
    ['waits with one of another repository', [aPull()], [anApproval({ repoId: 43 })], false],
    ['waits with one of the repository of its fork', [aPull({ repo: otherRepo })], [anApproval()], false],
    [
      'waits while a pull request into another base does',
      [aPull(), aPull({ number: 8, base: 'next' })],
      [anApproval(), anApproval({ pr: 8 })],
      false,
    ],
    [
      'passes when both of two are approved',
      [aPull(), aPull({ number: 8, base: 'next' })],
      [anApproval(), anApproval({ pr: 8, base: 'next' })],
      true,
    ],
    ['does not wait for a closed one', [aPull(), aPull({ number: 8, open: false })], [anApproval()], true],
    ['waits for no other head', [aPull(), aPull({ number: 8, head: OTHER })], [anApproval()], true],
    ['does not pass by a closed one alone', [aPull({ open: false })], [anApproval()], false],
    ['does not pass by one that has moved on', [aPull({ head: OTHER })], [anApproval()], false],
    ['does not pass without a pull request', [], [anApproval()], false],
    ['differs from another in capitals', [aPull({ base: 'Main' })], [anApproval()], false],
  ])('%s', (_what, pulls, approvals, passed) => {
    expect(judge({ head: HEAD, pulls, approvals, denials: [], grounds }).passed).toBe(passed);
  });

  it.each<[string, Partial<Denial>, boolean]>([
    ['waits with a denial', {}, false],
    ['waits with one for another pull request and base branch', { pr: 8, base: 'next' }, false],
    ['passes with one of another head', { head: OTHER }, true],
    ['passes with one of another repository', { repoId: 43 }, true],
    ['passes with one from before a transfer', { orgId: 10 }, true],
  ])('that is approved %s', (_what, change, passed) => {
    const denials = [aDenial(change)];
    const verdict = judge({ head: HEAD, pulls: [aPull()], approvals: [anApproval()], denials, grounds });
    expect([verdict.passed, verdict.pulls[0]?.passed]).toEqual([passed, passed]);
    expect([verdict.denials, verdict.pulls[0]?.denials]).toEqual(passed ? [[], []] : [denials, denials]);
  });

  it('needs the end of its denial before anything else', () => {
    const needs = (denial: Denial) =>
      needsOf(judge({ head: HEAD, pulls: [aPull()], approvals: [], denials: [denial], grounds }), 7);
    expect(needs(aDenial())).toBe('octocat denied this commit: drops a table');
    expect(needs(aDenial({ reason: '' }))).toBe('octocat denied this commit');
  });

  it('passes without what is only reported, and says that it isn’t met', async () => {
    const rules = [{ require: {} }, { name: 'owners', enforced: false, require: { from: ['owners'] } }];
    const policy = aPolicy(rules);
    const details = new Map([[7, await detailsFor(policy, someDetails())]]);
    const about = { head: HEAD, pulls: [aPull()], approvals: [approvalBy('dana')], denials: [] };
    const { passed, pulls } = judge({ ...about, grounds: { policy, details, hasRoots: false } });
    expect([passed, pulls.map((one) => one.rules.map(({ met }) => met))]).toEqual([true, [[true, false]]]);
  });

  it('lists its pull requests by number, each with its approval', () => {
    const [first, second] = [aPull({ number: 3 }), aPull({ number: 12, base: 'next' })];
    const approval = anApproval({ pr: 12, base: 'next' });
    const verdict = judge({
      head: HEAD,
      pulls: [second, first],
      approvals: [approval],
      denials: [],
      grounds,
    });
    expect(verdict).toMatchObject({
      passed: false,
      pulls: [
        { pull: first, passed: false, approvals: [] },
        { pull: second, passed: true, approvals: [approval] },
      ],
    });
  });

  it('has its own approval rather than an approval signed for another pull request', () => {
    const approvals = [anApproval({ pr: 8 }), anApproval({ pr: 7, login: 'octocat' })];
    const about = { head: HEAD, pulls: [aPull(), aPull({ number: 9 })], approvals };
    const { pulls } = judge({ ...about, denials: [], grounds });
    expect(pulls.map(({ approvals }) => approvals[0]?.pr)).toEqual([7, 8]);
  });
});
