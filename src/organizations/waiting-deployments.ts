import type { WaitingDeployment } from '../contract/waiting-deployment.ts';
import { deployUrl } from '../shared/deployment-links.ts';
import type { Organization, RepositoryRef } from './ports.ts';

/** A stored request of GitHub that waits for people. */
type Waiting = {
  repo: RepositoryRef;
  repoId: number;
  run: number;
  environment: string;
  ref: string;
  head: string;
  since: Date;
};

/** Reads the deployments of an account that wait, longest waiting first. */
export type WaitingDeployments = { deployments: { waiting(orgId: number): Promise<Waiting[]> } };

const MOST_SHOWN = 25;

/** The first of these deployments, with the address of the page that decides about each. */
export const toWaitingDeployments = (
  { orgId, name: org, installationId: installation }: Organization,
  waiting: Waiting[],
): WaitingDeployment[] =>
  waiting.slice(0, MOST_SHOWN).map(({ repo: { name: repo }, run, environment, ref, head, since }) => ({
    ...{ org, repo, environment, run, ref, head },
    since: since.toISOString(),
    approval: deployUrl(
      { publicUrl: '' },
      { installation, owner: org, name: repo, ownerId: orgId },
      { run, environment },
    ),
  }));
