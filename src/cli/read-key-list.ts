import { goThroughProxy } from '../adapters/https/outgoing-proxy.ts';
import type { KeyList } from '../contract/receipts.ts';
import { parseEnvelope } from '../proofs/dsse.ts';
import { parseKeyList } from '../proofs/trusted-log.ts';
import { readEnvironmentsProxy } from '../settings/outgoing-proxy.ts';
import { printable } from './print.ts';
import { orUnchecked, readJson } from './read-file.ts';
import { UncheckedError, UnreadableError, UsageError } from './usage-error.ts';

export type KeyOptions = { keys?: string; origin?: string };

const PATH = '/.well-known/otp-guard.json';
const LARGEST = 4 * 2 ** 20;
const ANSWER_MS = 15_000;
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The published key list from a file or its server; null if neither is given.
 *
 * @throws UsageError; UncheckedError if it can't be read.
 */
export const readKeyList = (options: KeyOptions): Promise<KeyList | null> => orUnchecked(read(options));

async function read({ keys, origin }: KeyOptions): Promise<KeyList | null> {
  if (keys !== undefined) return require(parseKeyList(await readJson(keys, LARGEST)), keys);
  if (origin === undefined) return null;
  const url = addressOf(origin);
  const list = require(parseKeyList(await fetchJson(url)), url.href);
  if (list.host !== url.origin)
    throw new UnreadableError(`${url.origin} shows the key list of ${JSON.stringify(list.host)}.`);
  return list;
}

function require(list: KeyList | null, from: string): KeyList {
  if (!list) throw new UnreadableError(`${from} isn’t a published key list.`);
  return list;
}

/** Without TLS, anyone on the way could put in their own keys, and read a session. */
export function addressOf(origin: string, path = PATH): URL {
  const url = URL.canParse(origin) ? new URL(path, origin) : null;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.includes(url.hostname));
  if (!url || !isSafe) throw new UsageError('Give --origin as an address that begins with https://.');
  return url;
}

async function fetchJson(url: URL): Promise<unknown> {
  await goThroughProxy(readEnvironmentsProxy());
  try {
    const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(ANSWER_MS) });
    if (answer.status !== 200) throw new UnreadableError(`${url.href} answered ${answer.status}.`);
    return JSON.parse(await readBounded(answer));
  } catch (error) {
    if (error instanceof UnreadableError) throw error;
    throw new UnreadableError(`The key list can’t be read from ${url.href}.`, { cause: error });
  }
}

async function readBounded(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    size += chunk.length;
    if (size > LARGEST) throw new UnreadableError(`${answer.url} is too large.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Says which option to add, with the address that the file names as its server's. Anybody can write it there. */
export function withoutKeys(file: string, issuer: string | null): UncheckedError {
  const named = issuer === null ? '<the server’s address>' : printable(issuer);
  const warning =
    issuer === null ? '' : ' The file names this address itself: add it only if you know that it’s yours.';
  return new UncheckedError(
    `${file} can’t be checked without the keys that the server publishes. Add --origin ${named}, or save ` +
      `${issuer === null ? '' : named}/.well-known/otp-guard.json and add --keys with that file.${warning}`,
  );
}

/** The server that a receipt, or the first one of a file of several, says it's from; null if it says none. */
export function issuerOfReceipt(input: unknown): string | null {
  const { receipts } = (input ?? {}) as { receipts?: unknown };
  const parsed = parseEnvelope(Array.isArray(receipts) ? receipts[0] : input);
  try {
    const statement: unknown = JSON.parse(new TextDecoder().decode(parsed?.payload));
    return originIn((statement as { predicate: { issuer: unknown } }).predicate.issuer);
  } catch {
    return null;
  }
}

/** The server that an exported log says it's from: the name of the log begins with its host. */
export function issuerOfExport(input: unknown): string | null {
  const { log } = (input ?? {}) as { log?: unknown };
  const [host, rest] = typeof log === 'string' ? log.split('/log/') : [];
  return host && rest ? originIn(`https://${host}`) : null;
}

function originIn(text: unknown): string | null {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : null;
  return url && /^https?:$/.test(url.protocol) ? url.origin : null;
}
