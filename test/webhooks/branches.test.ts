import { beforeEach, describe, expect, it } from '@jest/globals';
import { createBranches } from '../../src/adapters/github/branches.ts';
import { githubFixture } from '../support/fixtures.ts';
import { type Answer, nockGitHub } from '../support/nock-github.ts';
import { REPO, reply, REF as repo, TOKENS, testApp } from './bot.ts';

const github = nockGitHub();
let branches: ReturnType<typeof createBranches>;

beforeEach(() => {
  branches = createBranches(testApp().app);
  github.answers('POST', TOKENS, reply.token);
});

const SUITES = `${REPO}/commits/heads%2Fmaster/check-suites`;

const ok = (body: unknown): Answer => ({ status: 200, body });
const status = (code: number): Answer => ({ status: code, body: { message: 'Refused' } });
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
