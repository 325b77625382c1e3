import type { Config } from '../../lib/address/config.ts';
import type { PullLocator } from '../../lib/address/github.ts';
import type { ApprovalTarget } from './approval-target.ts';

type AfterConflict = { kind: 'back-to-pull' | 'reload' } | { kind: 'new-head'; head: string };

/** The head changed, maybe more than once or back again, so this reads which one it is now. */
export async function afterConflict(
  { config, accessToken }: { config: Config; accessToken: () => string },
  target: ApprovalTarget,
): Promise<AfterConflict> {
  const live = await readLivePull(config, accessToken(), target);
  if (!live?.open) return { kind: 'back-to-pull' };
  return live.head === target.head ? { kind: 'reload' } : { kind: 'new-head', head: live.head };
}

/** A pull request's current state on GitHub. */
type LivePull = { head: string; open: boolean };

/** Reads the pull request from GitHub with the person's token; null if GitHub doesn't answer or refuses. */
export async function readLivePull(
  config: Config,
  accessToken: string,
  { owner, repo, pr }: PullLocator,
): Promise<LivePull | null> {
  const path = [owner, repo, 'pulls', pr].map(encodeURIComponent).join('/');
  try {
    // https://docs.github.com/en/rest/pulls/pulls#get-a-pull-request
    const response = await fetch(`${config.githubApi}/repos/${path}`, {
      headers: { Accept: 'application/vnd.github+json', Authorization: `Bearer ${accessToken}` },
      cache: 'no-store',
      signal: AbortSignal.timeout(5000),
    });
    const pull: { head?: { sha?: unknown }; state?: unknown } = await response.json();
    const head = pull.head?.sha;
    if (!response.ok || typeof head !== 'string' || !/^[0-9a-f]{40,64}$/.test(head)) return null;
    return { head, open: pull.state === 'open' };
  } catch {
    return null;
  }
}
