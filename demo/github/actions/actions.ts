import type { SpeaksAs } from '../speaks-as.ts';
import { createEnvironments } from './environments.ts';
import { createRequestEvent, type RequestEventDeps } from './request-event.ts';
import { createRuns } from './runs.ts';

export type Actions = ReturnType<typeof createActions>;

/** GitHub Actions, as far as deployments need it. */
export function createActions(deps: RequestEventDeps & { speaksAs: SpeaksAs }) {
  // A server of one's own and a host with data residency are GitHub Enterprise.
  const environments = createEnvironments(deps.speaksAs.kind !== 'github.com');
  return {
    environments,
    runs: createRuns(environments, createRequestEvent(deps)),
    /** How many reviews fail for a reason that GitHub doesn't tell. */
    failing: { reviews: 0 },
  };
}
