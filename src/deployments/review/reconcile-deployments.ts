import { locateRepository } from '../../approvals/reconcile/sync-stored-head.ts';
import type { Notices } from '../../notices/ports.ts';
import type { RepositoryChecks } from '../../protection/ports.ts';
import { attempt, inTurn } from '../../shared/work.ts';
import type { DeploymentDeps } from '../deps.ts';
import { keyOf } from '../judge/judge-deployment.ts';
import { type Deployment, EXPIRE_MS, type WorkflowRun } from '../ports.ts';
import { request } from './requested.ts';
import { syncDeployment } from './sync-deployment.ts';

const DAY_MS = 24 * 60 * 60_000;
/** A repository that asked in this time is looked at, even if it's not known that an environment has the rule. */
const KNOWN_MS = 90 * DAY_MS;
/** Owners are reminded of a deployment that waits for this long. */
const REMIND_MS = 25 * DAY_MS;
/** The longest pause until what was approved is looked at again, while the environment waits for something. */
const LONGEST_PAUSE_MS = 60 * 60_000;

export type ReconcileDeploymentsDeps = DeploymentDeps & {
  notices: Pick<Notices, 'add'>;
  repositoryChecks: Pick<RepositoryChecks, 'gated'>;
  /** The time until which background work has too little of an installation's budget; null if it has enough. */
  backgroundBudget: { lowUntil(installation: number): Date | null };
};

type Located = Pick<Deployment, 'repo' | 'repoId' | 'orgId'>;

/**
 * Makes up for lost webhooks: finds jobs that wait without a request that we know, looks at each deployment that waits, since
 * an administrator can start its jobs and an owner change the policy, and closes those that waited for 30 days. Calling it
 * again changes nothing.
 *
 * @throws The first failure, after everything had its turn.
 */
export async function reconcileDeployments(deps: ReconcileDeploymentsDeps): Promise<void> {
  const since = new Date(deps.clock.now().getTime() - KNOWN_MS);
  const asked = await deps.deployments.repositories(since);
  const gated = (await deps.repositoryChecks.gated()).map((repo) => ({ ...repo, repo, repoId: repo.id }));
  const repositories = new Map([...asked, ...gated].map((one) => [one.repoId, one]));
  await inTurn([...repositories.values()], (known) => tryFor(deps, known, () => findMissed(deps, known)));
  await lookAtWaiting(deps);
}

/** Looks at each deployment that waits, of all accounts or of one, as after a change of its policy. */
export async function lookAtWaiting(deps: ReconcileDeploymentsDeps, orgId?: number): Promise<void> {
  await inTurn(await deps.deployments.waiting(orgId), (one) => tryFor(deps, one, () => lookAgain(deps, one)));
}

/** Skips the accounts without the App, and those whose budget is low. */
async function tryFor(deps: ReconcileDeploymentsDeps, { repo, orgId }: Located, work: () => Promise<void>) {
  const org = await deps.organizations.byOrgId(orgId);
  if (deps.isStopping?.() || !org || org.suspended || org.installationId === 0) return;
  if (deps.backgroundBudget.lowUntil(org.installationId)) return;
  await attempt(deps, { repository: `${repo.owner}/${repo.name}` }, work);
}

async function findMissed(deps: ReconcileDeploymentsDeps, known: Located): Promise<void> {
  const repo = await locateRepository(deps, known);
  for (const run of (await deps.workflowRuns.waiting(repo)) ?? []) {
    if (run.repoId !== known.repoId) return;
    for (const environment of (await deps.workflowRuns.pending(repo, run.id)) ?? [])
      await answerMissed(deps, repo, { run, environment });
  }
}

async function answerMissed(
  deps: ReconcileDeploymentsDeps,
  repo: Located['repo'],
  { run, environment }: { run: WorkflowRun; environment: string },
): Promise<void> {
  const known = await deps.deployments.find(keyOf({ run, environment }));
  // What waits or is due is looked at anyway, and asking again would put it off. Every other one asks for a later wave, or
  // waits for GitHub's reviewers or timer.
  const isLookedAt = known && (known.state === 'waiting' || known.due > known.synced);
  if (isLookedAt || (known && isTooSoon(known, deps.clock.now()))) return;
  if (!known && !(await deps.workflowRuns.isGated(repo, environment))) return;
  await syncDeployment(deps, await request(deps, { repo, run, environment, head: run.head }));
}

/** The pauses grow with the time since it was approved: the next wave mostly follows soon. */
const isTooSoon = ({ changed, synced }: Deployment, now: Date): boolean =>
  now.getTime() - synced.getTime() < Math.min(LONGEST_PAUSE_MS, synced.getTime() - changed.getTime());

async function lookAgain(deps: ReconcileDeploymentsDeps, deployment: Deployment): Promise<void> {
  const age = deps.clock.now().getTime() - deployment.since.getTime();
  if (age >= EXPIRE_MS) return deps.deployments.save(deployment, { state: 'expired' });
  const synced = await syncDeployment(deps, deployment);
  if (synced?.state === 'waiting' && age >= REMIND_MS && !deployment.isReminded)
    await remind(deps, deployment);
}

async function remind(deps: ReconcileDeploymentsDeps, deployment: Deployment): Promise<void> {
  const { orgId, repo, run, environment } = deployment;
  const org = await deps.organizations.byOrgId(orgId);
  if (!org) return;
  await deps.deployments.save(deployment, { isReminded: true });
  const data = { org: org.name, label: repo.name, run, environment };
  for (const userId of await deps.memberships.ownersToNotify(org.id))
    await deps.notices.add({ kind: 'deployExpires', userId, data }, deps.clock.now());
}
