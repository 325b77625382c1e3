import { APP } from '../credentials.ts';
import type { EmulatorClient } from '../emulator-client.ts';
import type { Repository } from '../github-objects.ts';
import type { Webhooks } from '../webhooks.ts';
import { deploymentObject } from './run-objects.ts';
import { latestOf, type Run } from './run-state.ts';
import type { Waiting } from './runs.ts';
import type { Unkind } from './unkind.ts';

export type RequestEventDeps = { emulator: EmulatorClient; origin: string; webhooks: Webhooks };

/** The pull requests from this head, of a run that one of them started. */
async function pullsOf(
  { emulator }: RequestEventDeps,
  repo: Repository,
  { event, sha }: Run,
): Promise<unknown[]> {
  if (!event.startsWith('pull_request')) return [];
  const open = await emulator.list<{ head: { sha: string } }>(`/repos/${repo.full_name}/pulls?state=open`);
  return open.filter(({ head }) => head.sha === sha);
}

/**
 * Returns a function that sends `deployment_protection_rule` to our App for one job that waits for its rule (GitHub:
 * "Webhook events and payloads"). GitHub documents neither `sha` and `ref` nor `workflow_run`, and requires no member but
 * `action`, `repository` and `sender`. Its own deliveries had `sha` and `ref` at the top, some had a `deployment` of
 * null, and most had no `workflow_run`. So every second one here has the one, and every other one the other. `release`
 * sends those that were held, newest first, and each twice.
 */
export function createRequestEvent(deps: RequestEventDeps, unkind: Pick<Unkind, 'holdsRequests'>) {
  const { origin, webhooks } = deps;
  let count = 0;

  const send = async ({ repo, run, job }: Waiting, hasDeployment: boolean) => {
    const path = `actions/runs/${run.id}`;
    const { deployment } = job;
    const payload = {
      action: 'requested',
      environment: job.plan.environment,
      event: run.event,
      sha: run.sha,
      ref: run.branch,
      deployment_callback_url: `${origin}/repos/${repo.full_name}/${path}/deployment_protection_rule`,
      deployment: hasDeployment && deployment ? deploymentObject(deps, repo, { run, deployment }) : null,
      pull_requests: await pullsOf(deps, repo, run),
      ...(!hasDeployment && { workflow_run: { id: run.id, run_attempt: latestOf(run).number } }),
      repository: repo,
      sender: latestOf(run).actor,
    };
    webhooks.send(repo.owner.login, { name: 'deployment_protection_rule', payload });
  };

  const held: (() => Promise<unknown>)[] = [];
  const announce = (waiting: Waiting): void => {
    if (waiting.gate.kind !== APP.id) return;
    count += 1;
    const hasDeployment = count % 2 === 1;
    // This fails only while the emulator shuts down.
    const deliver = () => send(waiting, hasDeployment).catch(() => undefined);
    if (unkind.holdsRequests) held.push(deliver);
    else void deliver();
  };
  const release = () => {
    for (const deliver of held.splice(0).reverse()) void deliver().then(deliver);
  };
  return { announce, release };
}
