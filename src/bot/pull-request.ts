import type { Probot } from 'probot';
import {
  type GitHubAccount,
  type GitHubPullRequest,
  toAssignees,
  toPullRequest,
} from '../adapters/github/pull-request-payload.ts';
import { syncToldPull } from '../approvals/check-run/new-head.ts';
import { notePush } from '../approvals/judge/note-push.ts';
import { noteAssignees } from '../approvals/judge/read-initiators.ts';
import { logUnapprovedMerge } from '../approvals/reconcile/log-unapproved-merge.ts';
import { removeClosedPulls, syncRepository } from '../approvals/reconcile/sync-open-pulls.ts';
import type { KnownRepository } from '../organizations/ports.ts';
import type { PullWebhookDeps } from './ports.ts';

/** The actions after which a head may have no run yet. */
const NEW_HEAD = ['opened', 'reopened', 'synchronize', 'ready_for_review'];

/** The actions whose head came by a push that no webhook was about. */
const UNSENT_PUSH = ['opened', 'reopened'];

/** The actions that are about assignees alone. The webhook of one that is lost is made up for by that of the other. */
const ASSIGNMENT = ['assigned', 'unassigned'];

/** What this file reads of a payload. */
type PullWebhook = {
  action: string;
  number: number;
  before: string;
  after: string;
  changes?: { base?: object };
  pull_request: GitHubPullRequest;
  /** The person whom `assigned` and `unassigned` are about. */
  assignee?: GitHubAccount | null;
  repository: { id: number; name: string; owner: { login: string } };
  installation?: { id: number };
  /** Null in GitHub's schema of some webhooks, if the account no longer exists. A push without a sender is nobody's. */
  sender?: { id: number; login: string; type: string } | null;
};

/** The names of all fields in it, at any depth. */
type NameIn<T> = T extends unknown[]
  ? NameIn<T[number]>
  : T extends object
    ? { [Name in keyof T]-?: Name | NameIn<T[Name]> }[keyof T]
    : never;

const NAMES: Record<NameIn<PullWebhook>, true> = {
  ...{ action: true, number: true, before: true, after: true, changes: true, pull_request: true },
  ...{ repository: true, installation: true, sender: true, owner: true, repo: true, user: true },
  ...{ id: true, login: true, name: true, type: true, slug: true, title: true, state: true },
  ...{ head: true, base: true, sha: true, ref: true, label: true, avatar_url: true, created_at: true },
  ...{ merged: true, merged_at: true, merged_by: true, merge_commit_sha: true },
  ...{ requested_reviewers: true, requested_teams: true, assignee: true, assignees: true },
  ...{ changed_files: true, additions: true, deletions: true },
};

/** The payload without what nothing here reads: of a burst, each waits in memory for its turn, and most of it is addresses. */
export const shortenPull = <T>(payload: T): T => JSON.parse(JSON.stringify(payload, Object.keys(NAMES))) as T;

/**
 * `pull_request` events: syncs the check run of the pull request's head. A pull
 * request that closes can let another one with the same head pass.
 */
export function onPullRequest(probot: Pick<Probot, 'on'>, deps: PullWebhookDeps): void {
  probot.on(
    [
      'pull_request.opened',
      'pull_request.reopened',
      'pull_request.synchronize',
      'pull_request.ready_for_review',
      'pull_request.edited',
      'pull_request.closed',
      'pull_request.review_requested',
      'pull_request.review_request_removed',
      'pull_request.assigned',
      'pull_request.unassigned',
    ],
    async (context) => {
      const payload = context.payload as PullWebhook;
      if (payload.action === 'edited' && !payload.changes?.base) return;
      const installation = payload.installation?.id;
      if (installation === undefined) return;
      const { id, name, owner } = payload.repository;
      const repo = { installation, id, owner: owner.login, name };
      const pull = toPullRequest(payload.pull_request);
      const noteAssigned = () => noteAssignees(deps, { pull, assignees: toAssignees(payload) });
      try {
        if (ASSIGNMENT.includes(payload.action) && !(await noteAssigned())) return;
        const noteHead = async () => {
          const { number: pr, head } = pull;
          if (payload.action === 'synchronize') {
            const { before, after, sender } = payload;
            await notePush(deps, { repoId: id, pr, before, after, by: toPusher(sender) });
          }
          if (!UNSENT_PUSH.includes(payload.action)) return;
          await deps.pushers.add({ repoId: id, pr, head, by: null });
          await noteAssigned();
        };
        const isNewHead = NEW_HEAD.includes(payload.action) && pull.open;
        const readPull = await syncToldPull(deps, { repo, pull, isNewHead, noteHead });
        if (!readPull) return retryLater(deps, repo);
        // The list can lag, but the webhook of a merge is always right.
        if (pull.merged) await logUnapprovedMerge(deps, pull);
        const stillOpen = readPull.open.filter(({ number }) => number !== pull.number);
        if (!readPull.pull.open) await removeClosedPulls(deps, repo, stillOpen);
      } catch (error) {
        retryLater(deps, repo);
        throw error;
      }
    },
  );
}

const toPusher = (sender: PullWebhook['sender']) =>
  sender ? { id: sender.id, login: sender.login, isMachine: sender.type === 'Bot' } : null;

function retryLater(deps: PullWebhookDeps, repo: KnownRepository): void {
  const onSyncFailed: PullWebhookDeps['onSyncFailed'] = (error, target) => {
    retryLater(deps, repo);
    deps.onSyncFailed(error, target);
  };
  deps.failedSyncs.set(`${repo.owner}/${repo.name}`, () => syncRepository({ ...deps, onSyncFailed }, repo));
}
