import type { Probot } from 'probot';
import { makeCheckSelectable } from '../approvals/check-run/make-check-selectable.ts';
import { rerun } from './check-run.ts';
import type { BotDeps } from './ports.ts';

/**
 * `check_suite` events. GitHub creates a suite for us on each push, and its
 * webhook contains the default branch's newest commit and the one before the push.
 */
export function onCheckSuite(probot: Pick<Probot, 'on'>, deps: BotDeps): void {
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
