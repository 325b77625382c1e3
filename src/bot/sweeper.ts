import type { Logger } from 'pino';
import { type MemberListDeps, readAllMembers } from '../accounts/member-list.ts';
import { reportUnreported, type TrackDeps, trackAll, trackRepository } from '../approvals/track.ts';
import type { Owed } from './ports.ts';

const REPORT_EVERY_MS = 15_000;
const COVER_EVERY_MS = 5 * 60_000;
const EXPIRE_EVERY_MS = 10 * 60_000;
const READ_MEMBERS_EVERY_MS = 60 * 60_000;
const SEND_EVERY_MS = 3_000;

export type Sweeper = {
  /** Resolves when what was open at the start has been looked at once, whatever came of it. */
  covered: Promise<void>;
  stop(): void;
};

type SweeperDeps = TrackDeps &
  MemberListDeps & {
    owed: Owed;
    expire(): Promise<void>;
    /** Sends the messages that are due. */
    send(): Promise<void>;
    log: Logger;
  };

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
  const readMembers = attempt('reading members', () => readAllMembers({ ...deps, onFault: quiet.onFault }));
  const send = once(attempt('sending messages', deps.send));
  const covered = cover();
  void readMembers();
  void report();
  void expire();
  const timers = [
    setInterval(report, REPORT_EVERY_MS),
    setInterval(cover, COVER_EVERY_MS),
    setInterval(expire, EXPIRE_EVERY_MS),
    setInterval(readMembers, READ_MEMBERS_EVERY_MS),
    setInterval(send, SEND_EVERY_MS),
  ];
  return {
    covered,
    stop() {
      isStopped = true;
      timers.forEach(clearInterval);
    },
  };
}

/** Begins no second round while one is at work: a mail server can hang. */
function once(work: () => Promise<void>): () => void {
  let isAtWork = false;
  return () => {
    if (isAtWork) return;
    isAtWork = true;
    void work().finally(() => {
      isAtWork = false;
    });
  };
}
