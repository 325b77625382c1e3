import type { Get } from './check-reach.ts';
import { type Found, note, ok, problem } from './finding.ts';

/** Whether OTP Guard runs on this machine, and can take work. */
export async function checkRunning(deps: { localUrl: string; get: Get }): Promise<Found> {
  const [alive, ready] = await Promise.all([
    deps.get(`${deps.localUrl}/healthz`),
    deps.get(`${deps.localUrl}/readyz`),
  ]);
  if (!alive) return note(`OTP Guard doesn't run at ${deps.localUrl}. Start it: otp-guard start.`);
  if (alive.status !== 200 || !ready)
    return problem(`Another program answers at ${deps.localUrl}. Stop it, or set PORT to a free one.`);
  if (ready.status !== 200) return problem(`OTP Guard runs, but isn't ready: ${ready.text.slice(0, 200)}`);
  return ready.text === 'ok'
    ? ok(`OTP Guard runs at ${deps.localUrl}, and is ready.`)
    : problem(`OTP Guard runs: ${ready.text.slice(0, 200)}`);
}
