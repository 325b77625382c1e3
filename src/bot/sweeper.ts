import type { Logger } from 'pino';
import { reportUnreported, type TrackDeps, trackAll, trackRepository } from '../approvals/track.ts';
import type { Owed } from './ports.ts';

const REPORT_EVERY_MS = 15_000;
const COVER_EVERY_MS = 5 * 60_000;
const EXPIRE_EVERY_MS = 10 * 60_000;

export type Sweeper = {
  /** Resolves when what was open at the start has been looked at once, whatever came of it. */
  covered: Promise<void>;
  stop(): void;
};

type SweeperDeps = TrackDeps & { owed: Owed; expire(): Promise<void>; log: Logger };

/** Does what lost webhooks, outages and crashes left undone, and removes what has expired. */
export function startSweeper(deps: SweeperDeps): Sweeper {
  let isStopped = false;
  const quiet: TrackDeps = {
    ...deps,
    // While we end, what cannot be reached is no news.
    onFault: (error, at) => !isStopped && deps.onFault(error, at),
  };
  const attempt = (name: string, work: () => Promise<void>) => () =>
    work().catch((error: unknown) => {
      if (!isStopped) deps.log.warn({ err: error }, name);
    });
  const report = attempt('reporting approvals', async () => {
    await reportUnreported(quiet);
    // A copy: what fails is owed again, and waits for the next round instead of being tried at once without end.
    for (const [name, repo] of [...deps.owed]) {
      deps.owed.delete(name);
      await trackRepository(
        {
          ...quiet,
          onFault: (error, at) => {
            deps.owed.set(name, repo);
            quiet.onFault(error, at);
          },
        },
        repo,
      );
    }
  });
  const expire = attempt('removing what has expired', deps.expire);
  const cover = attempt('covering open pull requests', () => trackAll(quiet));
  const covered = cover();
  void report();
  void expire();
  const timers = [
    setInterval(report, REPORT_EVERY_MS),
    setInterval(cover, COVER_EVERY_MS),
    setInterval(expire, EXPIRE_EVERY_MS),
  ];
  return {
    covered,
    stop() {
      isStopped = true;
      timers.forEach(clearInterval);
    },
  };
}
