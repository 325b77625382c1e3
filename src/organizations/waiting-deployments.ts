import type { WaitingDeployment } from '../contract/organization.ts';
import { deployUrl } from '../shared/deployment-links.ts';
import type { Organization, RepositoryRef, UnapprovedPull } from './ports.ts';

/** A stored request of GitHub that waits for people. */
type Waiting = Pick<UnapprovedPull, 'head' | 'since' | 'lacks' | 'denied'> & {
  repo: RepositoryRef;
  run: number;
  environment: string;
  ref: string;
};

/** Reads the deployments of an account that wait, longest waiting first. */
export type WaitingDeployments = { deployments: { waiting(orgId: number): Promise<Waiting[]> } };

const MOST_SHOWN = 25;

/** The deployments of an account that wait longest. */
export async function waitingDeployments({ deployments }: WaitingDeployments, org: Organization) {
  const waiting = await deployments.waiting(org.orgId);
  return waiting.slice(0, MOST_SHOWN).map((one) => toWaitingDeployment(org, one));
}

/** A deployment that waits, with what it lacks and the address of the page that decides about it. */
export function toWaitingDeployment(
  { orgId, name: org, installationId: installation }: Organization,
  waiting: Waiting,
): WaitingDeployment {
  const { repo, run, environment, ref, head, since, lacks, denied } = waiting;
  const about = { installation, owner: org, name: repo.name, ownerId: orgId };
  return {
    ...{ org, repo: repo.name, environment, run, ref, head },
    since: since.toISOString(),
    missing: lacks.map(({ missing }) => missing),
    denied: denied && { login: denied.login, reason: denied.reason },
    approval: deployUrl({ publicUrl: '' }, about, { run, environment }),
  };
}
