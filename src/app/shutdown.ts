import type { Log } from '../shared/log-events.ts';

const PATIENCE_MS = 4_500;
/** A balancer has to notice first. */
const LONGER_PATIENCE_MS = 8_000;
const PARENT_CHECK_MS = 250;

/**
 * Runs `end` once when this process should end, and then exits: on SIGTERM, on
 * Ctrl-C, or when the npm that started it is gone, because npm passes no signal
 * on. Exits after 4.5 seconds even if `end` isn't done, behind a balancer after 8.
 */
export function shutDownOnSignal(end: () => Promise<void>, { isOneOfMany = false } = {}): void {
  let isEnding = false;
  const shutDown = () => {
    if (isEnding) return;
    isEnding = true;
    setTimeout(() => process.exit(1), isOneOfMany ? LONGER_PATIENCE_MS : PATIENCE_MS).unref();
    end().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGTERM', shutDown);
  process.on('SIGINT', shutDown);
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event === undefined || parent === 1) return;
  setInterval(() => process.ppid !== parent && shutDown(), PARENT_CHECK_MS).unref();
}

/**
 * Ends this process when nobody caught an error. Node would write all properties of the error next to the log, and one
 * of a request to GitHub has its body.
 */
export function endWhenUncaught(log: Log): void {
  process.on('uncaughtException', (err) => {
    log.error({ event: 'crashed', err }, 'an unexpected error ended this process');
    // After the log, which is written in the same turn.
    setImmediate(() => process.exit(1));
  });
}
