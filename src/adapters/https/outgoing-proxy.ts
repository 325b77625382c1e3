import type { OutgoingProxy } from '../../settings/outgoing-proxy.ts';

/**
 * Sends each https request of `fetch` in this process through the proxy, except to the hosts that go without one. http
 * is for this machine, so it goes straight. Outgoing webhooks don't use `fetch`, and choose their way themselves.
 */
export async function goThroughProxy(proxy: OutgoingProxy | null): Promise<void> {
  if (!proxy) return;
  // Most processes need none, and loading it takes longer than everything else of a command.
  const { EnvHttpProxyAgent, setGlobalDispatcher } = await import('undici');
  setGlobalDispatcher(new EnvHttpProxyAgent({ httpProxy: '', httpsProxy: proxy.url, noProxy: proxy.except }));
}
