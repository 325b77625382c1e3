import { lookup } from 'node:dns/promises';
import { connect } from 'node:tls';
import { type Config, isProxyUnknown } from '../../settings/config.ts';
import { systemClock } from '../../shared/clock.ts';
import { type Found, note, ok, problem, symptom, unknown } from './finding.ts';

const ANSWER_MS = 5_000;
const LONGEST_TEXT = 1024 * 1024;

/** An answer over HTTP; null if there was none. */
type Answer = { status: number; text: string; headers: Record<string, string> } | null;

/** Requests an address, without a cookie or token. Follows no redirect. */
export async function get(url: string, options: RequestInit = {}): Promise<Answer> {
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const answer = await fetch(url, { redirect: 'manual', signal, ...options });
    const text = (await answer.text()).slice(0, LONGEST_TEXT);
    return { status: answer.status, text, headers: Object.fromEntries(answer.headers) };
  } catch {
    return null;
  }
}

/** Sends what looks like a webhook until its body is read, and names no event: OTP Guard refuses it. */
const sendEmptyWebhook = (publicUrl: string) =>
  get(`${publicUrl}/api/github/webhooks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` },
    body: '{}',
  });

/** The IP addresses of a name; empty if it has none. */
async function resolveName(hostname: string): Promise<string[]> {
  const found = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true }).catch(() => []);
  return [...new Set(found.map(({ address }) => address))];
}

/**
 * The certificate that a server shows, even if this machine doesn't trust it; null if nothing answers. Nothing is sent
 * to the server.
 */
function readCertificate({ hostname, port }: URL): Promise<Certificate | null> {
  return new Promise((resolve) => {
    const options = { host: hostname, servername: hostname, port: Number(port || 443), timeout: ANSWER_MS };
    const socket = connect({ ...options, rejectUnauthorized: false });
    const end = (certificate: Certificate | null) => {
      socket.destroy();
      resolve(certificate);
    };
    socket.once('error', () => end(null));
    socket.once('timeout', () => end(null));
    socket.once('secureConnect', () => {
      const { valid_to: validTo } = socket.getPeerCertificate();
      const refusal = socket.authorized ? null : String(socket.authorizationError);
      end({ validTo: new Date(validTo), refusal });
    });
  });
}

const DAY_MS = 24 * 60 * 60_000;
const RENEW_BEFORE_DAYS = 14;

/** The certificate that a server shows. `refusal` is why this machine doesn't trust it; null if it does. */
type Certificate = { validTo: Date; refusal: string | null };

/** Checks that the host name of PUBLIC_URL resolves, and how long its certificate is valid. */
export async function checkAddress(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { now, resolve, certificateOf } = {
    now: systemClock.now,
    resolve: resolveName,
    certificateOf: readCertificate,
  },
): Promise<Found> {
  const url = new URL(publicUrl);
  const addresses = await resolve(url.hostname);
  if (addresses.length === 0)
    return problem(`${url.hostname} doesn't resolve. Create its DNS record, or correct PUBLIC_URL.`);
  const where = `${url.hostname} resolves to ${addresses.join(', ')}`;
  if (url.protocol === 'http:') return ok(`${where}; http has no certificate.`);
  const certificate = await certificateOf(url);
  if (!certificate)
    return problem(`${where}, but nothing answers with TLS at ${url.host}. Start the proxy in front.`);
  const days = Math.floor((certificate.validTo.getTime() - now().getTime()) / DAY_MS);
  const until = certificate.validTo.toISOString().slice(0, 10);
  if (days < 0) return problem(`The certificate of ${url.host} expired on ${until}. Renew it.`);
  if (certificate.refusal !== null)
    return problem(
      `This machine doesn't trust the certificate of ${url.host} (${certificate.refusal}). GitHub won't either, unless it has your own authority.`,
    );
  const text = `${where}. Its certificate is valid until ${until}`;
  return days < RENEW_BEFORE_DAYS
    ? note(`${text}, in ${days} days. Check that it renews automatically.`)
    : ok(`${text}.`);
}

/** The headers that a proxy must leave as they are. */
const OURS = ['content-security-policy', 'x-content-type-options'];

/** Checks that TRUST_PROXY fits PUBLIC_URL, and what a request through PUBLIC_URL shows of the proxy. */
export async function checkProxy(
  config: Pick<Config, 'publicUrl' | 'trustProxy'>,
  { request, sendWebhook } = { request: get, sendWebhook: sendEmptyWebhook },
): Promise<Found> {
  const { publicUrl, trustProxy } = config;
  if (isProxyUnknown(config))
    return problem(
      'PUBLIC_URL is https, so a proxy is in front, but TRUST_PROXY is not set: all people share one address and its limits. Set TRUST_PROXY to the number of proxies, such as TRUST_PROXY=1.',
    );
  const [answer, webhook] = await Promise.all([request(`${publicUrl}/healthz`), sendWebhook(publicUrl)]);
  if (webhook?.status === 411)
    return problem(
      'The proxy in front sends webhooks on in chunks, without the Content-Length that GitHub gives them, and OTP Guard refuses them (411). Let it pass Content-Length on.',
    );
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

type LocalConfig = Pick<Config, 'publicUrl' | 'host' | 'port'>;

/** The address on which OTP Guard listens, as this machine reaches it. */
export const localUrlOf = ({ host, port }: Pick<Config, 'host' | 'port'>) =>
  `http://${host ?? 'localhost'}:${port}`;

/**
 * Checks that PUBLIC_URL leads to this OTP Guard: it answers, and publishes the keys of this App under this address.
 */
export async function checkReach(config: LocalConfig, appId: number, request = get): Promise<Found> {
  const { publicUrl } = config;
  const [alive, list, local] = await Promise.all([
    request(`${publicUrl}/healthz`),
    request(`${publicUrl}/.well-known/otp-guard.json`),
    request(`${localUrlOf(config)}/healthz`),
  ]);
  if (!local && alive?.status !== 200)
    return unknown(`${publicUrl} leads nowhere while OTP Guard doesn't run. Start it, then look again.`);
  if (!alive)
    return symptom(
      `${publicUrl} doesn't answer this machine. Check DNS, firewall and proxy; if your network doesn't lead back into itself, try from outside.`,
      ['address'],
    );
  const leadsToOne = alive.status === 200 && isOurs(alive.text);
  if (leadsToOne && (!list || list.status >= 500))
    return unknown(
      `${publicUrl} leads to an OTP Guard that isn't ready, so it isn't known whether it is this one.`,
    );
  const { app, host } = membersOf(list?.status === 200 ? list.text : '');
  if (alive.status !== 200 || typeof app !== 'number' || typeof host !== 'string')
    return problem(`${publicUrl} answers, but not as OTP Guard (${alive.status}). Point its proxy at PORT.`);
  if (app !== appId)
    return problem(
      `${publicUrl} leads to an OTP Guard with another App (${app}). Check the proxy and APP_ID.`,
    );
  if (host !== publicUrl)
    return problem(
      `The OTP Guard at ${publicUrl} runs with PUBLIC_URL=${host}. Start it again with one address.`,
    );
  return ok(`${publicUrl} leads to this OTP Guard.`);
}

/** The members of an answer in JSON; none if it isn't one. */
export function membersOf(text: string): Record<string, unknown> {
  try {
    return { ...(JSON.parse(text) as object | null) };
  } catch {
    return {};
  }
}

/** The answer of our `/healthz`, as no other program gives it. */
export function isOurs(text: string): boolean {
  const { status, ...rest } = membersOf(text);
  return status === 'ok' && 'version' in rest && 'commit' in rest;
}
