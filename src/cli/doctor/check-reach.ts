import { type Found, ok, problem, unknown } from './finding.ts';

/** An answer over HTTP; null if there was none. */
export type Answer = { status: number; text: string; headers: Record<string, string> } | null;
export type Get = (url: string) => Promise<Answer>;

export type ReachDeps = {
  publicUrl: string;
  appId: number;
  isRunning(): Promise<boolean>;
  get: Get;
};

/** Whether PUBLIC_URL leads to this OTP Guard: it answers, and publishes the keys of this App under this address. */
export async function checkReach({ publicUrl, appId, isRunning, get }: ReachDeps): Promise<Found> {
  const [alive, list] = await Promise.all([
    get(`${publicUrl}/healthz`),
    get(`${publicUrl}/.well-known/otp-guard.json`),
  ]);
  if (!(await isRunning()) && alive?.status !== 200)
    return unknown(`${publicUrl} leads nowhere while OTP Guard doesn't run. Start it, then look again.`);
  if (!alive)
    return problem(
      `${publicUrl} doesn't answer this machine. Check DNS, firewall and proxy; if your network doesn't lead back into itself, try from outside.`,
    );
  const published = list?.status === 200 ? parse(list.text) : null;
  if (alive.status !== 200 || !published)
    return problem(`${publicUrl} answers, but not as OTP Guard (${alive.status}). Point its proxy at PORT.`);
  if (published.app !== appId)
    return problem(
      `${publicUrl} leads to an OTP Guard with another App (${published.app}). Check the proxy and APP_ID.`,
    );
  if (published.host !== publicUrl)
    return problem(
      `The OTP Guard at ${publicUrl} runs with PUBLIC_URL=${published.host}. Start it again with one address.`,
    );
  return ok(`${publicUrl} leads to this OTP Guard.`);
}

function parse(text: string): { app: number; host: string } | null {
  try {
    const { app, host } = JSON.parse(text) as Record<string, unknown>;
    return typeof app === 'number' && typeof host === 'string' ? { app, host } : null;
  } catch {
    return null;
  }
}
