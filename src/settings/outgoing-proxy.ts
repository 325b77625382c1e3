import { createSettingReader, type Env, type SettingReader } from './setting-reader.ts';

/** The proxy on the way to GitHub and other https addresses, and the hosts that are reached without it. */
export type OutgoingProxy = { url: string; except: string };

/** Null if requests go straight. */
export function readOutgoingProxy(settings: SettingReader): OutgoingProxy | null {
  const url = settings.url('HTTPS_PROXY');
  return url === undefined ? null : { url, except: settings.text('NO_PROXY') ?? '' };
}

/** Sets the proxy's settings also if the environment has them in small letters, as most programs read them. */
export function addProxyNames(env: Env): void {
  for (const name of ['HTTPS_PROXY', 'NO_PROXY']) {
    const value = env[name] ?? env[name.toLowerCase()];
    if (value !== undefined) env[name] = value;
  }
}

/** The proxy of the environment, for a command that reads no other setting. */
export function readEnvironmentsProxy(env: Env = process.env): OutgoingProxy | null {
  const copy = { ...env };
  addProxyNames(copy);
  return readOutgoingProxy(createSettingReader(copy));
}
