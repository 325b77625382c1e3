import type { Probot } from 'probot';
import { syncMergeGroup } from '../approvals/merge-queue/merge-group.ts';
import type { BotDeps } from './deps.ts';

/** `refs/heads/gh-readonly-queue/<base branch>/pr-<number>-<commit that it is built on>` */
const QUEUE_REF = /^refs\/heads\/gh-readonly-queue\/.+\/pr-([1-9][0-9]*)-[0-9a-f]{40,64}$/;

/** `merge_group` events: a merge queue asks whether a group may merge, or removes a group. */
export function onMergeGroup(probot: Pick<Probot, 'on'>, deps: BotDeps): void {
  probot.on('merge_group.checks_requested', async ({ payload }) => {
    const { installation, repository, merge_group: group } = payload;
    if (!installation || !repository) return;
    const repo = { installation: installation.id, owner: repository.owner.login, name: repository.name };
    await syncMergeGroup(deps, repo, {
      repoId: repository.id,
      head: group.head_sha,
      baseSha: group.base_sha,
      base: group.base_ref.replace(/^refs\/heads\//, ''),
      // A ref of another form names no pull request: 0 makes the group fail with that reason.
      pr: Number(QUEUE_REF.exec(group.head_ref)?.[1] ?? 0),
    });
  });
  // GitHub no longer waits for this commit's check, whether it merged the group or not.
  probot.on('merge_group.destroyed', async ({ payload }) => {
    const { repository, merge_group: group } = payload;
    if (repository) await deps.mergeGroups.finish(repository.id, group.head_sha);
  });
}
