import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

export type IpRange = [ipaddr.IPv4 | ipaddr.IPv6, number];

/**
 * The source of a request, for counting failed authentication. It is the socket's address. Behind trusted proxies it is the nearest address
 * of X-Forwarded-For that is not a trusted proxy. `::ffff:` is normalized. IPv6 counts by /64, because one client controls all its addresses
 * (ruling 14).
 */
export function sourceAddress(request: IncomingMessage, trusted: IpRange[]): string {
  const forwarded = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((hop) => withoutPort(hop.trim()))
    .reverse();
  let address = request.socket.remoteAddress ?? '';
  for (const hop of forwarded) {
    if (!isTrusted(address, trusted) || !isAddress(hop)) break;
    address = hop;
  }
  return toRateLimitAddress(address);
}

/**
 * Whether the client used https. This listener uses http, so a trusted proxy reports it in X-Forwarded-Proto; the first of several values is
 * the client's.
 */
export function isHttpsRequest(request: IncomingMessage, trusted: IpRange[]): boolean {
  if (!isTrusted(request.socket.remoteAddress ?? '', trusted)) return false;
  const [outermost = ''] = String(request.headers['x-forwarded-proto'] ?? '').split(',');
  return outermost.trim().toLowerCase() === 'https';
}

export function parseRanges(cidrs: string[]): IpRange[] {
  return cidrs.map((cidr) => ipaddr.parseCIDR(cidr) as IpRange);
}

/** Some proxies add the client's port, brackets or quotes: `203.0.113.7:51234`, `[2001:db8::1]:443`, `"[2001:db8::1]"`. */
function withoutPort(hop: string): string {
  const [, ipv6, ipv4] = /^"?(?:\[([^\]]*)\]|([\d.]+))(?::\d*)?"?$/.exec(hop) ?? [];
  return ipv6 ?? ipv4 ?? hop;
}

/** IPv4 has four decimal parts here. `7` is a valid address for ipaddr.js, but no proxy writes it. */
function isAddress(hop: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(hop) || ipaddr.IPv6.isValid(hop);
}

function isTrusted(address: string, trusted: IpRange[]): boolean {
  if (trusted.length === 0 || !ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return trusted.some(([range, bits]) => range.kind() === parsed.kind() && parsed.match(range as ipaddr.IPv4, bits));
}

function toRateLimitAddress(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${(parsed as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
