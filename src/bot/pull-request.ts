import type { Probot } from 'probot';
import { type GitHubPullRequest, toPullRequest } from '../approvals/github-pull-request.ts';
import type { PullRequest } from '../approvals/ports.ts';
import { reportHead } from '../approvals/report.ts';
import { forgetClosed, type KnownRepository, trackRepository } from '../approvals/track.ts';
import { alarmIfUnapproved } from '../approvals/unapproved-merge.ts';
import { withPull } from '../approvals/with-pull.ts';
import type { BotDeps } from './ports.ts';

/**
 * Gives the head of a pull request its run: pending, or as approved as it is.
 * A pull request that closes can free another one with the same head.
 */
export function onPullRequest(probot: Pick<Probot, 'on'>, deps: BotDeps): void {
  probot.on(
    [
      'pull_request.opened',
      'pull_request.reopened',
      'pull_request.synchronize',
      'pull_request.ready_for_review',
      'pull_request.edited',
      'pull_request.closed',
    ],
    async ({ payload }) => {
      if (payload.action === 'edited' && !payload.changes.base) return;
      const installation = payload.installation?.id;
      if (installation === undefined) return;
      const { repository } = payload;
      const repo = {
        installation,
        id: repository.id,
        owner: repository.owner.login,
        name: repository.name,
      };
      const told = toPullRequest(payload.pull_request as GitHubPullRequest);
      try {
        if (await isShown(deps, repo, told)) return;
      } catch (error) {
        owe(deps, repo);
        throw error;
      }
      owe(deps, repo);
    },
  );
}

function owe(deps: BotDeps, repo: KnownRepository): void {
  const onFault: BotDeps['onFault'] = (error, at) => {
    owe(deps, repo);
    deps.onFault(error, at);
  };
  deps.owed.set(`${repo.owner}/${repo.name}`, () => trackRepository({ ...deps, onFault }, repo));
}

/** False where the installation cannot see the repository at this moment. */
async function isShown(deps: BotDeps, repo: KnownRepository, told: PullRequest): Promise<boolean> {
  const open = await deps.pulls.listOpen(repo);
  if (!open) return false;
  const listed = open.find(({ number }) => number === told.number);
  // GitHub's lists can lag behind its webhooks, and webhooks behind GitHub: where the two differ, ask.
  const isNews = listed !== undefined && listed.head !== told.head;
  const now = (isNews ? await deps.pulls.get(repo, told.number) : listed) ?? told;
  await reportHead(deps, { repo, repoId: repo.id, head: now.head }, { pulls: withPull(open, now) });
  // A list can lag: what the webhook says of the end is so.
  if (told.merged) await alarmIfUnapproved(deps, told);
  if (!now.open) {
    await forgetClosed(
      deps,
      repo,
      open.filter(({ number }) => number !== now.number),
    );
  }
  return true;
}
