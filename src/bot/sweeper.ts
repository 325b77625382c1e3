import type { Logger } from 'pino';
import { reportUnreported, type TrackDeps, trackAll } from '../approvals/track.ts';

const REPORT_EVERY_MS = 15_000;
const EXPIRE_EVERY_MS = 10 * 60_000;

/** Does what lost webhooks, outages and crashes left undone, and removes what has expired. */
export function startSweeper(deps: TrackDeps & { expire(): Promise<void>; log: Logger }): { stop(): void } {
  const attempt = (name: string, work: () => Promise<void>) => () => {
    work().catch((error: unknown) => deps.log.warn({ err: error }, name));
  };
  const report = attempt('reporting approvals', () => reportUnreported(deps));
  const expire = attempt('removing what has expired', deps.expire);
  attempt('covering open pull requests', () => trackAll(deps))();
  report();
  expire();
  const timers = [setInterval(report, REPORT_EVERY_MS), setInterval(expire, EXPIRE_EVERY_MS)];
  return { stop: () => timers.forEach(clearInterval) };
}
