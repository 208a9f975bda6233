/**
 * Defines "public HTTPS" for webhook endpoints (specification "Registering an endpoint", ruling 38). `checkWebhookUrl` checks the URL on
 * registration and at each attempt. `isPublicAddress` checks each resolved address at each connection.
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { LIMITS } from '../domain/limits';
import { readUrl } from '../domain/urls';

/** Error messages for refused URLs, shown to the office. */
export const WEBHOOK_URL_ISSUES = {
  too_long: `must have at most ${LIMITS.urlLength} characters`,
  not_a_url: 'must be an absolute URL such as https://hooks.example.com/orders',
  bad_characters: 'must not contain a space, a control character or a backslash',
  has_credentials: 'must not contain a user name or password',
  has_fragment: 'must not contain a fragment (#)',
  not_https: 'must start with https://',
  bad_port: 'must use port 443',
  ip_address: 'must contain a host name, not an IP address',
  underscore: 'must not have "_" in the last two parts of the host name',
  not_a_public_name: 'must contain the name of a host on the public internet',
} as const;
export type WebhookUrlIssue = keyof typeof WEBHOOK_URL_ISSUES;

/** `url` is the URL to store and use. An allowed origin may use any address. */
type WebhookUrlVerdict = { ok: true; url: URL; isAllowedOrigin: boolean } | { ok: false; reason: WebhookUrlIssue };

const UNSAFE_TEXT = /[\s\\\p{Cc}\p{Cf}\p{Cs}]/u;
const SCHEME_AND_AUTHORITY = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]+)/i;
/** Registrars refuse underscores, but a domain's owner may use them below it. */
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const TOP_LABEL = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,58}[a-z0-9])$/;

/** Names for private use, or for networks other than the internet (RFC 6761, 6762, 7686, 8375, 9476; ICANN's `internal`). */
const PRIVATE_SUFFIXES = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'arpa',
  'onion',
  'alt',
];

/**
 * Checks a webhook URL with the WHATWG parser, which the sender also uses. URLs of `allowedOrigins` need not be public HTTPS (setting
 * WEBHOOK_ALLOWED_ORIGINS). Origins are compared exactly, and names are not resolved.
 */
export function checkWebhookUrl(text: string, { allowedOrigins }: { allowedOrigins: readonly string[] }): WebhookUrlVerdict {
  const textIssue = findTextIssue(text);
  if (textIssue !== null) return { ok: false, reason: textIssue };
  const url = new URL(text);
  if (allowedOrigins.includes(url.origin)) return { ok: true, url, isAllowedOrigin: true };
  const issue = findPublicUrlIssue(url);
  return issue === null ? { ok: true, url, isAllowedOrigin: false } : { ok: false, reason: issue };
}

/** Finds text that is refused in every URL, even of an allowed origin, because two parsers could read it differently. */
function findTextIssue(text: string): WebhookUrlIssue | null {
  if (text.length > LIMITS.urlLength) return 'too_long';
  if (UNSAFE_TEXT.test(text)) return 'bad_characters';
  const authority = SCHEME_AND_AUTHORITY.exec(text)?.[1];
  const url = readUrl(text);
  if (authority === undefined || url === null) return 'not_a_url';
  if (authority.includes('@')) return 'has_credentials';
  if (text.includes('#')) return 'has_fragment';
  return url.href.length > LIMITS.urlLength ? 'too_long' : null;
}

function findPublicUrlIssue(url: URL): WebhookUrlIssue | null {
  if (url.protocol !== 'https:') return 'not_https';
  if (url.username !== '' || url.password !== '') return 'has_credentials';
  if (url.port !== '') return 'bad_port';
  if (isIP(bareHost(url)) !== 0) return 'ip_address';
  if (!isPublicName(url.hostname)) return 'not_a_public_name';
  return url.hostname.split('.').slice(-2).join('').includes('_') ? 'underscore' : null;
}

/** The host without the brackets of an IPv6 literal. */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

/** True for at least two labels of letters, digits, underscores and inner hyphens, without a final dot or a private suffix. */
function isPublicName(host: string): boolean {
  const labels = host.split('.');
  if (host.length > 253 || labels.length < 2 || !labels.every((label) => LABEL.test(label))) return false;
  const top = labels.at(-1) ?? '';
  return TOP_LABEL.test(top) && !PRIVATE_SUFFIXES.includes(top);
}

/** Ranges outside the public internet that IANA does not list as special, so ipaddr.js does not know them. */
const DENIED_RANGES = [
  '168.63.129.16/32', // Azure's host, reachable from every machine there
  '3ffe::/16', // the 6bone, returned (RFC 3701)
].map((range) => ipaddr.parseCIDR(range));

/** The only allocated global unicast range of IPv6 (RFC 4291, IANA). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * True for an address of the public internet, in its plain notation. False for loopback, private, link-local, shared,
 * reserved, multicast and documentation ranges, for every form of IPv6 that carries an IPv4 address (mapped, compatible,
 * NAT64, 6to4, Teredo, ISATAP), for zones, and for invalid addresses.
 */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0 || text.includes('%')) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  if (address.kind() === 'ipv6' && !isGlobalIPv6(address as ipaddr.IPv6)) return false;
  return !DENIED_RANGES.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits));
}

/** False for ISATAP (RFC 5214), which has 0000:5efe or 0200:5efe before its IPv4 address. */
function isGlobalIPv6(address: ipaddr.IPv6): boolean {
  const isatap = (address.parts[4] === 0 || address.parts[4] === 0x200) && address.parts[5] === 0x5efe;
  return address.match(GLOBAL_UNICAST) && !isatap;
}
