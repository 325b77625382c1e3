import { readPageContext } from '../../lib/address/page-context.ts';
import type { Client } from '../../lib/session/client.ts';
import { authenticatorsOf } from '../../lib/session/user.ts';
import { type ApprovalRequest, fetchApprovalRequest, type RequestDeps } from './approval-request.ts';
import { type ApprovalTarget, methodFor, readApprovalTarget } from './approval-target.ts';
import { approveDeps } from './approve.ts';

/** A request that was made before the page rendered; `value` once it's there. */
type Begun = { key: string; request: Promise<ApprovalRequest>; value: ApprovalRequest | null };

let begun: Begun | null = null;

/**
 * Makes an approval page's request while the page's code loads, so that the first render shows the pull request.
 * Resolves to its title when it's answered; a failure is for the page, which takes the request over. `/collect` decides
 * by the refreshed session. That is nearly always what the stored one says. If it isn't, the answer isn't used.
 */
export async function beginApproval(
  client: Client,
  pathname: string,
  search: string,
): Promise<string | undefined> {
  const state = client.session.getState();
  const context = readPageContext(search);
  const target = readApprovalTarget(context);
  if (state.status !== 'signed-in' || !target) return undefined;
  const own = methodFor(authenticatorsOf(state.user, context.ownerID));
  const methods = new Map([
    ['/collect', own],
    ['/collect-passkey', 'webauthn' as const],
    ['/collect-totp', 'totp' as const],
  ]);
  const type = methods.get(pathname);
  if (!type) return undefined;
  const deps = approveDeps(client, state.user, { target, type });
  const made: Begun = { key: keyOf(deps, target), request: fetchApprovalRequest(deps, target), value: null };
  begun = made;
  made.value = await made.request.catch(() => null);
  return made.value?.pull.title;
}

/** The answer of the request that was begun for the same, if it's there. */
export const begunRequest = (deps: RequestDeps, target: ApprovalTarget): ApprovalRequest | null =>
  begun?.key === keyOf(deps, target) ? begun.value : null;

/** Requests a challenge, or takes the request that was begun for the same person and commit: then it's used up. */
export function fetchOrTakeBegun(
  deps: RequestDeps,
  target: ApprovalTarget,
  signal?: AbortSignal,
): Promise<ApprovalRequest> {
  const early = begun;
  begun = null;
  if (early?.key === keyOf(deps, target)) return early.request;
  return fetchApprovalRequest(deps, target, signal);
}

const keyOf = ({ type, screen }: RequestDeps, target: ApprovalTarget) =>
  JSON.stringify([type, screen, target]);
