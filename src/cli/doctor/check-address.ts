import type { Clock } from '../../shared/clock.ts';
import { type Found, note, ok, problem } from './finding.ts';

const DAY_MS = 24 * 60 * 60_000;
const RENEW_BEFORE_DAYS = 14;

/** The certificate that a server shows. `refusal` is why this machine doesn't trust it; null if it does. */
export type Certificate = { validTo: Date; refusal: string | null };

export type AddressDeps = {
  publicUrl: string;
  clock: Clock;
  /** The IP addresses of a name; empty if it has none. */
  resolve(hostname: string): Promise<string[]>;
  /** Null if nothing answers there. */
  certificateOf(url: URL): Promise<Certificate | null>;
};

/** Whether the host name of PUBLIC_URL resolves, and for how long its certificate is valid. */
export async function checkAddress(deps: AddressDeps): Promise<Found> {
  const url = new URL(deps.publicUrl);
  const addresses = await deps.resolve(url.hostname);
  if (addresses.length === 0)
    return problem(`${url.hostname} doesn't resolve. Create its DNS record, or correct PUBLIC_URL.`);
  const where = `${url.hostname} resolves to ${addresses.join(', ')}`;
  if (url.protocol === 'http:') return ok(`${where}; http has no certificate.`);
  const certificate = await deps.certificateOf(url);
  if (!certificate)
    return problem(`${where}, but nothing answers with TLS at ${url.host}. Start the proxy in front.`);
  const days = Math.floor((certificate.validTo.getTime() - deps.clock.now().getTime()) / DAY_MS);
  const until = certificate.validTo.toISOString().slice(0, 10);
  if (days < 0) return problem(`The certificate of ${url.host} expired on ${until}. Renew it.`);
  if (certificate.refusal !== null)
    return problem(
      `This machine doesn't trust the certificate of ${url.host} (${certificate.refusal}). GitHub won't either, unless it has your own authority.`,
    );
  const text = `${where}. Its certificate is valid until ${until}`;
  return days < RENEW_BEFORE_DAYS
    ? note(`${text}, in ${days} days. Check that it renews by itself.`)
    : ok(`${text}.`);
}
