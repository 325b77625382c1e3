const PATIENCE_MS = 4_500;
const PARENT_CHECK_MS = 250;

/**
 * Runs `end` once when this process should end, and then exits: on SIGTERM, on
 * Ctrl-C, or when the npm that started it is gone, because npm passes no signal
 * on. Exits after 4.5 seconds even if `end` isn't done.
 */
export function shutDownOnSignal(end: () => Promise<void>): void {
  let isEnding = false;
  const shutDown = () => {
    if (isEnding) return;
    isEnding = true;
    setTimeout(() => process.exit(1), PATIENCE_MS).unref();
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
