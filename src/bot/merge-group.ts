import type { Probot } from 'probot';
import { reportMergeGroup } from '../approvals/merge-group.ts';
import type { BotDeps } from './ports.ts';

/** `refs/heads/gh-readonly-queue/<base branch>/pr-<number>-<commit that it is built on>` */
const QUEUE_REF = /^refs\/heads\/gh-readonly-queue\/.+\/pr-([1-9][0-9]*)-[0-9a-f]{40,64}$/;

/** Answers a merge queue that asks whether a group may merge. */
export function onMergeGroup(probot: Pick<Probot, 'on'>, deps: BotDeps): void {
  probot.on('merge_group.checks_requested', async ({ payload }) => {
    const { installation, repository, merge_group: group } = payload;
    if (!installation || !repository) return;
    const repo = { installation: installation.id, owner: repository.owner.login, name: repository.name };
    await reportMergeGroup(deps, repo, {
      repoId: repository.id,
      head: group.head_sha,
      baseSha: group.base_sha,
      base: group.base_ref.replace(/^refs\/heads\//, ''),
      // A name of another form is of no pull request that we could look for, and fails with that reason.
      pr: Number(QUEUE_REF.exec(group.head_ref)?.[1] ?? 0),
    });
  });
}
