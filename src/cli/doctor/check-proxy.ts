import type { Get } from './check-reach.ts';
import { type Found, note, ok, problem, unknown } from './finding.ts';

export type ProxyDeps = {
  publicUrl: string;
  trustProxy: boolean | number | string;
  /** As setup health shows it: people come through a proxy that TRUST_PROXY doesn't name. */
  isProxyUnknown: boolean;
  get: Get;
};

/** The headers that a proxy must leave as they are. */
const OURS = ['content-security-policy', 'x-content-type-options'];

/** Whether TRUST_PROXY fits PUBLIC_URL, and what a request through PUBLIC_URL shows of the proxy. */
export async function checkProxy({ publicUrl, trustProxy, isProxyUnknown, get }: ProxyDeps): Promise<Found> {
  if (isProxyUnknown)
    return problem(
      'PUBLIC_URL is https, so a proxy is in front, but TRUST_PROXY is not set: all people share one address and its limits. Set TRUST_PROXY to the number of proxies, such as TRUST_PROXY=1.',
    );
  const answer = await get(`${publicUrl}/healthz`);
  const changed = answer?.status === 200 ? OURS.filter((name) => answer.headers[name] === undefined) : [];
  if (changed.length > 0)
    return problem(`The proxy in front removes ${changed.join(' and ')}. Let it pass our headers on.`);
  if (publicUrl.startsWith('http:') && trustProxy !== false)
    return note(
      'TRUST_PROXY is set, but PUBLIC_URL is http on this machine. Without a proxy, remove it: anyone could claim any address.',
    );
  if (!answer) return unknown(`${publicUrl} doesn't answer, so the proxy's headers are not known.`);
  if (trustProxy === false) return ok('There is no proxy in front.');
  return ok(
    `TRUST_PROXY is ${trustProxy}, and the proxy passes our headers on. Check that it's the number of proxies: it can't be seen from here.`,
  );
}
