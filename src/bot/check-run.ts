import type { Probot } from 'probot';
import type { BotDeps } from './ports.ts';
import { rerun } from './rerun.ts';

/** `check_run` events. */
export function onCheckRun(probot: Pick<Probot, 'on'>, deps: BotDeps): void {
  probot.on('check_run.rerequested', ({ payload }) => rerun(deps, payload, payload.check_run.head_sha));
}
