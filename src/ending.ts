const PATIENCE_MS = 4_500;
const LOOK_EVERY_MS = 250;

/**
 * Runs `end` once when this process is asked to end: by SIGTERM, by Ctrl-C, or
 * by the end of the npm that started it, which passes no signal on. The process
 * exits when `end` is through, and after 4.5 seconds whatever happens.
 */
export function endWhenAsked(end: () => Promise<void>): void {
  let asked = false;
  const ask = () => {
    if (asked) return;
    asked = true;
    setTimeout(() => process.exit(1), PATIENCE_MS).unref();
    end().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGTERM', ask);
  process.on('SIGINT', ask);
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event === undefined || parent === 1) return;
  setInterval(() => process.ppid !== parent && ask(), LOOK_EVERY_MS).unref();
}
