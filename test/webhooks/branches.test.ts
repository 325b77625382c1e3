import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { CheckRequirement } from '../../src/contract/organization.ts';
import { createBranches } from '../../src/github/branches.ts';
import { githubFixture, type Json } from '../support/fixtures.ts';
import { type Answer, type NockGitHub, startNockGitHub } from '../support/nock-github.ts';
import { APP, REPO, reply, STORY, TOKENS, testApp } from './bot.ts';

let github: NockGitHub;
let branches: ReturnType<typeof createBranches>;

beforeEach(() => {
  github = startNockGitHub();
  branches = createBranches(testApp().app, APP.appId);
  github.answers('POST', TOKENS, reply.token);
});
afterEach(() => github.finish());

const RULES = `${REPO}/rules/branches/master`;
const PROTECTION = `${REPO}/branches/master/protection/required_status_checks`;
const SUITES = `${REPO}/commits/heads%2Fmaster/check-suites`;
const repo = { installation: STORY.installation, owner: STORY.owner, name: STORY.name };

const ok = (body: unknown): Answer => ({ status: 200, body });
const status = (code: number, headers: Record<string, string> = {}): Answer => ({
  status: code,
  body: { message: 'Resource not accessible by integration' },
  headers,
});
const noRules = ok([]);
/** A ruleset that asks for these checks: name, and whose. */
const rules = (...checks: object[]): Answer =>
  ok(
    githubFixture('branch-rules', ([rule]) =>
      Object.assign(rule.parameters, { required_status_checks: checks }),
    ),
  );
/** A branch protection that asks for these. */
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

describe('whether a branch asks for the check', () => {
  it.each<[string, Answer, Answer, CheckRequirement]>([
    ['nothing', noRules, status(404), 'no'],
    ['a ruleset, from this App', ok(githubFixture('branch-rules')), status(404), 'thisApp'],
    ['a ruleset, from any source', rules(ours()), status(404), 'anySource'],
    ['a ruleset, from another App', rules(ours(1)), status(404), 'no'],
    [
      'a ruleset, for another check',
      rules({ context: 'build', integration_id: APP.appId }),
      status(404),
      'no',
    ],
    ['a ruleset of another kind', ok([{ type: 'pull_request', parameters: {} }]), status(404), 'no'],
    ['two rulesets', rules(ours(), ours(APP.appId)), status(404), 'thisApp'],
    ['protection, from this App', noRules, ok(githubFixture('status-checks-protection')), 'thisApp'],
    ['protection, from any source', noRules, protection(oursBefore(-1)), 'anySource'],
    ['protection, from whoever was first', noRules, protection(oursBefore(null)), 'anySource'],
    ['protection, from another App', noRules, protection(oursBefore(1)), 'no'],
    ['protection, for another check', noRules, protection({ context: 'build', app_id: null }), 'no'],
    ['protection without checks', noRules, protection(), 'no'],
    ['both, the stronger in the ruleset', rules(ours(APP.appId)), protection(oursBefore(null)), 'thisApp'],
    ['both, the stronger in protection', rules(ours()), protection(oursBefore(APP.appId)), 'thisApp'],
    ['what it may not read', noRules, status(403), 'unknown'],
    ['a ruleset, beside what it may not read', rules(ours(APP.appId)), status(403), 'thisApp'],
    ['a weak ruleset, beside what it may not read', rules(ours()), status(403), 'anySource'],
  ])('by %s', async (_by, byRules, byProtection, required) => {
    expect(await asked(byRules, byProtection)).toBe(required);
  });

  it.each<[string, Answer, Answer]>([
    ['rulesets', status(502), status(404)],
    ['protection', noRules, status(502)],
    ['protection, for a while', noRules, status(403, { 'retry-after': '60' })],
    ['rulesets, for a while', status(403, { 'x-ratelimit-remaining': '0' }), status(404)],
  ])('is not answered where GitHub does not say: %s', async (_what, byRules, byProtection) => {
    await expect(asked(byRules, byProtection)).rejects.toMatchObject({ code: 'githubUnavailable' });
  });

  it('is asked of branches with slashes and signs in their names', async () => {
    const branch = 'release/1.0 #1';
    const path = encodeURIComponent(branch);
    github.expects('GET', `${REPO}/rules/branches/${path}`, rules(ours(APP.appId)));
    github.expects('GET', `${REPO}/branches/${path}/protection/required_status_checks`, status(404));
    expect(await branches.requirement(repo, branch)).toBe('thisApp');
  });

  it('is found on the second page of many rules', async () => {
    github.answers('GET', RULES, ({ query }) =>
      query.get('page') === '2'
        ? { status: 200, body: githubFixture('branch-rules') }
        : {
            status: 200,
            body: Array.from({ length: 100 }, () => ({ type: 'deletion' })),
            headers: { link: `<https://api.github.com${RULES}?per_page=100&page=2>; rel="next"` },
          },
    );
    github.answers('GET', PROTECTION, status(404));
    expect(await branches.requirement(repo, 'master')).toBe('thisApp');
  });
});

describe('the tip of a branch', () => {
  it('is the head of the newest suite of ours on it', async () => {
    github.expects('GET', SUITES, ok(githubFixture('check-suites')));
    expect(await branches.tip(repo, 'master')).toBe('f95f852bd8fca8fcc58a9a2d6c842781e32a215e');
  });

  it('is not known where there is no suite', async () => {
    github.expects('GET', SUITES, ok({ total_count: 0, check_suites: [] }));
    expect(await branches.tip(repo, 'master')).toBeNull();
  });

  it('is not known where the repository is empty', async () => {
    github.answers('GET', SUITES, status(409));
    expect(await branches.tip(repo, 'master')).toBeNull();
  });

  it.each([403, 404, 422, 502])('is not answered where GitHub says %d: no answer is no yes', async (code) => {
    github.answers('GET', SUITES, status(code));
    await expect(branches.tip(repo, 'master')).rejects.toMatchObject({ code: 'githubUnavailable' });
  });
});
