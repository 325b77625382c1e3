import ipaddr from 'ipaddr.js';

/** The one block of IPv6 that hosts on the internet have addresses of (RFC 4291, section 2.4). */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');

/** Azure's own services, which each machine there reaches at this public address. */
const AZURE = '168.63.129.16';

/**
 * Whether an IP address belongs to a host on the internet. Everything that has
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
