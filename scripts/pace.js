// How slow this machine is now. Limits of tests follow it, so that a slow machine is slow and not red.
import { spawnSync } from 'node:child_process';

/** Starts a process and computes, as most tests do. */
const WORK =
  "const { createHash } = require('node:crypto'); const hash = createHash('sha256'); const part = Buffer.alloc(1e6); for (let i = 0; i < 100; i += 1) hash.update(part); JSON.parse(JSON.stringify(Array.from({ length: 200_000 }, (_, at) => ({ at }))));";
/** How long that takes on a quiet machine with two cores. */
const QUIET_MS = 500;
const MOST = 20;

/** How many times longer everything takes here than on a quiet machine: 1 to 20, by the median of three measurements. */
export function measurePace() {
  const times = [1, 2, 3].map(() => {
    const startedAt = performance.now();
    spawnSync(process.execPath, ['-e', WORK]);
    return performance.now() - startedAt;
  });
  const [, median] = times.sort((one, other) => one - other);
  return Math.min(MOST, Math.max(1, median / QUIET_MS));
}
