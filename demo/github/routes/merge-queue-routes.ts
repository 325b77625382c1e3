import { type Request, type RequestHandler, Router } from 'express';
import { jsonBodyOf, readBody } from '../forward.ts';
import type { Pull } from '../github-objects.ts';
import { requireAdmin } from '../require-caller.ts';
import { refuse } from '../responses.ts';
import type { RouteDeps } from '../route-deps.ts';

type Person = { name: string; email: string; date: string };
type GitCommit = {
  sha: string;
  tree: { sha: string };
  message: string;
  author: Person;
  committer: Person;
};

/** A merge group as the webhook has it. */
type MergeGroup = {
  head_sha: string;
  head_ref: string;
  base_sha: string;
  base_ref: string;
  head_commit: object;
};

/** GitHub's sender of every merge queue event. */
const SENDER = { login: 'github-merge-queue[bot]', id: 118344674, type: 'Bot', site_admin: false };

const headCommitOf = ({ sha, tree, message, author, committer }: GitCommit) => ({
  id: sha,
  tree_id: tree.sha,
  message,
  timestamp: committer.date,
  author: { name: author.name, email: author.email },
  committer: { name: committer.name, email: committer.email },
});

/**
 * The merge queue, which the emulator lacks (GitHub: "Webhook events and payloads", merge_group).
 * `POST /_local/merge-queue/{owner}/{repo}` with `{ pull_number }` merges the base and the head of the pull request on
 * a branch of the queue, and sends `checks_requested`. A group is built on the group before it, or on the tip of the
 * branch. `DELETE` with `{ pull_number, reason }` removes that branch and sends `destroyed`. With the reason `merged` the
 * base branch moves to the group; with any other, the groups built on it are invalidated.
 */
export function mergeQueueRoutes({ emulator, webhooks }: RouteDeps): Router {
  const router = Router();
  const groups = new Map<string, { group: MergeGroup; pull: Pull }>();

  const readPull = (req: Request) => {
    const { owner, repo } = req.params;
    return emulator.get<Pull>(`/repos/${owner}/${repo}/pulls/${Number(jsonBodyOf(req).pull_number)}`);
  };
  const keyOf = ({ base, number }: Pull) => `${base.repo.id}#${number}`;
  const sendWebhook = async (pull: Pull, action: string, merge_group: MergeGroup, more: object = {}) => {
    const repository = await emulator.get(`/repos/${pull.base.repo.full_name}`);
    const payload = { action, merge_group, ...more, repository, sender: SENDER };
    webhooks.send(pull.base.repo.owner.login, { name: 'merge_group', payload });
  };

  /** The head of the newest group in the queue of the pull request's base branch. */
  const lastHeadFor = ({ base }: Pull) =>
    [...groups.values()].findLast(
      ({ group, pull }) => pull.base.repo.id === base.repo.id && group.base_ref === `refs/heads/${base.ref}`,
    )?.group.head_sha;

  const createGroup = async (pull: Pull): Promise<MergeGroup | string> => {
    const path = `/repos/${pull.base.repo.full_name}/git`;
    const base = await emulator.get<{ object: { sha: string } }>(`${path}/ref/heads/${pull.base.ref}`);
    const head = await emulator.get<GitCommit>(`${path}/commits/${pull.head.sha}`);
    if (!base || !head) return 'The base branch or the head does not exist.';
    const [baseSha, headSha] = [lastHeadFor(pull) ?? base.object.sha, head.sha];
    const message = `Merge pull request #${pull.number} from ${pull.head.ref}\n\n${pull.title}`;
    const body = { message, tree: head.tree.sha, parents: [baseSha, headSha] };
    const created = await emulator.send({ method: 'POST', path: `${path}/commits`, body });
    const commit = created.json as GitCommit;
    const ref = `refs/heads/gh-readonly-queue/${pull.base.ref}/pr-${pull.number}-${baseSha}`;
    if (groups.has(keyOf(pull))) return 'This pull request is already in the queue.';
    const branch = await emulator.send({
      method: 'POST',
      path: `${path}/refs`,
      body: { ref, sha: commit.sha },
    });
    if (branch.status !== 201) return 'This pull request is already in the queue.';
    return {
      head_sha: commit.sha,
      head_ref: ref,
      base_sha: baseSha,
      base_ref: `refs/heads/${pull.base.ref}`,
      head_commit: headCommitOf(commit),
    };
  };

  const enqueue: RequestHandler = async (req, res) => {
    const pull = await readPull(req);
    if (pull?.state !== 'open') {
      refuse(res, pull ? 422 : 404, pull ? 'Pull request is not open.' : 'Not Found');
      return;
    }
    const group = await createGroup(pull);
    if (typeof group === 'string') {
      refuse(res, 422, group);
      return;
    }
    groups.set(keyOf(pull), { group, pull });
    await sendWebhook(pull, 'checks_requested', group);
    res.status(201).json(group);
  };

  /** Removes the group, and each group that is built on it, unless it was merged. */
  const remove = async (key: string, reason: string): Promise<void> => {
    const found = groups.get(key);
    if (!found) return;
    const { group, pull } = found;
    groups.delete(key);
    const path = `/repos/${pull.base.repo.full_name}/git/${group.head_ref}`;
    await emulator.send({ method: 'DELETE', path });
    await sendWebhook(pull, 'destroyed', group, { reason });
    if (reason === 'merged') return;
    for (const [next, { group: later }] of groups) {
      if (later.base_sha === group.head_sha) await remove(next, 'invalidated');
    }
  };

  const destroy: RequestHandler = async (req, res) => {
    const pull = await readPull(req);
    const found = pull && groups.get(keyOf(pull));
    if (!pull || !found) {
      refuse(res, 404, 'Not Found');
      return;
    }
    const { reason = 'dequeued' } = jsonBodyOf(req);
    const { head_sha: sha, base_ref: ref } = found.group;
    const path = `/repos/${pull.base.repo.full_name}/git/${ref}`;
    if (reason === 'merged') await emulator.send({ method: 'PATCH', path, body: { sha } });
    await remove(keyOf(pull), String(reason));
    res.status(204).end();
  };

  const path = '/_local/merge-queue/:owner/:repo';
  router.post(path, requireAdmin, readBody, enqueue);
  router.delete(path, requireAdmin, readBody, destroy);
  return router;
}
