import type { Probot } from 'probot';
import { introduce } from '../approvals/introduce.ts';
import { trackRepository } from '../approvals/track.ts';
import type { BotDeps } from './ports.ts';

/** Pushes to the default branch: GitHub makes a suite for us, and with it says where the branch is. */
function onSuite(probot: Pick<Probot, 'on'>, deps: BotDeps): void {
  probot.on('check_suite.requested', async ({ payload: { installation, repository, check_suite } }) => {
    if (!installation || check_suite.head_branch !== repository.default_branch) return;
    const { id, name, owner } = repository;
    await introduce(
      deps,
      {
        id,
        name,
        owner: owner.login,
        installation: installation.id,
        defaultBranch: repository.default_branch,
      },
      check_suite.head_sha,
    );
  });
}

/** A repository that has another name or owner, or is back from the archive: its open pull requests are looked at. */
export function onRepository(probot: Pick<Probot, 'on'>, deps: BotDeps): void {
  onSuite(probot, deps);

  probot.on(
    ['repository.renamed', 'repository.transferred', 'repository.unarchived'],
    async ({ payload: { installation, repository } }) => {
      if (!installation) return;
      const { id, name, owner } = repository;
      await trackRepository(deps, { installation: installation.id, id, owner: owner.login, name });
    },
  );

  probot.on(['repository.deleted', 'repository.archived'], async ({ payload }) => {
    await deps.openPulls.forgetRepository(payload.repository.id);
  });
}
