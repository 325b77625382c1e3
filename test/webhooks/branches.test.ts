import { beforeEach, describe, expect, it } from '@jest/globals';
import { createBranches } from '../../src/adapters/github/branches.ts';
import type { CheckRequirement } from '../../src/contract/organization-health.ts';
import { codeOf } from '../support/code-of.ts';
import { githubFixture, type Json } from '../support/fixtures.ts';
import { type Answer, nockGitHub } from '../support/nock-github.ts';
import { APP, REPO, reply, REF as repo, TOKENS, testApp } from './bot.ts';

const github = nockGitHub();
let branches: ReturnType<typeof createBranches>;

beforeEach(() => {
  branches = createBranches(testApp().app, APP.appId);
  github.answers('POST', TOKENS, reply.token);
});

const RULES = `${REPO}/rules/branches/master`;
const PROTECTION = `${REPO}/branches/master/protection/required_status_checks`;
const SUITES = `${REPO}/commits/heads%2Fmaster/check-suites`;

const ok = (body: unknown): Answer => ({ status: 200, body });
const status = (code: number, headers: Record<string, string> = {}): Answer => ({
  status: code,
  body: { message: 'Resource not accessible by integration' },
  headers,
});
const noRules = ok([]);
/** A ruleset that requires these checks, each with its source. */
const rules = (...checks: object[]): Answer =>
  ok(
    githubFixture('branch-rules', ([rule]) =>
      Object.assign(rule.parameters, { required_status_checks: checks }),
    ),
  );
/** A branch protection that requires these checks. */
const protection = (...checks: object[]): Answer =>
  ok(githubFixture('status-checks-protection', (one: Json) => Object.assign(one, { checks })));
const ours = (integration_id?: number) => ({
  context: 'OTP Guard',
  ...(integration_id !== undefined && { integration_id }),
});
const oursBefore = (app_id: number | null) => ({ context: 'OTP Guard', app_id });

const asked = (byRules: Answer, byProtection: Answer) => {
  github.answers('GET', RULES, byRules);
  github.answers('GET', PROTECTION, byProtection);
  return branches.requirement(repo, 'master');
};

describe('whether a branch requires the check', () => {
  it.each<[string, Answer, Answer, CheckRequirement]>([
    ['nothing requires it', noRules, status(404), 'no'],
    ['a ruleset requires it from this App', ok(githubFixture('branch-rules')), status(404), 'thisApp'],
    ['a ruleset requires it from any source', rules(ours()), status(404), 'anySource'],
    ['a ruleset requires it from another App', rules(ours(1)), status(404), 'no'],
    ['it requires another check', rules({ context: 'build', integration_id: APP.appId }), status(404), 'no'],
    ['the ruleset is of another kind', ok([{ type: 'pull_request', parameters: {} }]), status(404), 'no'],
    ['two rulesets require it', rules(ours(), ours(APP.appId)), status(404), 'thisApp'],
    ['the protection requires this App', noRules, ok(githubFixture('status-checks-protection')), 'thisApp'],
    ['the protection requires it from any source', noRules, protection(oursBefore(-1)), 'anySource'],
    ['protection requires it from its first App', noRules, protection(oursBefore(null)), 'anySource'],
    ['the protection requires it from another App', noRules, protection(oursBefore(1)), 'no'],
    ['the protection requires another check', noRules, protection({ context: 'build', app_id: null }), 'no'],
    ['the protection has only names of checks', noRules, ok({ contexts: ['OTP Guard'] }), 'anySource'],
    ['the protection says nothing about checks', noRules, ok({ strict: true }), 'no'],
    ['both do, the first from this App', rules(ours(APP.appId)), protection(oursBefore(null)), 'thisApp'],
    ['both require it, the last from this App', rules(ours()), protection(oursBefore(APP.appId)), 'thisApp'],
    ['the protection may not be read', noRules, status(403), 'unknown'],
    ['a ruleset requires this App, protection is hidden', rules(ours(APP.appId)), status(403), 'thisApp'],
    ['a ruleset requires it from any, protection is hidden', rules(ours()), status(403), 'anySource'],
  ])('is known if %s', async (_by, byRules, byProtection, required) => {
    expect(await asked(byRules, byProtection)).toBe(required);
  });

  it.each<[string, Answer, Answer]>([
    ['protection', noRules, status(502)],
    ['protection, for a while', noRules, status(403, { 'retry-after': '60' })],
  ])('is an error if GitHub does not answer: %s', async (_what, byRules, byProtection) => {
    expect(await codeOf(asked(byRules, byProtection))).toBe('githubUnavailable');
  });

  it('stays known if GitHub says that nothing changed, which costs nothing', async () => {
    const tagged = { headers: { etag: '"1"' }, status: 200 };
    github.expects('GET', RULES, { ...tagged, body: [] });
    github.expects('GET', PROTECTION, { ...tagged, body: githubFixture('status-checks-protection') });
    const first = await branches.requirement(repo, 'master');
    github.expects('GET', RULES, status(304));
    github.expects('GET', PROTECTION, status(304));
    expect([first, await branches.requirement(repo, 'master')]).toEqual(['thisApp', 'thisApp']);
  });

  it('is known for branches with slashes and special characters in their names', async () => {
    const branch = 'release/1.0 #1';
    const path = encodeURIComponent(branch);
    github.expects('GET', `${REPO}/rules/branches/${path}`, rules(ours(APP.appId)));
    github.expects('GET', `${REPO}/branches/${path}/protection/required_status_checks`, status(404));
    expect(await branches.requirement(repo, branch)).toBe('thisApp');
  });
});

describe('the tip of a branch', () => {
  it('is the head of the App’s newest check suite on that branch', async () => {
    github.expects('GET', SUITES, ok(githubFixture('check-suites')));
    expect(await branches.tip(repo, 'master')).toBe('f95f852bd8fca8fcc58a9a2d6c842781e32a215e');
  });

  it('is unknown if there is no check suite', async () => {
    github.expects('GET', SUITES, ok({ total_count: 0, check_suites: [] }));
    expect(await branches.tip(repo, 'master')).toBeNull();
  });

  const MADE = `${REPO}/check-suites`;
  const CANDIDATE = 'ab'.repeat(20);
  const none = ok({ total_count: 0, check_suites: [] });
  it.each([
    ['the caller names it', 201, true, CANDIDATE],
    ['the caller names it and has done so before', 200, true, CANDIDATE],
    ['the caller names another commit, and is unknown then', 201, false, null],
    ['the caller names no commit of the repository, and is unknown then', 422, false, null],
  ])('is learned without a check suite if %s', async (_what, answer, isTip, expected) => {
    const suite = githubFixture('check-suites', ({ check_suites: [one] }) =>
      Object.assign(one, { head_sha: CANDIDATE }),
    );
    let isMade = false;
    github.answers('GET', SUITES, () => (isMade && isTip ? ok(suite) : none) as { status: number });
    github.expects('POST', MADE, () => {
      isMade = answer < 300;
      return { status: answer, body: isMade ? suite.check_suites[0] : { message: 'No commit found' } };
    });
    expect(await branches.tip(repo, 'master', CANDIDATE)).toBe(expected);
    expect(github.requests('POST', MADE)).toMatchObject([{ body: { head_sha: CANDIDATE } }]);
  });

  it('is asked for without a write if it has a check suite', async () => {
    github.expects('GET', SUITES, ok(githubFixture('check-suites')));
    expect(await branches.tip(repo, 'master', CANDIDATE)).toBe('f95f852bd8fca8fcc58a9a2d6c842781e32a215e');
  });

  it('is unknown if the repository is empty', async () => {
    github.answers('GET', SUITES, status(409));
    expect(await branches.tip(repo, 'master')).toBeNull();
  });
});
