import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import nock from 'nock';
import { checkGitHubRequest, type GitHubRequest } from './github-openapi.ts';

export const GITHUB_API = 'https://api.github.com';

/** A test may start a server of its own and call it. */
const OWN_SERVER = '127.0.0.1:';

/** A request as GitHub got it. */
export type Sent = GitHubRequest & { path: string; query: URLSearchParams; authorization: string };

type Reply = { status: number; body?: unknown; headers?: Record<string, string> };
/** What GitHub answers; a function decides by the request. */
export type Answer = Reply | ((request: Sent) => Reply);

type Unforeseen = { method?: string; url?: string; path?: string; host?: string };

export type NockGitHub = {
  /** Every request of the running test, in order. */
  sent: Sent[];
  /** The requests of a method and path, in order. */
  requests(method: string, path: string): Sent[];
  /** GitHub is asked exactly so often, and answers so. */
  expects(method: string, path: string, answer: Answer, times?: number): void;
  /** GitHub may be asked, however often, and answers so. */
  answers(method: string, path: string, answer: Answer): void;
};

/**
 * GitHub's API without a network, for each test of the file that calls this. A test fails if a request is unforeseen,
 * is not what GitHub describes, or never comes. After the last test, `http` and `fetch` are as they were before.
 */
export function nockGitHub(): NockGitHub {
  const sent: Sent[] = [];
  const problems: string[] = [];
  const onUnforeseen = (request: Unforeseen) => {
    if (request.host?.startsWith(OWN_SERVER)) return;
    problems.push(`unforeseen: ${request.method} ${request.url ?? request.path}`);
  };

  beforeAll(() => {
    if (!nock.isActive()) nock.activate();
    nock.disableNetConnect();
    nock.enableNetConnect(OWN_SERVER);
    nock.emitter.on('no match', onUnforeseen);
  });
  afterEach(() => {
    const found = { problems: problems.splice(0), pending: nock.isDone() ? [] : nock.pendingMocks() };
    sent.splice(0);
    nock.abortPendingRequests();
    nock.cleanAll();
    expect(found).toEqual({ problems: [], pending: [] });
  });
  afterAll(() => {
    nock.emitter.off('no match', onUnforeseen);
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
          ...(body !== '' && { body }),
        };
        sent.push(request);
        problems.push(...checkGitHubRequest(request).map((problem) => `${method} ${uri}: ${problem}`));
        const reply = typeof answer === 'function' ? answer(request) : answer;
        return [reply.status, reply.body === undefined ? '' : JSON.stringify(reply.body), typed(reply)];
      });

  return {
    sent,
    requests: (method, path) => sent.filter((one) => one.method === method && one.path === path),
    expects(method, path, answer, times = 1) {
      for (let count = 0; count < times; count += 1) intercept(method, path, answer);
    },
    answers(method, path, answer) {
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
