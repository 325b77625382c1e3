import type { ApproveDeps } from '../approvals/approve/deps.ts';
import type { HeadDeps } from '../approvals/deps.ts';
import type { CommitPulls } from '../approvals/ports.ts';
import type { Deployments, WorkflowRuns } from './ports.ts';

/** Everything that it takes to read, judge and review deployments. */
export type DeploymentDeps = HeadDeps & {
  commitPulls: CommitPulls;
  deployments: Deployments;
  workflowRuns: WorkflowRuns;
};

/** All that the calls about deployments take. */
export type DeployCallDeps = DeploymentDeps & ApproveDeps;
