import { isGranted } from './administration.ts';
import { storedHead } from './checks.ts';
import { ACTIONS, APP } from './credentials.ts';
import type { Event } from './deliveries.ts';
import type { EmulatorResponse } from './emulator-client.ts';
import type { CheckRun, CheckSuite, Pull, Repository } from './github-objects.ts';
import type { RouteDeps } from './route-deps.ts';

/** An event of the emulator about a push, a merge or a check run. */
type Payload = {
  action?: string;
  before?: string;
  after?: string;
  check_run?: CheckRun;
  pull_request?: Pull & { merge_commit_sha?: string | null };
  repository?: Repository;
  sender?: object;
};

type SuiteDeps = Pick<RouteDeps, 'emulator' | 'checks'>;
type Branch = { name: string; commit: { sha: string } };

/**
 * Makes an App's suite for a commit of the repository, if there is none. The emulator finds the commit's branch for our App
 * only. `token` is the emulator's for the caller; octocat makes the suite if there is none.
 */
export async function makeSuite(
  { emulator, checks }: SuiteDeps,
  { repo, head, app, token }: { repo: string; head: string; app: number; token?: string | undefined },
): Promise<EmulatorResponse> {
  const branches = app === APP.id ? [] : await emulator.list<Branch>(`/repos/${repo}/branches`);
  const head_branch = branches.find(({ commit }) => commit.sha === head)?.name;
  const body = { head_sha: storedHead(app, head), head_branch };
  const path = `/repos/${repo}/check-suites`;
  const answer = await emulator.send({ method: 'POST', path, body, ...(token && { token }) });
  if (answer.status === 201) checks.noteSuite(repo, answer.json as CheckSuite);
  return answer;
}

const SKIPS = /^skip-checks: *true$/im;

/** The new tip of a branch, and the one before. */
function pushIn(name: string, { action, before, after, pull_request: pull }: Payload) {
  if (name === 'push') return { before, head: after };
  // The emulator sends no push of a merge.
  const isMerge = name === 'pull_request' && action === 'closed' && pull?.merged;
  return isMerge ? { before: pull.base.sha, head: pull.merge_commit_sha } : {};
}

/**
 * GitHub makes a check suite of each App that may write checks for each push to a repository in which it's installed then,
 * unless the commit's message says `skip-checks: true` (GitHub: "About status checks"). It makes none for a commit that was
 * there before.
 */
export async function addSuites(
  deps: SuiteDeps & Pick<RouteDeps, 'installations' | 'hasWorkflow' | 'webhooks'>,
  { name, payload }: Event,
): Promise<void> {
  const { repository, sender, ...pushed } = payload as Payload;
  const { before, head } = pushIn(name, pushed);
  if (!repository || !head) return;
  const { installations } = deps;
  const ours = installations.findByLogin(repository.owner.login);
  const apps: number[] = [
    ...(deps.hasWorkflow ? [ACTIONS.id] : []),
    ...(ours && !ours.suspended_at ? [APP.id] : []),
    ...installations
      .ofOthers(repository.owner)
      .flatMap((other) => (isGranted(other, 'checks', 'write') ? [other.app_id] : [])),
  ];
  if (apps.length === 0) return;
  const path = `/repos/${repository.full_name}/commits/${head}`;
  const commit = await deps.emulator.get<{ commit: { message: string } }>(path);
  if (!commit || SKIPS.test(commit.commit.message)) return;
  for (const app of apps) {
    const { json } = await makeSuite(deps, { repo: repository.full_name, head, app });
    const check_suite = { ...(json as CheckSuite), before };
    const requested = { action: 'requested', check_suite, repository, sender };
    deps.webhooks.send(repository.owner.login, { name: 'check_suite', payload: requested });
  }
  if (deps.hasWorkflow) await runWorkflow(deps, { repo: repository.full_name, head });
}

/** Runs a workflow with one job. */
async function runWorkflow({ emulator, checks }: SuiteDeps, { repo, head }: { repo: string; head: string }) {
  const path = `/repos/${repo}/check-runs`;
  const queued = { name: 'build', head_sha: storedHead(ACTIONS.id, head), status: 'queued' };
  const { json } = await emulator.send({ method: 'POST', path, body: queued });
  const run = json as CheckRun;
  checks.noteRun(repo, run);
  const body = { status: 'completed', conclusion: 'success' };
  await emulator.send({ method: 'PATCH', path: `${path}/${run.id}`, body });
}

/** Sends `completed` of the suite in which a run completed last, which the emulator omits. */
export async function sendCompletedSuite(
  { emulator, checks, webhooks }: SuiteDeps & Pick<RouteDeps, 'webhooks'>,
  { name, payload }: Event,
): Promise<void> {
  const { check_run: run, repository, sender } = payload as Payload;
  if (name !== 'check_run' || run?.status !== 'completed' || checks.isStale(run.id)) return;
  const path = `/repos/${repository?.full_name}/check-suites/${run.check_suite?.id}`;
  const check_suite = await emulator.get<CheckSuite>(path);
  if (check_suite?.status !== 'completed') return;
  const completed = { action: 'completed', check_suite, repository, sender };
  webhooks.receive({ name: 'check_suite', payload: completed });
}
