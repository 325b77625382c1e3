import { Resolver } from 'node:dns/promises';

/** For one question to one name server. Resolving gives up before a try to deliver does. */
const QUESTION_MS = 2_000;
const QUESTIONS = 2;

/**
 * Finds all addresses of a host name, IPv4 first, by asking name servers ourselves. `dns.lookup` would do so in one of
 * the few threads that all of Node shares: names whose servers never answer would keep it from looking up GitHub's.
 * Files of this machine name no host on the internet.
 *
 * @param servers Instead of the machine's name servers; for tests.
 */
export function createResolveHost(servers?: string[]): (host: string) => Promise<string[]> {
  return async (host) => {
    const resolver = new Resolver({ timeout: QUESTION_MS, tries: QUESTIONS });
    if (servers) resolver.setServers(servers);
    const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    return found.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };
}
