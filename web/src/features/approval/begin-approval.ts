import { readPageContext } from '../../lib/address/page-context.ts';
import type { Client } from '../../lib/session/client.ts';
import { authenticatorsOf } from '../../lib/session/user.ts';
import { methodFor } from '../../lib/signing/method-for.ts';
import { signDeps } from '../../lib/signing/sign-shown.ts';
import { type ApprovalRequest, fetchApprovalRequest, type RequestDeps } from './approval-request.ts';
import { type ApprovalTarget, readApprovalTarget } from './approval-target.ts';
import { approveDeps } from './approve.ts';

/** A request that was made before the page rendered, for one person and commit. */
export type Begun = {
  /** The pull request's title, once it's answered; a failure is for the page, which takes the request over. */
  title: Promise<string | undefined>;
  /** The answer, if it's there and for the same. */
  answerFor(deps: RequestDeps, target: ApprovalTarget): ApprovalRequest | null;
  /** The request, if it's for the same; then it's used up. */
  take(deps: RequestDeps, target: ApprovalTarget): Promise<ApprovalRequest> | null;
};

/**
 * Makes an approval page's request while the page's code loads, so that the first render shows the pull request. Null if
 * it isn't an approval page. `/collect` decides by the refreshed session. That is nearly always what the stored one says.
 * If it isn't, the answer isn't used.
 */
export function beginApproval(client: Client, pathname: string, search: string): Begun | null {
  const state = client.session.getState();
  const context = readPageContext(search);
  const target = readApprovalTarget(context);
  if (state.status !== 'signed-in' || !target) return null;
  const own = methodFor(authenticatorsOf(state.user, context.ownerID));
  const methods = new Map([
    ['/collect', own],
    ['/collect-passkey', 'webauthn' as const],
    ['/collect-totp', 'totp' as const],
  ]);
  const type = methods.get(pathname);
  if (!type) return null;
  const deps = approveDeps(signDeps(client, state.user), target, type);
  const request = fetchApprovalRequest(deps, target);
  let answer: ApprovalRequest | null = null;
  let isTaken = false;
  const isFor = (...same: [RequestDeps, ApprovalTarget]) =>
    !isTaken && keyOf(...same) === keyOf(deps, target);
  return {
    title: request.then(
      (value) => {
        answer = value;
        return value.pull.title;
      },
      () => undefined,
    ),
    answerFor: (...same) => (isFor(...same) ? answer : null),
    take(...same) {
      const taken = isFor(...same) ? request : null;
      isTaken = true;
      return taken;
    },
  };
}

const keyOf = ({ type, screen }: RequestDeps, target: ApprovalTarget) =>
  JSON.stringify([type, screen, target]);
