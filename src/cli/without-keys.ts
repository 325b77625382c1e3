import { parseEnvelope } from '../proofs/dsse.ts';
import { printable } from './printable.ts';
import { UncheckedError } from './usage-error.ts';

/** What to add, with the address that the file names as its server's. Anybody can write that into a file. */
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
    return addressOf((statement as { predicate: { issuer: unknown } }).predicate.issuer);
  } catch {
    return null;
  }
}

/** The server that an exported log says it's from: the name of the log begins with its host. */
export function issuerOfExport(input: unknown): string | null {
  const { log } = (input ?? {}) as { log?: unknown };
  const [host, rest] = typeof log === 'string' ? log.split('/log/') : [];
  return host && rest ? addressOf(`https://${host}`) : null;
}

function addressOf(text: unknown): string | null {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : null;
  return url && /^https?:$/.test(url.protocol) ? url.origin : null;
}
