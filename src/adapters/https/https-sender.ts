import { Resolver } from 'node:dns/promises';
import { Agent, request } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import ipaddr from 'ipaddr.js';
import type { OutgoingWebhookOutcome } from '../../contract/outgoing-webhooks.ts';
import type { Message, Sender } from '../../outgoing-webhooks/ports.ts';

/** The time for one try, from looking the host up to the head of the answer. */
const DEADLINE_MS = 10_000;
const LONGEST_HEAD = 16_384;

type Options = {
  deadlineMs?: number | undefined;
  /** All addresses of a host name. */
  resolve?: (host: string) => Promise<string[]>;
  isPublic?: (address: string) => boolean;
  /** PEM certificates to trust instead of the well-known ones. */
  ca?: string;
};

/**
 * Sends outgoing webhooks. It connects only to addresses that `isPublic` allows,
 * and decides that for the very addresses it connects to: if one of a host name
 * isn't public, it connects to none. It follows no redirect, uses no proxy,
 * verifies the certificate regardless of the environment, and reads
 * nothing of the answer but its status.
 *
 * A try without an answer takes the whole deadline, so that its time doesn't say
 * whether there is such a name, or a server in our own network.
 */
export function createHttpsSender({
  deadlineMs = DEADLINE_MS,
  resolve = createResolveHost(),
  isPublic = isPublicAddress,
  ca,
}: Options = {}): Sender & { close(): void } {
  const attempts = new Set<AbortController>();
  const lookupPublic = createLookup(resolve, isPublic);

  return {
    isPublic,

    async send(message) {
      const attempt = new AbortController();
      const { signal } = attempt;
      attempts.add(attempt);
      const isOver = delay(deadlineMs, undefined, { signal, ref: false })
        .catch(() => undefined)
        .then(() => attempt.abort());
      const outcome = await post(message, { signal, isPublic, lookup: lookupPublic, ca });
      if (outcome.result === 'unreachable') await isOver;
      attempt.abort();
      attempts.delete(attempt);
      return outcome;
    },

    /** Aborts every try. */
    close() {
      for (const attempt of attempts) attempt.abort();
    },
  };
}

/** @returns A lookup for `net.connect` that fails if one of the addresses isn't public. */
function createLookup(
  resolve: (host: string) => Promise<string[]>,
  isPublic: (address: string) => boolean,
): LookupFunction {
  return (host, options, callback) => {
    const refuse = () => callback(new Error('no public address'), '', 0);
    const answer = (addresses: string[]) => {
      const [first] = addresses;
      if (first === undefined || !addresses.every(isPublic)) return refuse();
      if (!options.all) return callback(null, first, isIP(first));
      callback(
        null,
        addresses.map((address) => ({ address, family: isIP(address) })),
      );
    };
    resolve(host).then(answer, refuse);
  };
}

type Connection = {
  signal: AbortSignal;
  isPublic: (address: string) => boolean;
  lookup: LookupFunction;
  ca: string | undefined;
};

function post(
  message: Message,
  { signal, isPublic, lookup, ca }: Connection,
): Promise<OutgoingWebhookOutcome> {
  return new Promise((resolve) => {
    const unreachable = () => resolve({ result: 'unreachable' });
    const url = new URL(message.url);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    // A literal address isn't looked up.
    if (url.protocol !== 'https:' || (isIP(host) && !isPublic(host))) return unreachable();
    const sent = request(url, {
      method: 'POST',
      headers: { ...message.headers, 'content-length': Buffer.byteLength(message.body) },
      // An agent of its own: the global one can be set to a proxy, and keeps connections.
      agent: new Agent({ keepAlive: false, maxCachedSessions: 0 }),
      lookup,
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      maxHeaderSize: LONGEST_HEAD,
      signal,
      ...(ca !== undefined && { ca }),
    });
    sent.on('socket', (socket) => refuseOthers(socket, isPublic));
    // There can be any number of interim answers, and we asked for none.
    sent.on('information', () => sent.destroy());
    sent.on('response', (response) => {
      resolve({ result: 'answered', status: response.statusCode ?? 0 });
      response.on('error', () => undefined).destroy();
    });
    sent.on('error', (error) =>
      isCertificateError(error) ? resolve({ result: 'certificate' }) : unreachable(),
    );
    sent.on('close', unreachable);
    sent.end(message.body);
  });
}

/** Checks the address of the connection itself, in case something else than the lookup chose it. */
function refuseOthers(socket: Socket, isPublic: (address: string) => boolean): void {
  socket.once('connect', () => {
    if (!isPublic(socket.remoteAddress ?? '')) socket.destroy();
  });
}

/** OpenSSL's names of what is wrong with a certificate, and Node's own for one of another name. */
const isCertificateError = ({ code = '' }: NodeJS.ErrnoException): boolean =>
  /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY|DECODE|DECRYPT)/.test(code);

/** The one block of IPv6 that hosts on the internet have addresses of (RFC 4291, section 2.4). */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');

/** Azure's own services, which each machine there reaches at this public address. */
const AZURE = '168.63.129.16';

/**
 * Tells whether an IP address belongs to a host on the internet. Everything that has
 * another purpose isn't one: private, loopback, link-local, shared (RFC 6598),
 * multicast, documentation, reserved, and each form of IPv6 that contains an
 * IPv4 address (mapped, compatible, NAT64, 6to4, Teredo). False for what isn't
 * an address in its normal notation.
 */
export function isPublicAddress(address: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(address))
    return ipaddr.parse(address).range() === 'unicast' && address !== AZURE;
  if (!ipaddr.IPv6.isValid(address) || address.includes('%')) return false;
  const parsed = ipaddr.IPv6.parse(address);
  return parsed.range() === 'unicast' && parsed.match(GLOBAL_UNICAST);
}

/** The time for one question to one name server. Resolving gives up before a try to deliver does. */
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
