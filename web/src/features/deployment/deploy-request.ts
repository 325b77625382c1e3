import type { DeployAnswer, DeployParamsAnswer } from '../../../../src/contract/deployments.ts';
import { missingOf, type PageContext } from '../../lib/address/page-context.ts';
import {
  type DeploymentOnScreen,
  isSameDeployment,
  refuseDeployment,
} from '../../lib/signing/check-deployment.ts';
import {
  type PageDeps,
  type Signable,
  type SignerDeps,
  type SignOutcome,
  StatementRefused,
  signShown,
} from '../../lib/signing/sign-shown.ts';

/** The parameters that the page needs. */
export const NAMES = ['installation', 'owner', 'ownerID', 'repo', 'run', 'environment'] as const;

/** The environment of a run, as the address names it; the server checks every member. */
export type DeployTarget = Pick<PageContext, (typeof NAMES)[number]>;

/** Null if a parameter is missing. */
export function readDeployTarget(context: PageContext): DeployTarget | null {
  if (missingOf(context, NAMES) !== null) return null;
  const { installation, owner, ownerID, repo, run, environment } = context;
  return { installation, owner, ownerID, repo, run, environment };
}

/** `show` and `show-code` ask for a person without an authenticator, who can only look. */
export type Method = 'webauthn' | 'totp' | 'show' | 'show-code';

/** The challenge to sign, and what the page shows about it. */
export type DeployRequest = Signable<DeployParamsAnswer>;

export type DeployDeps = PageDeps<DeploymentOnScreen> & { target: DeployTarget; method: Method };

/** Collects what a decision of this person about this target needs. */
export function deployDeps(
  { signer, ...deps }: SignerDeps,
  target: DeployTarget,
  method: Method,
): DeployDeps {
  const { ownerID, run, environment } = target;
  const screen = { ...signer, orgId: Number(ownerID), run: Number(run), environment };
  return { ...deps, screen, target, method };
}

/** Requests a challenge that approves, or with a reason rejects. Rejects with an `ApiError` or a `StatementRefused`. */
export async function fetchDeployRequest(
  { api, now, target, method, accessToken, screen }: DeployDeps,
  { reason, signal }: { reason?: string | undefined; signal?: AbortSignal } = {},
): Promise<DeployRequest> {
  const requestedAt = now();
  const body = { ...target, ...rejecting(reason), type: method, accessToken: accessToken() };
  const answer = await api.post('/deploy-params', body, signal);
  const { options, statement } = answer;
  const refusal = await refuseDeployment(options.challenge, statement, screen, reason);
  if (refusal) throw new StatementRefused(refusal);
  return { ...answer, requestedAt };
}

const rejecting = (reason: string | undefined) =>
  reason === undefined ? {} : ({ decision: 'reject', reason } as const);

/** What the person wants: with a reason, it's rejected. The code is empty for a key. */
export type Decision = { reason?: string; code: string };

/**
 * Decides about the deployment on the screen, with a signature or with a code. Rejects with an `ApiError`, a
 * `StatementRefused`, or the authenticator's error; nothing is decided then.
 */
export async function decide(
  deps: DeployDeps,
  shown: DeployRequest,
  { reason, code }: Decision,
): Promise<SignOutcome<DeployRequest, DeployAnswer>> {
  const { api, target, accessToken } = deps;
  const params = { ...target, attempt: shown.statement.attempt };
  const send = (proof: object) =>
    api.post('/deploy-check', { params, ...rejecting(reason), ...proof, accessToken: accessToken() });
  if (deps.method === 'totp') return { kind: 'approved', answer: await send({ otp: code }) };
  const renew = () => fetchDeployRequest(deps, { reason });
  return signShown(deps, reason === undefined ? shown : await renew(), {
    renew,
    looksTheSame: (request) => looksTheSame(request, shown),
    // Each request was checked when it came.
    check: () => Promise.resolve(),
    send: (authResponse) => send({ authResponse }),
  });
}

/** Tells whether both requests show the person the same. */
function looksTheSame(one: DeployRequest, other: DeployRequest): boolean {
  const facts = ({ deployment }: DeployRequest) => JSON.stringify(deployment);
  return isSameDeployment(one.statement, other.statement) && facts(one) === facts(other);
}
