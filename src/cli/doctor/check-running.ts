import type { Get } from './check-reach.ts';
import { type Found, note, ok, problem } from './finding.ts';

export type RunningDeps = {
  localUrl: string;
  get: Get;
  /** Listens on PORT for a moment. @returns Null if that works, otherwise the code of the error. */
  tryPort(): Promise<string | null>;
};

/** Whether OTP Guard runs on this machine, and can take work; if it doesn't run, whether its port is free. */
export async function checkRunning({ localUrl, get, tryPort }: RunningDeps): Promise<Found> {
  const [alive, ready] = await Promise.all([get(`${localUrl}/healthz`), get(`${localUrl}/readyz`)]);
  const other = problem(`Another program uses the port of ${localUrl}. Stop it, or set PORT to a free one.`);
  if (!alive) {
    const refusal = await tryPort();
    if (refusal === 'EADDRINUSE') return other;
    if (refusal !== null)
      return problem(`OTP Guard can't listen at ${localUrl} (${refusal}). Check HOST and PORT.`);
    return note(`OTP Guard doesn't run at ${localUrl}. Start it: otp-guard start.`);
  }
  if (alive.status !== 200 || !isOurs(alive.text) || !ready) return other;
  if (ready.status !== 200) return problem(`OTP Guard runs, but isn't ready: ${ready.text.slice(0, 200)}`);
  return ready.text === 'ok'
    ? ok(`OTP Guard runs at ${localUrl}, and is ready.`)
    : problem(`OTP Guard runs: ${ready.text.slice(0, 200)}`);
}

/** The answer of our `/healthz`, as no other program gives it. */
function isOurs(text: string): boolean {
  try {
    const { status, ...rest } = JSON.parse(text) as Record<string, unknown>;
    return status === 'ok' && 'version' in rest && 'commit' in rest;
  } catch {
    return false;
  }
}
