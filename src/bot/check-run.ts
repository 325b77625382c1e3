import type { Probot } from 'probot';
import { syncCheckRun } from '../approvals/check-run/head.ts';
import { makeCheckSelectable } from '../approvals/check-run/make-check-selectable.ts';
import { readRun } from '../approvals/check-run/run.ts';
import { syncMergeGroup } from '../approvals/merge-queue/merge-group.ts';
import type { HeadRef } from '../approvals/ports.ts';
import type { BotDeps } from './deps.ts';

/**
 * `check_run` and `check_suite` events. GitHub creates a suite for us on each push, and its
 * webhook contains the default branch's newest commit and the one before the push.
 */
export function onCheckRun(probot: Pick<Probot, 'on'>, deps: BotDeps): void {
  probot.on('check_run.rerequested', ({ payload }) => rerun(deps, payload, payload.check_run.head_sha));

  probot.on('check_suite.requested', async ({ payload: { installation, repository, check_suite } }) => {
    if (!installation || check_suite.head_branch !== repository.default_branch) return;
    const { id, name, owner, default_branch: defaultBranch } = repository;
    const { before, head_sha: tip } = check_suite;
    // The run that completes as cancelled would make the newest commit look as if something failed there.
    const commit = before && !/^0+$/.test(before) ? before : tip;
    await makeCheckSelectable(
      deps,
      { id, name, owner: owner.login, installation: installation.id, defaultBranch },
      commit,
    );
  });

  probot.on('check_suite.rerequested', ({ payload }) => rerun(deps, payload, payload.check_suite.head_sha));
}

type Requested = {
  installation?: { id: number } | undefined;
  repository: { id: number; name: string; owner: { login: string } };
};

/**
 * Answers a requested re-run: GitHub no longer shows the old run, so the stored
 * verdict is shown again in a new one. Nothing is granted or cleared by it.
 * GitHub names no pull requests if the head is a fork's, so only the head counts.
 */
async function rerun(deps: BotDeps, { installation, repository }: Requested, head: string): Promise<void> {
  if (!installation) return;
  const repo = { installation: installation.id, owner: repository.owner.login, name: repository.name };
  const headRef: HeadRef = { repo, repoId: repository.id, head };
  const run = await readRun(deps, headRef);
  const options = { replaceAttempt: run?.attempt };
  const { pulls } = await syncCheckRun(deps, headRef, {}, options);
  if (pulls.length > 0) return;
  const group = await deps.mergeGroups.find(headRef.repoId, head);
  if (group) await syncMergeGroup(deps, repo, group, options);
}
