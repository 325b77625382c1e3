import type { DeployParamsAnswer } from '../../src/contract/deployments.ts';
import type { SoftwareAuthenticator } from './authenticator.ts';
import type { Answer, Session, TestProduct } from './product.ts';
import { until } from './until.ts';

const HELLO = '/repos/octo-org/hello';

export type Run = {
  id: number;
  head_sha: string;
  run_attempt: number;
  status: string;
  conclusion: string | null;
};
export type Review = { state: string; comment: string; user: { login: string } };

/** Starts the release of `hello`, and returns its newest run. */
export async function release(product: TestProduct, ref = 'main'): Promise<Run> {
  await product.asAdmin('POST', `${HELLO}/actions/workflows/release.yml/dispatches`, { ref });
  const { workflow_runs: runs } = await product.asAdmin<{ workflow_runs: Run[] }>(
    'GET',
    `${HELLO}/actions/runs?event=workflow_dispatch`,
  );
  return runs[0] as Run;
}

export const runOf = (product: TestProduct, { id }: { id: number }) =>
  product.asAdmin<Run>('GET', `${HELLO}/actions/runs/${id}`);

/** What Apps and people said about a run, newest last; status reports are `pending`. */
export const reviewsOf = (product: TestProduct, { id }: { id: number }) =>
  product.asAdmin<Review[]>('GET', `${HELLO}/actions/runs/${id}/approvals`);

export const statesOf = async (product: TestProduct, run: { id: number }) =>
  (await reviewsOf(product, run)).map(({ state }) => state);

/** The names and states of a run's jobs. */
export async function jobsOf(product: TestProduct, { id }: { id: number }): Promise<string[]> {
  type Job = { name: string; status: string; conclusion: string | null };
  const { jobs } = await product.asAdmin<{ jobs: Job[] }>('GET', `${HELLO}/actions/runs/${id}/jobs`);
  return jobs.map(({ name, status, conclusion }) => `${name}: ${conclusion ?? status}`);
}

/** The parameters of a run's deployment to `release`, once GitHub shows what it waits for. */
export async function waitingRelease(product: TestProduct, run: { id: number }) {
  await until('the status report', async () => (await statesOf(product, run)).includes('pending'));
  const { installation, org, orgID, repo } = product.github.facts;
  return { installation, owner: org, ownerID: orgID, repo, run: run.id, environment: 'release' };
}

export type DeployTarget = Awaited<ReturnType<typeof waitingRelease>>;

export async function deployParams(
  product: TestProduct,
  session: Session,
  target: object,
): Promise<Answer & { params: DeployParamsAnswer }> {
  const answer = await product.call(
    '/deploy-params',
    { ...target, accessToken: session.accessToken },
    session,
  );
  return { ...answer, params: answer.status === 200 ? answer.json<DeployParamsAnswer>() : ({} as never) };
}

/** Decides about a deployment with this key. `decided` is for `/deploy-check`, if it differs from what was signed. */
export async function decideBy(
  product: TestProduct,
  { session, key }: { session: Session; key: SoftwareAuthenticator },
  target: object,
  decision: object = {},
  decided: object = decision,
): Promise<Answer> {
  const requested = await deployParams(product, session, { ...target, ...decision });
  if (requested.status !== 200) return requested;
  const body = {
    params: target,
    ...decided,
    authResponse: key.get(requested.params.options),
    accessToken: session.accessToken,
  };
  return product.call('/deploy-check', body, session);
}
