import { useEffect, useState } from 'react';
import type { ApprovalParamsAnswer } from '../../../../src/contract/approvals.ts';
import { useClient, usePageContext } from '../../lib/react/use-client.ts';
import { readAccessToken } from '../../lib/session/local-store.ts';
import { readLivePull } from './after-conflict.ts';
import {
  type ApprovalRequest,
  fetchApprovalRequest,
  fetchShown,
  type RequestDeps,
} from './approval-request.ts';
import type { ApprovalTarget } from './approval-target.ts';
import { looksTheSameButFiles } from './approve.ts';
import type { Problem } from './problem.ts';
import { type Approval, viewOf } from './view-of.ts';

export const CHANGED: Problem = {
  text: 'Something about this pull request changed while the page was open. Look at it, then approve again.',
  next: { kind: 'approve' },
};

type Current = { deps: RequestDeps; target: ApprovalTarget; amend: Amend };
type Amend = (shown: ApprovalRequest, next: Partial<Approval>) => void;

/** GitHub lists no more. */
const MOST_LISTED = 3_000;

/**
 * Asks for every changed file if the first answer doesn't have them all. The new answer, whose statement covers the list,
 * takes the place of the first one unless the person is signing that; a failure changes nothing. Returns whether it's
 * asking.
 */
export function useWholeList(approval: Approval, { deps, target, amend }: Current): boolean {
  const { request, answer } = approval;
  const [unlisted, setUnlisted] = useState<ApprovalRequest | null>(null);
  const { page } = viewOf(approval);
  const isOpen = page === 'form' || answer !== null;
  const isWanted = request !== null && isOpen && lacksFiles(request);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks once for each answer.
  useEffect(() => {
    if (!isWanted) return;
    const left = new AbortController();
    fetchApprovalRequest(deps, target, left.signal, 'all').then(
      (whole) => {
        const isSame = looksTheSameButFiles(whole, request);
        if (isSame && !whole.files) setUnlisted(request);
        else amend(request, isSame ? { request: whole } : { request: whole, problem: CHANGED });
      },
      () => left.signal.aborted || setUnlisted(request),
    );
    return () => left.abort();
  }, [request, isOpen]);
  return isWanted && unlisted !== request;
}

function lacksFiles({ asked, files, pull: { size } }: ApprovalRequest): boolean {
  const total = files?.total ?? size?.files ?? 0;
  return !asked && !files?.isComplete && total <= MOST_LISTED;
}

/** At most twice a minute; a person's own share of requests to GitHub is 5,000 an hour. */
const READ_MS = 30_000;
/** Browsers report a return to the window more than once. */
const FRESH_MS = 5_000;

/**
 * Says that the pull request has a new commit as soon as GitHub shows one: when the person comes back to the window, and
 * every 30 seconds while it's visible. When they come back, it also asks the server whether the commit was approved
 * or denied since, by themselves in another tab or by others, so that nobody decides without knowing that.
 */
export function useChanges(approval: Approval, { deps, target, amend }: Current): void {
  const { request, problem, answer } = approval;
  const { config, local, now } = useClient();
  const context = usePageContext();
  const isOver = answer !== null || problem?.next.kind === 'new-head';
  const { page } = viewOf(approval);
  const isStanding = page !== 'merged' && page !== 'closed' && !approval.isWithdrawn;
  useEffect(() => {
    if (!request || isOver) return;
    let isLeft = false;
    let readAt = Number.NEGATIVE_INFINITY;
    const readHead = async (isBack: boolean) => {
      const token = readAccessToken(local, now());
      if (document.visibilityState !== 'visible' || !token || now() - readAt < FRESH_MS) return;
      readAt = now();
      const live = await readLivePull(config, token, context);
      if (isLeft) return;
      if (live?.open && live.head !== request.statement.head) {
        return amend(request, {
          problem: {
            text: 'This pull request has a new commit. Look at it, then approve it.',
            next: { kind: 'new-head', head: live.head },
          },
        });
      }
      const shown = isBack && isStanding ? await fetchShown(deps, target).catch(() => null) : null;
      if (isLeft || !shown || decidedIn(shown) === decidedIn(request)) return;
      const { yourApproval, passed, needs, rules, denials, story } = shown;
      const decided = { yourApproval, passed, needs, rules, denials, story };
      amend(request, { request: { ...request, ...decided }, problem: null });
    };
    const onReturn = () => void readHead(true);
    const timer = setInterval(() => void readHead(false), READ_MS);
    window.addEventListener('focus', onReturn);
    document.addEventListener('visibilitychange', onReturn);
    return () => {
      isLeft = true;
      clearInterval(timer);
      window.removeEventListener('focus', onReturn);
      document.removeEventListener('visibilitychange', onReturn);
    };
  }, [config, local, now, context, request, isOver, isStanding, deps, target, amend]);
}

/** What people decided about the commit, to compare: whether it passes, and who denied it. */
const decidedIn = ({ yourApproval, passed, denials }: ApprovalParamsAnswer) =>
  JSON.stringify([yourApproval, passed, denials.map(({ id }) => id)]);
