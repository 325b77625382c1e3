import type { Probot } from 'probot';
import { trackRepository } from '../approvals/track.ts';
import type { BotDeps } from './ports.ts';

/** A repository that has another name or owner, or is back from the archive: its open pull requests are looked at. */
export function onRepository(probot: Pick<Probot, 'on'>, deps: BotDeps): void {
  probot.on(
    ['repository.renamed', 'repository.transferred', 'repository.unarchived'],
    async ({ payload: { installation, repository } }) => {
      if (!installation) return;
      const { id, name, owner } = repository;
      await trackRepository(deps, { installation: installation.id, id, owner: owner.login, name });
    },
  );

  probot.on(['repository.deleted', 'repository.archived'], async ({ payload }) => {
    await deps.openPulls.keepOnly(payload.repository.id, []);
  });
}
