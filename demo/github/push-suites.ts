import type { RouteDeps } from './route-deps.ts';

/** An event of the emulator, if it's about a push or a merge. */
type Pushed = {
  action?: string;
  after?: string;
  pull_request?: { merged?: boolean; merge_commit_sha?: string | null };
  repository?: { full_name: string; owner: { login: string } };
};

const SKIPS = /^skip-checks: *true$/im;

function pushedCommit(name: string, { action, after, pull_request: pull }: Pushed): string | undefined {
  if (name === 'push') return after;
  // The emulator sends no push of a merge.
  if (name === 'pull_request' && action === 'closed' && pull?.merged)
    return pull.merge_commit_sha ?? undefined;
  return undefined;
}

/**
 * GitHub makes a check suite for each push to a repository in which the App is installed then, unless the commit's message
 * says `skip-checks: true` (GitHub: "About status checks"). It makes none for a commit that was there before.
 */
export async function addSuite(
  { emulator, installations }: Pick<RouteDeps, 'emulator' | 'installations'>,
  { name, payload }: { name: string; payload: object },
): Promise<void> {
  const { repository, ...pushed } = payload as Pushed;
  const head_sha = pushedCommit(name, pushed);
  if (!repository || !head_sha) return;
  const installation = installations.findByLogin(repository.owner.login);
  if (!installation || installation.suspended_at) return;
  const path = `/repos/${repository.full_name}`;
  const commit = await emulator.get<{ commit: { message: string } }>(`${path}/commits/${head_sha}`);
  if (!commit || SKIPS.test(commit.commit.message)) return;
  await emulator.send({ method: 'POST', path: `${path}/check-suites`, body: { head_sha } });
}
