import type { ApprovalAnswer, ApprovalParamsAnswer } from '../../../../src/contract/approvals.ts';
import type { SentAssertion } from '../../../../src/contract/fields.ts';
import { codeOf } from '../../lib/api/api-client.ts';
import { type OnScreen, refuseStatement, sameName } from '../../lib/signing/check-statement.ts';
import { type PageDeps, type Signable, StatementRefused } from '../../lib/signing/sign-shown.ts';
import type { ApprovalTarget } from './approval-target.ts';

/** The challenge to sign, and the facts about it that the page shows. */
export type ApprovalRequest = Signable<ApprovalParamsAnswer> & {
  /** The files that the server was asked for: `all`; `soon`: all if it has them soon; undefined: the first ones. */
  asked: 'all' | 'soon' | undefined;
};

export type RequestDeps = Omit<PageDeps<OnScreen>, 'sign'> & {
  /** The method that the person approves with. */
  type: 'webauthn' | 'totp';
};

/** The pull request has another address now. The page has to show that one before anything is signed. */
export class PullMoved extends Error {
  readonly address: Address;
  constructor(address: Address) {
    super('the pull request moved');
    this.address = address;
  }
}

/**
 * Requests the facts of the pull request that a person without an authenticator may see; with `show-code`, in a browser
 * that can only do one-time codes. Rejects with an `ApiError`.
 */
export const fetchShown = (
  { api, accessToken }: Pick<RequestDeps, 'api' | 'accessToken'>,
  target: ApprovalTarget,
  type: 'show' | 'show-code' = 'show',
): Promise<ApprovalParamsAnswer> =>
  api.post('/github-check-webauthn-params', { ...target, type, accessToken: accessToken() });

/** Requests a challenge for one commit. Rejects with an `ApiError`, `PullMoved` or `StatementRefused`. */
export async function fetchApprovalRequest(
  deps: RequestDeps,
  target: ApprovalTarget,
  signal?: AbortSignal,
  asked?: ApprovalRequest['asked'],
): Promise<ApprovalRequest> {
  const requestedAt = deps.now();
  const body = { type: deps.type, ...target, files: asked, accessToken: deps.accessToken() };
  const answer = await deps.api
    .post('/github-check-webauthn-params', body, signal)
    .catch((error: unknown) => throwIfMoved(deps, target, error));
  const move = readMove(target, answer);
  if (move) throw new PullMoved(move);
  await checkApprovalRequest(deps, answer);
  return { ...answer, requestedAt, asked };
}

/** The authenticator may be missing only because the pull request is in another organization now. */
async function throwIfMoved(deps: RequestDeps, target: ApprovalTarget, error: unknown): Promise<never> {
  const isMissing = codeOf(error) === 'missingAuthenticator';
  const shown = isMissing && (await fetchShown(deps, target).catch(() => null));
  const move = shown && readMove(target, shown);
  throw move ? new PullMoved(move) : error;
}

/** Rejects with `StatementRefused`. Checks `options.challenge`, because that's what the authenticator signs. */
export async function checkApprovalRequest(
  { screen }: Pick<RequestDeps, 'screen'>,
  answer: ApprovalParamsAnswer,
) {
  const refusal = await refuseStatement(
    answer.options.challenge,
    answer.statement,
    screen,
    answer.files ?? null,
  );
  if (refusal) throw new StatementRefused(refusal);
}

/** Sends the signature. Rejects with an `ApiError`; nothing is approved then. */
export function sendApproval(
  deps: RequestDeps,
  target: ApprovalTarget,
  authResponse: SentAssertion,
): Promise<ApprovalAnswer> {
  return deps.api.post('/github-check-webauthn', {
    params: target,
    authResponse,
    accessToken: deps.accessToken(),
  });
}

/** The parts of the address that a rename, a transfer or a new installation changes. */
export type Address = Pick<ApprovalTarget, 'installation' | 'owner' | 'ownerID' | 'repo'> & {
  repoID: string;
};

/** The current place of the pull request, by the server; null if that's where the page looked for it. */
export function readMove(target: ApprovalTarget, { target: now }: ApprovalParamsAnswer): Address | null {
  const isSame =
    sameName(`${target.owner}/${target.repo}`, `${now.owner}/${now.repo}`) &&
    Number(target.ownerID) === now.ownerID;
  if (isSame) return null;
  return {
    installation: String(now.installation),
    owner: now.owner,
    ownerID: String(now.ownerID),
    repo: now.repo,
    repoID: String(now.repoID),
  };
}
