import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import ipaddr from 'ipaddr.js';
import type { CodecKeys } from '../security/payload-codec';
import type { SecretsKey } from '../security/secrets-keys';
import { TOKEN_PREFIX } from '../security/api-keys';
import { SETTINGS, settingsByProductionRule, type SettingName } from './settings';

/** RFC 2606 and RFC 6761 reserve these domains for examples and tests; they receive no mail. */
const RESERVED_DOMAIN = /(^|\.)(invalid|example|test|localhost|example\.(com|net|org))$/i;

export const NO_BUCKET =
  'S3_BUCKET is not set, and the embedded artwork store is for one machine without production data; name a bucket of an S3-compatible store';

const SECRET_BITS = 256;

/** The shortest allowed prefix of a trusted range. All ranges together may cover as much as this number of such ranges. */
const MIN_PREFIX_LENGTH = { ipv4: 8, ipv6: 16 };
const MAX_WIDEST_RANGES = 16;

/** Every value of NODE_ENV except `development` and `test` means production, including none. */
export function isProduction(nodeEnv: string | undefined): boolean {
  return nodeEnv !== 'development' && nodeEnv !== 'test';
}

/** The checked settings, as far as they could be read. */
export interface CheckedSettings {
  smtpUrl: string | null;
  s3: object | null;
  /** Null if it is not set, because the default has an invalid domain. */
  mailFrom: string | null;
  studioMail: string | null;
  studioAdminToken: string | null;
  storageSigningSecret: string | null;
  secretsKeys: readonly SecretsKey[];
  codecKeys: CodecKeys | null;
  trustedProxies: readonly string[];
}

/**
 * Lists settings that are unsafe in production, each with a valid alternative and without secrets.
 * @param isSet true if the setting is set
 */
export function unsafeSettings(settings: CheckedSettings, isSet: (name: SettingName) => boolean): string[] {
  return [
    ...settingsByProductionRule('refused')
      .filter(isSet)
      .map((name) => `${name} is for development and tests; unset it`),
    ...(settings.smtpUrl === null
      ? [`SMTP_URL is not set, so mail would only be written to files; it takes ${SETTINGS.SMTP_URL.takes}`]
      : []),
    ...(settings.s3 === null ? [NO_BUCKET] : []),
    ...mailProblems('MAIL_FROM', settings.mailFrom),
    ...mailProblems('STUDIO_MAIL_TO', settings.studioMail),
    ...secretProblems(settings),
    ...proxyProblems(settings.trustedProxies),
  ];
}

function mailProblems(key: string, text: string | null): string[] {
  const domains = [...(text ?? '').matchAll(/(?<![^\s<>,;"@])[^\s<>,;"@]+@([^\s<>,;"@]+)/g)].map(([, domain]) => domain ?? '');
  if (key === 'MAIL_FROM' && domains.length > 1) return [`${key} has several addresses; it takes an address of your own domain`];
  if (domains.length > 0 && !domains.some(isUndeliverable)) return [];
  const problem = text === null ? 'is not set' : domains.length === 0 ? 'has no address' : 'has an address that cannot receive mail';
  return [`${key} ${problem}; it takes an address of your own domain`];
}

/** True for reserved domains, also with a final dot, for IP addresses, and for local names without a dot. */
function isUndeliverable(address: string): boolean {
  const domain = address.replace(/(?<!\.)\.+$/, '');
  return RESERVED_DOMAIN.test(domain) || !domain.includes('.') || domain.startsWith('[') || ipaddr.isValid(domain);
}

function secretProblems({ studioAdminToken, storageSigningSecret, secretsKeys, codecKeys }: CheckedSettings): string[] {
  const problems: string[] = [];
  const command = 'openssl rand -hex 32';
  if (studioAdminToken !== null && !looksRandom(studioAdminToken.replace(TOKEN_PREFIX, '')))
    problems.push(`STUDIO_ADMIN_TOKEN is not 32 random bytes; write lps_ and the output of: ${command}`);
  if (storageSigningSecret !== null && !looksRandom(storageSigningSecret))
    problems.push(`STORAGE_SIGNING_SECRET is not 32 random bytes; use the output of: ${command}   or unset it to have one generated`);
  return [...problems, ...keyProblems('SECRETS_KEY', secretsKeys), ...keyProblems('TEMPORAL_CODEC_KEY', codecKeys?.decryptionKeys ?? [])];
}

function keyProblems(setting: string, keys: readonly SecretsKey[]): string[] {
  return keys
    .filter(({ key }) => !looksRandom(Buffer.from(key).toString('hex')))
    .map(
      ({ id }) =>
        `${setting}: the key ${id} is not 32 random bytes; use the output of: node -p "require('node:crypto').randomBytes(32).toString('base64url')"`,
    );
}

/**
 * True if a secret can hold 256 bits in its alphabet and shows no pattern of typed text: few characters, repetition, equal steps or words.
 * Rejects at most one random secret in a billion.
 */
function looksRandom(secret: string): boolean {
  const bits = bitsPerCharacter(secret);
  if (secret.length * bits < SECRET_BITS || new Set(secret).size < minDistinctCharacters(bits)) return false;
  const bytes = bits === 4 ? Buffer.from(secret, 'hex') : Buffer.from(secret);
  return !hasPattern(bytes, bits === 4) && !isRepetitive(secret) && (bits < 6 || !looksLikeWords(secret));
}

/** The minimum of different characters in a random secret. */
const minDistinctCharacters = (bits: number): number => (bits < 4 ? 7 : 9);

function bitsPerCharacter(secret: string): number {
  if (/^\d*$/.test(secret)) return Math.log2(10);
  return /^[\da-f]*$/i.test(secret) ? 4 : 6;
}

/** True if half of the steps between bytes are equal, or if all bytes of a binary secret are printable. */
function hasPattern(bytes: Buffer, isBinary: boolean): boolean {
  const steps = new Map<number, number>();
  for (let at = 1; at < bytes.length; at += 1) {
    const step = ((bytes[at] ?? 0) - (bytes[at - 1] ?? 0) + 256) % 256;
    steps.set(step, (steps.get(step) ?? 0) + 1);
  }
  return Math.max(0, ...steps.values()) * 2 >= bytes.length - 1 || (isBinary && bytes.every((byte) => byte >= 0x20 && byte < 0x7f));
}

/**
 * True if the secret repeats itself. Deflate then compresses it to less than 80% of the size of random text with the same length and
 * alphabet. None of 200,000 random secrets shrank by a tenth.
 */
function isRepetitive(secret: string): boolean {
  const bits = bitsPerCharacter(secret);
  const alphabet = bits < 4 ? '0123456789' : bits === 4 ? '0123456789abcdef' : BASE64URL;
  return deflateRawSync(secret).length < 0.8 * deflateRawSync(randomText(alphabet, secret.length)).length;
}

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Deterministic, so that every start gives the same result. */
function randomText(alphabet: string, length: number): string {
  const bytes = createHash('shake256', { outputLength: length }).update('trade print').digest();
  return Array.from(bytes, (byte) => alphabet.charAt(byte % alphabet.length)).join('');
}

/** True if the text has neither capital letters nor digits. */
function looksLikeWords(secret: string): boolean {
  return !/[A-Z]/.test(secret) && !/\d/.test(secret);
}

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

function proxyProblems(cidrs: readonly string[]): string[] {
  const valid = cidrs.filter((cidr) => ipaddr.isValidCIDR(cidr));
  const isWide = ([address, bits]: Range): boolean => bits < MIN_PREFIX_LENGTH[address.kind()];
  const problems = valid
    .filter((cidr) => isWide(ipaddr.parseCIDR(cidr)))
    .map(
      (cidr) =>
        `TRUSTED_PROXIES: "${cidr}" is too wide, so clients could forge their address; list your proxies' ranges, at most /8 (IPv6: /16) each`,
    );
  const narrow = valid.map((cidr): Range => ipaddr.parseCIDR(cidr)).filter((range) => !isWide(range));
  for (const [kind, name] of [
    ['ipv4', 'IPv4'],
    ['ipv6', 'IPv6'],
  ] as const) {
    if (addressShare(narrow.filter(([address]) => address.kind() === kind)) > MAX_WIDEST_RANGES * 2 ** -MIN_PREFIX_LENGTH[kind])
      problems.push(
        `TRUSTED_PROXIES: its ${name} ranges together are too wide, so clients could forge their address; list only your proxies' ranges`,
      );
  }
  return problems;
}

/** Returns the share of all addresses that the ranges cover, from 0 to 1. Two ranges are either disjoint, or one contains the other. */
function addressShare(ranges: readonly Range[]): number {
  const outermost = new Set<string>();
  for (const [address, bits] of [...ranges].sort(([, a], [, b]) => a - b)) {
    const network = bitsOf(address).slice(0, bits);
    const isCovered = Array.from(network, (_, end) => network.slice(0, end + 1)).some((prefix) => outermost.has(prefix));
    if (!isCovered) outermost.add(network);
  }
  return [...outermost].reduce((sum, { length }) => sum + 2 ** -length, 0);
}

/** An address as a string of 0 and 1. */
function bitsOf(address: Range[0]): string {
  return address
    .toByteArray()
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('');
}
