import type { ApprovalTarget } from '../../../../src/contract/approvals.ts';
import type { InboxPull } from '../../../../src/contract/inbox.ts';
import type { MOST_IN_BATCH } from '../../../../src/contract/statement.ts';

/** Typed by the contract instead of imported from it, which would load its library. */
export const MOST: typeof MOST_IN_BATCH = 20;

/** The pull requests of one organization that a person chose to approve together, in the order of the inbox. */
export type BatchChoice = { org: { id: number; name: string }; items: ChosenPull[] };

type ChosenPull = ApprovalTarget & { repoID: number };

/** The key of the choice in the tab (`useTabState`): a query would let a link choose. */
export const batchKey = (userId: string, orgID: number | string) => `approve-batch:${userId}:${orgID}`;

/** All pulls have to be of this organization. */
export const choiceOf = ({ id, name }: InboxPull['org'], pulls: InboxPull[]): BatchChoice => ({
  org: { id, name },
  items: pulls.slice(0, MOST).map(({ org, repo, repoID, pr, head }) => ({
    installation: org.installation,
    owner: org.name,
    ownerID: org.id,
    repo,
    repoID,
    pr,
    head,
  })),
});
