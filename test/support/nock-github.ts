import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import nock from 'nock';
import { checkGitHubRequest, type GitHubRequest } from './github-openapi.ts';

// Its import alone replaces `http` for all later test files of this process.
nock.restore();

export const GITHUB_API = 'https://api.github.com';

/** Tests may call servers that they start themselves. */
const LOCAL_SERVER = '127.0.0.1:';

/** A request that was sent to GitHub. */
export type Sent = GitHubRequest & {
  path: string;
  query: URLSearchParams;
  authorization: string;
  /** The tag of a conditional request; empty for others. */
  ifNoneMatch: string;
};

type Reply = { status: number; body?: unknown; headers?: Record<string, string> };
/** GitHub's response, or a function that chooses it by the request. */
export type Answer = Reply | ((request: Sent) => Reply);

type UnexpectedRequest = { method?: string; url?: string; path?: string; host?: string };

/**
 * Replaces GitHub's API for each test of the file that calls this. A test fails if the product sends a request that is
 * unexpected or doesn't match GitHub's description, or doesn't send an expected one. After the last test, `http` and
 * `fetch` are restored.
 */
export function nockGitHub() {
  const sent: Sent[] = [];
  const problems: string[] = [];
  const onUnexpected = (request: UnexpectedRequest) => {
    if (request.host?.startsWith(LOCAL_SERVER)) return;
    problems.push(`unexpected: ${request.method} ${request.url ?? request.path}`);
  };

  beforeAll(() => {
    nock.activate();
    nock.disableNetConnect();
    nock.enableNetConnect(LOCAL_SERVER);
    nock.emitter.on('no match', onUnexpected);
  });
  afterEach(() => {
    const found = { problems: problems.splice(0), pending: nock.isDone() ? [] : nock.pendingMocks() };
    sent.splice(0);
    nock.abortPendingRequests();
    nock.cleanAll();
    expect(found).toEqual({ problems: [], pending: [] });
  });
  afterAll(() => {
    nock.emitter.off('no match', onUnexpected);
    nock.enableNetConnect();
    nock.restore();
  });

  const intercept = (method: string, path: string, answer: Answer) =>
    nock(GITHUB_API)
      .intercept(path, method)
      .query(true)
      .reply(function (uri, body) {
        const url = new URL(uri, GITHUB_API);
        const request: Sent = {
          method,
          url: uri,
          path: url.pathname,
          query: url.searchParams,
          authorization: String(this.req.headers.authorization ?? ''),
          ifNoneMatch: String(this.req.headers['if-none-match'] ?? ''),
          ...(body !== '' && { body }),
        };
        sent.push(request);
        problems.push(...checkGitHubRequest(request).map((problem) => `${method} ${uri}: ${problem}`));
        const reply = typeof answer === 'function' ? answer(request) : answer;
        return [reply.status, reply.body === undefined ? '' : JSON.stringify(reply.body), typed(reply)];
      });

  return {
    /** All requests of the current test, in order. */
    sent,
    /** The requests with this method and path, in order. */
    requests: (method: string, path: string) =>
      sent.filter((one) => one.method === method && one.path === path),
    /** Expects exactly `times` such requests, and answers them. */
    expects(method: string, path: string, answer: Answer, times = 1) {
      for (let count = 0; count < times; count += 1) intercept(method, path, answer);
    },
    /** Answers any number of such requests, or none. */
    answers(method: string, path: string, answer: Answer) {
      const scope = intercept(method, path, answer);
      scope.persist();
      for (const interceptor of (scope as unknown as { interceptors: nock.Interceptor[] }).interceptors)
        interceptor.optionally();
    },
  };
}

function typed({ headers = {} }: Reply): Record<string, string> {
  return { 'content-type': 'application/json; charset=utf-8', ...headers };
}
