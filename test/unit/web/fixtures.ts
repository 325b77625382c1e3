import { afterEach } from '@jest/globals';
import type { AnswerOf, BodyOf, CallPath } from '../../../src/contract/calls.ts';
import type { SentAssertion } from '../../../src/contract/fields.ts';
import type { RepositoryCounts } from '../../../src/contract/findings.ts';
import type { InboxAnswer } from '../../../src/contract/inbox.ts';
import type { OrganizationHealth, Ruleset } from '../../../src/contract/organization-health.ts';
import { type Problem, type ProblemCode, problems } from '../../../src/contract/problems.ts';
import { repositoryFindings, type SetupFacts, setupFindings } from '../../../src/protection/findings.ts';
import { ApiError, type Poster } from '../../../web/src/lib/api/api-client.ts';
import { createRecordStore } from '../../../web/src/lib/react/record-store.ts';
import type { KeyValueStore } from '../../../web/src/lib/session/local-store.ts';
import type { Organization } from '../../../web/src/lib/session/user.ts';

export type Answer = { status?: number; json?: unknown } | { problem: ProblemCode } | 'no answer';

/** The record store's real client over a network that gives these answers in order. */
export function fakeRecordStore(answers: Answer[]) {
  const requests: { url: string; body: unknown }[] = [];
  globalThis.fetch = async (url, init) => {
    requests.push({ url: String(url), body: init?.body ? JSON.parse(String(init.body)) : undefined });
    const answer = answers.shift() ?? 'no answer';
    if (answer === 'no answer') throw new TypeError('fetch failed');
    if ('problem' in answer) return problemResponse(answer.problem);
    return Response.json(answer.json, { status: answer.status ?? 200 });
  };
  const store = createRecordStore('https://guard.example.org');
  store.authStore.clear();
  return { store, requests };
}

type Answers = { [Path in CallPath]?: (body: BodyOf<Path>) => AnswerOf<Path> | Promise<AnswerOf<Path>> };

/** A client that gives these answers, and what it sent. Any other call gets none. */
export function fakeApi(answers: Answers) {
  const sent: { path: CallPath; body: unknown }[] = [];
  const api: Poster = {
    async post(path, body) {
      sent.push({ path, body });
      const answer = answers[path];
      if (!answer) throw new ApiError();
      return answer(body);
    },
  };
  return { api, sent };
}

/** A browser's answer after a touch; its parts are never verified in these tests. */
export const ASSERTED = {
  ...{ id: 'credential', rawId: 'credential', type: 'public-key' },
  response: { authenticatorData: 'AA', clientDataJSON: 'AA', signature: 'AA' },
} as const satisfies SentAssertion;

/** The value of `globalThis.fetch` when it's called. */
export const fetchNow: typeof fetch = (input, init) => globalThis.fetch(input, init);

/** A record store's token that expires in an hour; browsers don't check its signature. */
export function token(expires = Date.now() / 1000 + 3600): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'HS256' })}.${part({ exp: Math.floor(expires) })}.signature`;
}

export const image = { name: 'abcdefghijABCDEFGHIJ', colors: ['#000000'], variant: 'ring' };

/** The person's membership of octo-org. */
export const membership = (role: 'admin' | 'member') => ({
  role,
  expand: { org: { id: 'org000000000001', org_id: 9919, name: 'octo-org', installation_id: 77, image } },
});

export const record = {
  id: 'user00000000001',
  collectionId: 'users',
  collectionName: 'gh_users',
  username: 'octocat',
  email: 'octocat@example.org',
  image: null,
  github_id: 583231,
  authenticators: { 9919: { totp: false, webauthn: [{ id: 'credential' }] } },
  expand: {
    org_members_via_user: [{ expand: { org: { org_id: 2, name: 'other-org' } } }, membership('admin'), {}],
  },
};

/** Local storage in memory. */
export function fakeLocal(
  initial: Record<string, string> = {},
): KeyValueStore & { all: Map<string, string> } {
  const all = new Map(Object.entries(initial));
  return {
    all,
    getItem: (key) => all.get(key) ?? null,
    setItem: (key, value) => void all.set(key, value),
    removeItem: (key) => void all.delete(key),
  };
}

/** An organization with the App installed; `facts` override its members. */
export const organizationOf = (facts: Partial<Organization> = {}): Organization => ({
  id: 'org000000000001',
  orgId: 9919,
  name: 'octo-org',
  installationId: 77,
  suspended: false,
  htmlUrl: 'https://github.com/octo-org',
  image: null,
  role: 'member',
  ...facts,
});

/** The server's answer to the dashboard for this code. */
export function problemOf(code: ProblemCode, change: Partial<Problem> = {}): Problem {
  const [status, title] = problems[code];
  return { type: `urn:otp-guard:problem:${code}`, title, status, detail: title, code, ...change };
}

export const problemResponse = (...[code, change]: Parameters<typeof problemOf>): Response => {
  const problem = problemOf(code, change);
  const headers = { 'Content-Type': 'application/problem+json; charset=utf-8' };
  return new Response(JSON.stringify(problem), { status: problem.status, headers });
};

const realFetch = globalThis.fetch;

/** After each test of a file that imports this. */
afterEach(() => {
  globalThis.fetch = realFetch;
});

/** An answer of `/inbox` without a pull request. */
export const emptyInbox: InboxAnswer = {
  ...{ forYou: 0, mayApprove: 0, opens: 'for-you', asksOthers: false, total: 0, pulls: [], next: null },
  ...{ repositories: [], rules: [], hasAgents: false, isComplete: true },
  ...{ deployments: [], deploymentsIn: { 'for-you': 0, 'may-approve': 0 } },
};

/** Repositories that all require the check, with what a test changes. */
export const countsOf = (total: number, change: Partial<RepositoryCounts> = {}): RepositoryCounts => ({
  ...{ total, protected: total, anySource: 0, notEnforced: 0, unknown: 0, unchecked: 0 },
  bypass: { nobody: total, said: 0, some: 0, unknown: 0 },
  ...change,
});

/** The setup of an organization that has no problem at a time, with what a test changes. */
export const healthOf = (
  at: string,
  facts: Partial<SetupFacts> = {},
  counts = countsOf(1),
): OrganizationHealth => ({
  findings: setupFindings({
    permissions: { missing: [], isPending: false },
    webhooks: { last: at, missed: 0, silentSince: null, watchSeconds: 30 },
    ...{ enterpriseServer: null, lostAuthenticators: null, proxy: null, gate: null },
    backup: { last: at, isLate: false },
    fullCheck: { at, isOverdue: false, repaired: 0, faults: [], isForAll: false },
    ...facts,
  }),
  repositories: repositoryFindings(counts),
  settingsUrl: 'https://github.com/organizations/octo-org/settings/installations/77',
  rulesets: { repository: {} as Ruleset, organization: null },
});
