import type { Probot } from 'probot';
import { makeCheckSelectable } from '../approvals/check-run/make-check-selectable.ts';
import { rerun } from './check-run.ts';
import type { BotDeps } from './ports.ts';

/**
 * `check_suite` events. GitHub creates a suite for us on each push, and its
 * webhook contains the default branch's newest commit.
 */
export function onCheckSuite(probot: Pick<Probot, 'on'>, deps: BotDeps): void {
  probot.on('check_suite.requested', async ({ payload: { installation, repository, check_suite } }) => {
    if (!installation || check_suite.head_branch !== repository.default_branch) return;
    const { id, name, owner, default_branch: defaultBranch } = repository;
    await makeCheckSelectable(
      deps,
      { id, name, owner: owner.login, installation: installation.id, defaultBranch },
      check_suite.head_sha,
    );
  });

  probot.on('check_suite.rerequested', ({ payload }) => rerun(deps, payload, payload.check_suite.head_sha));
}
