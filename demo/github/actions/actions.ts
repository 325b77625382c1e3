import type { SpeaksAs } from '../speaks-as.ts';
import { createEnvironments } from './environments.ts';
import { createRequestEvent, type RequestEventDeps } from './request-event.ts';
import { createRuns } from './runs.ts';
import { createUnkind } from './unkind.ts';

export type Actions = ReturnType<typeof createActions>;

/** GitHub Actions, as far as deployments need it. */
export function createActions(deps: RequestEventDeps & { speaksAs: SpeaksAs }) {
  // A server of one's own and a host with data residency are GitHub Enterprise.
  const environments = createEnvironments(deps.speaksAs.kind !== 'github.com');
  const unkind = createUnkind();
  const { announce, release } = createRequestEvent(deps, unkind);
  const mostLag = () => Math.max(...Object.values(unkind.lagMs));
  return {
    environments,
    runs: createRuns(environments, announce, mostLag),
    unkind,
    /** Sends the webhooks that were held. */
    release,
  };
}
