import type { Client } from '../../lib/client.ts';
import { readPageContext } from '../../lib/page-context.ts';
import { authenticatorsOf } from '../../lib/user.ts';
import { type ApprovalRequest, fetchApprovalRequest, type RequestDeps } from './approval-request.ts';
import { type ApprovalTarget, methodFor, readApprovalTarget } from './approval-target.ts';
import { approveDeps } from './approve-deps.ts';

/** A request that was made before the page rendered; `value` once it's there. */
type Begun = { key: string; request: Promise<ApprovalRequest>; value: ApprovalRequest | null };

let begun: Begun | null = null;

/**
 * Makes the approval page's request before its first render, which then shows the pull request at once. Resolves when
 * it's answered; a failure is for the page, which takes the request over.
 */
export async function beginApproval(client: Client, search: string): Promise<void> {
  const state = client.session.getState();
  const context = readPageContext(search);
  const read = readApprovalTarget(context);
  if (state.status !== 'signed-in' || 'missing' in read) return;
  const { target } = read;
  const type = 'webauthn';
  if (methodFor(authenticatorsOf(state.user, context.ownerID)) !== type) return;
  const deps = approveDeps(client, state.user, { target, type });
  const made: Begun = { key: keyOf(deps, target), request: fetchApprovalRequest(deps, target), value: null };
  begun = made;
  made.value = await made.request.catch(() => null);
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
