import { type Problem, type ProblemCode, problems } from '../../../src/contract/problems.ts';

/** What the server answers the dashboard for this code. */
export function problemOf(code: ProblemCode, change: Partial<Problem> = {}): Problem {
  const [status, title] = problems[code];
  return { type: `urn:otp-guard:problem:${code}`, title, status, detail: title, code, ...change };
}

export const problemResponse = (...[code, change]: Parameters<typeof problemOf>): Response => {
  const problem = problemOf(code, change);
  const headers = { 'Content-Type': 'application/problem+json; charset=utf-8' };
  return new Response(JSON.stringify(problem), { status: problem.status, headers });
};
