import { lookup } from 'node:dns/promises';
import { createServer } from 'node:net';
import { connect } from 'node:tls';
import type { Certificate } from './check-address.ts';
import type { Answer } from './check-reach.ts';

const ANSWER_MS = 5_000;
const LONGEST_TEXT = 1024 * 1024;

/** Requests an address, without a cookie or token. Follows no redirect. */
export async function get(url: string): Promise<Answer> {
  try {
    const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) });
    const text = (await answer.text()).slice(0, LONGEST_TEXT);
    return { status: answer.status, text, headers: Object.fromEntries(answer.headers) };
  } catch {
    return null;
  }
}

export async function resolveName(hostname: string): Promise<string[]> {
  const found = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true }).catch(() => []);
  return [...new Set(found.map(({ address }) => address))];
}

/** The certificate that a server shows, also one that this machine doesn't trust. Nothing is sent to it. */
export function certificateOf({ hostname, port }: URL): Promise<Certificate | null> {
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

/** Listens there as OTP Guard does, and stops. @returns Null if that works, otherwise the code of the error. */
export function tryPort({ port, host }: { port: number; host: string | undefined }): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'unknown'));
    server.once('listening', () => server.close(() => resolve(null)));
    server.listen({ port, host });
  });
}
