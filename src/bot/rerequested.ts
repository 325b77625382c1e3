import type { Probot } from 'probot';
import type { HeadRef } from '../approvals/ensure-run.ts';
import { reportMergeGroup } from '../approvals/merge-group.ts';
import { reportHead } from '../approvals/report.ts';
import type { BotDeps } from './ports.ts';

/**
 * Somebody asked for a re-run, and GitHub took the old run off the page. The
 * stored verdict is shown again, in a new run: nothing is granted by it, and
 * nothing cleared. GitHub names no pull requests where the head is a fork's, so
 * the head alone is what counts.
 */
export function onRerequested(probot: Pick<Probot, 'on'>, deps: BotDeps): void {
  type Asked = {
    installation?: { id: number } | undefined;
    repository: { id: number; name: string; owner: { login: string } };
  };
  const restore = async ({ installation, repository }: Asked, head: string) => {
    if (!installation) return;
    const repo = { installation: installation.id, owner: repository.owner.login, name: repository.name };
    const at: HeadRef = { repo, repoId: repository.id, head };
    const { standings } = await reportHead(deps, at, undefined, { renew: true });
    if (standings.length > 0) return;
    const group = await deps.mergeGroups.find(at.repoId, head);
    if (group) await reportMergeGroup(deps, repo, group, { renew: true });
  };

  probot.on('check_run.rerequested', ({ payload }) => restore(payload, payload.check_run.head_sha));
  probot.on('check_suite.rerequested', ({ payload }) => restore(payload, payload.check_suite.head_sha));
}
