import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createCheckRuns } from '../../src/adapters/github/check-runs.ts';
import { createInstallations } from '../../src/adapters/github/installations.ts';
import { createPullRequests } from '../../src/adapters/github/pull-requests.ts';
import { createUserTokens } from '../../src/adapters/github/user-tokens.ts';
import { codeOf } from '../support/code-of.ts';
import { fakeDate } from '../support/fake-date.ts';
import { githubFixture } from '../support/fixtures.ts';
import { type Answer, nockGitHub, type Sent } from '../support/nock-github.ts';
import {
  APP,
  CHECK_RUNS,
  CONTENT,
  INSTALLATION,
  PULLS,
  reply,
  REF as repo,
  STORY,
  TOKENS,
  testApp,
} from './bot.ts';

const github = nockGitHub();
const BAD_CREDENTIALS = { status: 401, body: { message: 'Bad credentials' } };
const pull = { status: 200, body: githubFixture('pull-request') };

function adapters() {
  const { app } = testApp();
  return {
    pulls: createPullRequests(app),
    checkRuns: createCheckRuns(app, APP.appId),
    installations: createInstallations(app, APP.serverUrl),
    tokens: createUserTokens(app, APP.serverUrl),
  };
}

describe('an installation token that GitHub refuses', () => {
  let asked: ReturnType<typeof adapters>;
  let valid: string;
  /** GitHub's answer to a request for a token; 201 with one. */
  let tokenStatus: number;

  /** Answers only with the valid token. Between two requests a minute passes, so no token is fresh. */
  const withToken =
    (answer: Answer) =>
    (sent: Sent): Exclude<Answer, (sent: Sent) => unknown> => {
      jest.setSystemTime(Date.now() + 60_000);
      if (sent.authorization !== `token ${valid}`) return BAD_CREDENTIALS;
      return typeof answer === 'function' ? answer(sent) : answer;
    };
  const authorizations = (method: string, path: string) =>
    github.requests(method, path).map(({ authorization }) => authorization);

  beforeEach(() => {
    asked = adapters();
    let issued = 0;
    tokenStatus = 201;
    github.answers('POST', TOKENS, () => {
      if (tokenStatus !== 201) return { status: tokenStatus, body: {} };
      issued += 1;
      return { status: 201, body: { ...githubFixture('access-token'), token: `ghs_${issued}` } };
    });
    github.answers('GET', `${PULLS}/2`, withToken(pull));
    github.answers('POST', CHECK_RUNS, withToken(reply.run));
    valid = 'ghs_1';
  });
  // Never back: Octokit's throttling, which all clients share, would wait for the time that it knows.
  beforeAll(fakeDate);
  afterAll(() => void jest.useRealTimers());

  it('is replaced for a write too, because GitHub did nothing for the refused one', async () => {
    await asked.pulls.get(repo, 2);
    valid = 'ghs_2';
    expect(await asked.checkRuns.create(repo, STORY.head, CONTENT, 'other')).toBe(128620228);
    expect(authorizations('POST', CHECK_RUNS)).toEqual(['token ghs_1', 'token ghs_2']);
  });

  it('is replaced once for all requests that were under way with it', async () => {
    await asked.pulls.get(repo, 2);
    valid = 'ghs_2';
    const all = await Promise.all(Array.from({ length: 8 }, () => asked.pulls.get(repo, 2)));
    expect(all).not.toContain(null);
    expect(github.requests('POST', TOKENS)).toHaveLength(2);
  });

  it('is replaced only once for a request: a second refusal is an error, not an answer', async () => {
    await asked.pulls.get(repo, 2);
    valid = 'none';
    expect(await codeOf(asked.pulls.get(repo, 2))).toBe('githubUnavailable');
    expect(github.requests('POST', TOKENS)).toHaveLength(2);
  });

  it('is replaced at the next request if GitHub gave no new one before', async () => {
    await asked.pulls.get(repo, 2);
    valid = 'ghs_2';
    tokenStatus = 422;
    expect(await codeOf(asked.pulls.get(repo, 2))).toBe('githubUnavailable');
    tokenStatus = 201;
    expect(await asked.pulls.get(repo, 2)).toMatchObject({ number: 2 });
  });

  it('is the only credential that is replaced: not the App’s signature, nor a person’s token', async () => {
    github.answers('GET', INSTALLATION, BAD_CREDENTIALS);
    github.answers('GET', '/user/installations', BAD_CREDENTIALS);
    github.answers('POST', `/applications/${APP.clientId}/token`, BAD_CREDENTIALS);
    expect(await codeOf(asked.installations.get(STORY.installation))).toBe('githubUnavailable');
    expect(await asked.tokens.installations('ghu_16C7e42F292c6912E7710c838347Ae178B4a')).toEqual([]);
    expect(await codeOf(asked.tokens.check('ghu_16C7e42F292c6912E7710c838347Ae178B4a'))).toBe(
      'githubUnavailable',
    );
    expect(github.sent).toHaveLength(3);
  });
});
