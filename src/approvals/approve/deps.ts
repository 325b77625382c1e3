import type { AuthenticatorDeps } from '../../authenticators/deps.ts';
import type { HeadDeps } from '../deps.ts';
import type { HeadRef } from '../ports.ts';
import type { CommitTrees, HeadCommits } from './ports.ts';

/** Everything that it takes to approve. */
export type ApproveDeps = HeadDeps &
  AuthenticatorDeps & {
    /** Repairs the head's check run in the background, if it is missing or wrong. */
    recheckRun(headRef: HeadRef): void;
    /** Called if the approval is stored and GitHub can't be updated yet, or not be looked at again. */
    onDelay(error: unknown): void;
    /** Called with work that continues after the answer. A process that ends finishes it. */
    onUnfinished(work: Promise<unknown>): void;
    /** Called if an approval of a batch wasn't stored after the assertion was used up. */
    onNotStored(error: unknown): void;
  };

/** All that the calls about approvals take. */
export type ApprovalCallDeps = ApproveDeps & { headCommits: HeadCommits; commitTrees: CommitTrees };
