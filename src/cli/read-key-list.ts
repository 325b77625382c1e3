import type { KeyList } from '../contract/receipts.ts';
import { parseKeyList } from '../proofs/key-list.ts';
import { orUnchecked, readJson } from './read-file.ts';
import { UnreadableError, UsageError } from './usage-error.ts';

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

/** Without TLS, anyone on the way could put in their own keys. */
function addressOf(origin: string): URL {
  const url = URL.canParse(origin) ? new URL(PATH, origin) : null;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.includes(url.hostname));
  if (!url || !isSafe) throw new UsageError('Give --origin as an address that begins with https://.');
  return url;
}

async function fetchJson(url: URL): Promise<unknown> {
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
