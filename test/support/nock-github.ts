import { expect } from '@jest/globals';
import nock from 'nock';
import { checkGitHubRequest, type GitHubRequest } from './github-openapi.ts';

export const GITHUB_API = 'https://api.github.com';

/** A request as GitHub got it. */
export type Sent = GitHubRequest & { path: string; query: URLSearchParams; authorization: string };

type Reply = { status: number; body?: unknown; headers?: Record<string, string> };
/** What GitHub answers; a function decides by the request. */
export type Answer = Reply | ((request: Sent) => Reply);

type Unforeseen = { method?: string; url?: string; path?: string; host?: string };

export type NockGitHub = {
  /** Every request, in order. */
  sent: Sent[];
  /** The requests of a method and path, in order. */
  requests(method: string, path: string): Sent[];
  /** GitHub is asked exactly so often, and answers so. */
  expects(method: string, path: string, answer: Answer, times?: number): void;
  /** GitHub may be asked, however often, and answers so. */
  answers(method: string, path: string, answer: Answer): void;
  /**
   * Fails the test where a request was not what GitHub describes, was not foreseen, or did not come;
   * lets the network through again.
   */
  finish(): void;
};

/** GitHub's API without a network: what is not foreseen is an error, and every request is checked here. */
export function startNockGitHub(): NockGitHub {
  nock.disableNetConnect();
  const sent: Sent[] = [];
  const problems: string[] = [];
  const onUnforeseen = (request: Unforeseen) => {
    // A test's own server is no network.
    if (request.host?.startsWith('127.0.0.1:')) return;
    problems.push(`unforeseen: ${request.method} ${request.url ?? request.path}`);
  };
  nock.emitter.on('no match', onUnforeseen);

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
    finish() {
      const pending = nock.isDone() ? [] : nock.pendingMocks();
      nock.emitter.off('no match', onUnforeseen);
      nock.abortPendingRequests();
      nock.cleanAll();
      nock.enableNetConnect();
      expect({ problems, pending }).toEqual({ problems: [], pending: [] });
    },
  };
}

function typed({ headers = {} }: Reply): Record<string, string> {
  return { 'content-type': 'application/json; charset=utf-8', ...headers };
}
