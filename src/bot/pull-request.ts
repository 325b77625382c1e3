import type { Probot } from 'probot';
import { type GitHubPullRequest, toPullRequest } from '../adapters/github/pull-request-payload.ts';
import { createFirstRun, decideAlike, replacePull, syncCheckRun } from '../approvals/check-run/head.ts';
import { notePush } from '../approvals/judge/note-push.ts';
import type { PullRequest } from '../approvals/ports.ts';
import { logUnapprovedMerge } from '../approvals/reconcile/log-unapproved-merge.ts';
import { removeClosedPulls, syncRepository } from '../approvals/reconcile/sync-open-pulls.ts';
import type { KnownRepository } from '../organizations/ports.ts';
import type { PullWebhookDeps } from './ports.ts';

/** The actions after which a head may have no run yet. */
const NEW_HEAD = ['opened', 'reopened', 'synchronize', 'ready_for_review'];

/** The actions whose head came by a push that no webhook was about. */
const UNSENT_PUSH = ['opened', 'reopened'];

/**
 * The turns of an installation's webhooks: first each is looked at, which is quick. A head that has a run may show a
 * success, which must not stay while new heads wait for GitHub's limits. In a burst, all new heads get their first run
 * before any of them is compared with GitHub's list.
 */
const TURNS = {
  look: { queue: 'look', priority: 0 },
  known: { queue: 'known', priority: 0 },
  firstRun: { queue: 'new', priority: 1 },
  comparison: { queue: 'new', priority: 0 },
};

/** What this file reads of a payload. */
type PullWebhook = {
  action: string;
  number: number;
  before: string;
  after: string;
  changes?: { base?: object };
  pull_request: GitHubPullRequest;
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
  ...{ requested_reviewers: true, requested_teams: true },
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
    ],
    async (context) => {
      const payload = context.payload as PullWebhook;
      if (payload.action === 'edited' && !payload.changes?.base) return;
      const installation = payload.installation?.id;
      if (installation === undefined) return;
      const { id, name, owner } = payload.repository;
      const repo = { installation, id, owner: owner.login, name };
      const fromWebhook = toPullRequest(payload.pull_request);
      try {
        const noteHead = async () => {
          const { number: pr, head } = fromWebhook;
          if (payload.action === 'synchronize') {
            const { before, after, sender } = payload;
            await notePush(deps, { repoId: id, pr, before, after, by: toPusher(sender) });
          }
          if (UNSENT_PUSH.includes(payload.action))
            await deps.pushers.add({ repoId: id, pr, head, by: null });
        };
        const isNewHead = NEW_HEAD.includes(payload.action) && fromWebhook.open;
        if (!(await syncPull(deps, { repo, fromWebhook, isNewHead, noteHead }))) retryLater(deps, repo);
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

type Webhook = {
  repo: KnownRepository;
  fromWebhook: PullRequest;
  isNewHead: boolean;
  /** Stores who pushed, which the sync may ask: GitHub's API doesn't tell. */
  noteHead(): Promise<void>;
};

/** False if the installation can't see the repository now. */
async function syncPull(deps: PullWebhookDeps, webhook: Webhook): Promise<boolean> {
  const { repo, fromWebhook, isNewHead, noteHead } = webhook;
  const at = { repo, repoId: repo.id, head: fromWebhook.head };
  const inTurn = <T>(turn: keyof typeof TURNS, work: () => Promise<T>) =>
    deps.headTurns.add(`${repo.installation} ${TURNS[turn].queue}`, work, TURNS[turn].priority);
  const [run] = await inTurn('look', () =>
    Promise.all([isNewHead ? deps.checkRunRecords.latest(repo.id, at.head) : null, noteHead()]),
  );
  if (!isNewHead || run) return inTurn('known', () => syncListed(deps, webhook, false));
  const created = await inTurn('firstRun', () => createFirstRun(deps, at, fromWebhook)).catch(
    (error: unknown) => ({ error }),
  );
  return inTurn(created === true ? 'comparison' : 'known', () => syncListed(deps, webhook, created));
}

/** Throws what kept the first run from being created, once GitHub shows that the repository is still there. */
async function syncListed(
  deps: PullWebhookDeps,
  { repo, fromWebhook }: Webhook,
  created: boolean | { error: unknown },
): Promise<boolean> {
  const listed = await deps.pulls.listOpen(repo);
  if (!listed) return false;
  if (typeof created === 'object') throw created.error;
  const pull = await newestOf(deps, repo, { listed, fromWebhook });
  const at = { repo, repoId: repo.id, head: pull.head };
  await syncCheckRun(deps, at, { pulls: replacePull(listed, pull) });
  // The list can lag, but the webhook of a merge is always right.
  if (fromWebhook.merged) await logUnapprovedMerge(deps, fromWebhook);
  if (!pull.open) {
    const stillOpen = listed.filter(({ number }) => number !== pull.number);
    await removeClosedPulls(deps, repo, stillOpen);
  }
  return true;
}

/** GitHub's lists can lag behind its webhooks, and its webhooks can be late: if they differ, reads the pull request. */
async function newestOf(
  deps: PullWebhookDeps,
  repo: KnownRepository,
  { listed, fromWebhook }: { listed: PullRequest[]; fromWebhook: PullRequest },
): Promise<PullRequest> {
  const inList = listed.find(({ number }) => number === fromWebhook.number);
  if (!inList && !fromWebhook.open) return fromWebhook;
  if (inList && decideAlike(inList, fromWebhook) && haveSameReviewers(inList, fromWebhook)) return inList;
  return (await deps.pulls.get(repo, fromWebhook.number)) ?? fromWebhook;
}

function haveSameReviewers({ reviewers: one }: PullRequest, { reviewers: other }: PullRequest): boolean {
  if (!one || !other) return true;
  const namesOf = ({ people, teams }: typeof one) => JSON.stringify([...people, ...teams].map(String).sort());
  return namesOf(one) === namesOf(other);
}
