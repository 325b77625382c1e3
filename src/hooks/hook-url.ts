import { AppError } from '../app-error.ts';

/** A host name with a dot, as URLs write it: no numbers only, no trailing dot, no port. */
const HOST_NAME = /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Reserved for local use (RFC 6761, RFC 6762, RFC 9476 and ICANN's `internal`). */
const LOCAL = /\.(localhost|local|localdomain|internal|intranet|lan|home|corp|arpa|onion|alt)$/;

/**
 * Checks the address of a hook: https, at port 443, without a password and
 * fragment. A literal address must be public; a host name is looked up at each
 * connection, and not here. Only one port, so that nobody can scan ports.
 *
 * @returns The address in its normal form, and its host name.
 * @throws AppError `wrongHookUrl`. It never contains the address.
 */
export function parseHookUrl(
  text: string,
  isPublic: (address: string) => boolean,
): { url: string; host: string } {
  const trimmed = text.trim();
  // Only what people see: the parser would drop tabs and line breaks, and read a backslash as a slash.
  const isPlain = /^https:\/\/(?!\/)[\x21-\x5b\x5d-\x7e]+$/i.test(trimmed);
  if (!isPlain || !URL.canParse(trimmed)) throw new AppError('wrongHookUrl');
  const url = new URL(trimmed);
  const { protocol, username, password, port, hash, hostname: host } = url;
  const hasMore = username !== '' || password !== '' || port !== '' || hash !== '';
  const isAllowed = HOST_NAME.test(host) ? !LOCAL.test(host) : isPublic(host.replace(/^\[|\]$/g, ''));
  if (protocol !== 'https:' || hasMore || !isAllowed) throw new AppError('wrongHookUrl');
  return { url: url.href, host };
}
