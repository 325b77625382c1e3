import type { Logger } from 'pino';
import { type MemberListDeps, readAllMembers } from '../accounts/member-list.ts';
import { type Pauses, reportOwed } from '../approvals/report-owed.ts';
import { type SweepDeps, sweep } from '../approvals/sweep.ts';
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

type SweeperDeps = SweepDeps &
  MemberListDeps & {
    owed: Owed;
    expire(): Promise<void>;
    /** Sends the messages that are due. */
    send(): Promise<void>;
    log: Logger;
    /** How often approvals that GitHub has not heard of are reported. */
    reportEveryMs?: number;
    /** How often messages that are due are sent. */
    sendEveryMs?: number;
  };

/** Does what lost webhooks, outages and crashes left undone, and removes what has expired. */
export function startSweeper(deps: SweeperDeps): Sweeper {
  const { reportEveryMs = REPORT_EVERY_MS, sendEveryMs = SEND_EVERY_MS } = deps;
  let isStopped = false;
  const pauses: Pauses = new Map();
  const quiet: SweeperDeps = {
    ...deps,
    isEnding: () => isStopped,
    // While we end, what cannot be reached is no news.
    onFault: (error, at) => !isStopped && deps.onFault(error, at),
  };
  const attempt = (name: string, work: () => Promise<unknown>) =>
    once(async () => {
      try {
        await work();
      } catch (error) {
        if (!isStopped) deps.log.warn({ err: error }, name);
      }
    });
  const report = attempt('reporting approvals', async () => {
    await reportOwed(quiet, pauses, reportEveryMs);
    // A copy: what fails is owed again, and waits for the next round instead of being tried at once without end.
    for (const [name, work] of [...deps.owed]) {
      deps.owed.delete(name);
      await work().catch((error: unknown) => {
        deps.owed.set(name, work);
        quiet.onFault(error, { repository: name });
      });
    }
  });
  const expire = attempt('removing what has expired', deps.expire);
  const cover = attempt('covering open pull requests', () => sweep(quiet));
  const readMembers = attempt('reading members', () => readAllMembers(quiet));
  const send = attempt('sending messages', deps.send);
  const covered = cover();
  void readMembers();
  void report();
  void expire();
  const timers = [
    setInterval(report, reportEveryMs),
    setInterval(cover, COVER_EVERY_MS),
    setInterval(expire, EXPIRE_EVERY_MS),
    setInterval(readMembers, READ_MEMBERS_EVERY_MS),
    setInterval(send, sendEveryMs),
  ];
  return {
    covered,
    stop() {
      isStopped = true;
      timers.forEach(clearInterval);
    },
  };
}

/** Begins no second round while one is at work; whoever asks then waits for that one. */
function once(work: () => Promise<void>): () => Promise<void> {
  let atWork: Promise<void> | undefined;
  return () => {
    atWork ??= work().finally(() => {
      atWork = undefined;
    });
    return atWork;
  };
}
