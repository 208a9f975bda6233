import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import ipaddr from 'ipaddr.js';
import type { CodecKeys } from './security/payload-codec';
import type { SecretsKey } from './security/secrets-keys';
import { TOKEN_PREFIX } from './security/api-keys';
import { SETTINGS, settingsByProductionRule, type SettingName } from './settings';

/** Nobody has mail there: RFC 2606 and RFC 6761 keep these names for examples and tests. */
const RESERVED_DOMAIN = /(^|\.)(invalid|example|test|localhost|example\.(com|net|org))$/i;

const SECRET_BITS = 256;

/** The shortest prefix a trusted range may have, and how many of the widest a list may come to. */
const MIN_PREFIX_LENGTH = { ipv4: 8, ipv6: 16 };
const MAX_WIDEST_RANGES = 16;

/** Development and tests say so; whatever else NODE_ENV says, and where it says nothing, is production. */
export function isProduction(nodeEnv: string | undefined): boolean {
  return nodeEnv !== 'development' && nodeEnv !== 'test';
}

/** The settings that are judged, as far as they could be read. */
export interface CheckedSettings {
  smtpUrl: string | null;
  /** As given; null where the default, an address of nobody, would hold. */
  mailFrom: string | null;
  studioMail: string | null;
  studioAdminToken: string | null;
  storageSigningSecret: string | null;
  secretsKeys: readonly SecretsKey[];
  codecKeys: CodecKeys | null;
  trustedProxies: readonly string[];
}

/**
 * Everything that is unsafe in production, each with what would work; repeats no secret.
 * @param isSet whether a setting is set at all
 */
export function unsafeSettings(settings: CheckedSettings, isSet: (name: SettingName) => boolean): string[] {
  return [
    ...settingsByProductionRule('refused')
      .filter(isSet)
      .map((name) => `${name} is for development and tests; unset it`),
    ...(settings.smtpUrl === null
      ? [`SMTP_URL is not set, and mail would only be written to files; it takes ${SETTINGS.SMTP_URL.takes}`]
      : []),
    ...mailProblems('MAIL_FROM', settings.mailFrom),
    ...mailProblems('STUDIO_MAIL_TO', settings.studioMail),
    ...secretProblems(settings),
    ...proxyProblems(settings.trustedProxies),
  ];
}

function mailProblems(key: string, text: string | null): string[] {
  const domains = [...(text ?? '').matchAll(/(?<![^\s<>,;"@])[^\s<>,;"@]+@([^\s<>,;"@]+)/g)].map(([, domain]) => domain ?? '');
  if (domains.length > 0 && !domains.some(isUndeliverable)) return [];
  const problem = text === null ? 'is not set' : domains.length === 0 ? 'names no address' : 'names an address that nobody has';
  return [`${key} ${problem}; it takes an address at a name of your own domain`];
}

/** Also with the dot that ends a full name, an address in numbers, and a name without a dot, which only a machine's own network knows. */
function isUndeliverable(address: string): boolean {
  const domain = address.replace(/(?<!\.)\.+$/, '');
  return RESERVED_DOMAIN.test(domain) || !domain.includes('.') || domain.startsWith('[') || ipaddr.isValid(domain);
}

function secretProblems({ studioAdminToken, storageSigningSecret, secretsKeys, codecKeys }: CheckedSettings): string[] {
  const problems: string[] = [];
  const command = 'openssl rand -hex 32';
  if (studioAdminToken !== null && !looksRandom(studioAdminToken.replace(TOKEN_PREFIX, '')))
    problems.push(`STUDIO_ADMIN_TOKEN is no 32 random bytes; write lps_ and what this prints: ${command}`);
  if (storageSigningSecret !== null && !looksRandom(storageSigningSecret))
    problems.push(
      `STORAGE_SIGNING_SECRET is no 32 random bytes; take what this prints: ${command}   or unset it, and the service makes one`,
    );
  return [...problems, ...keyProblems('SECRETS_KEY', secretsKeys), ...keyProblems('TEMPORAL_CODEC_KEY', codecKeys?.decryptionKeys ?? [])];
}

function keyProblems(setting: string, keys: readonly SecretsKey[]): string[] {
  return keys
    .filter(({ key }) => !looksRandom(Buffer.from(key).toString('hex')))
    .map(
      ({ id }) =>
        `${setting}: the key ${id} is no 32 random bytes; take what this prints: node -p "require('node:crypto').randomBytes(32).toString('base64url')"`,
    );
}

/**
 * Whether a secret has 256 bits in its alphabet and no pattern that people type: few characters, repetition, equal steps, words. At most
 * one random secret in a billion fails.
 */
function looksRandom(secret: string): boolean {
  const bits = bitsPerCharacter(secret);
  if (secret.length * bits < SECRET_BITS || new Set(secret).size < minDistinctCharacters(bits)) return false;
  const bytes = bits === 4 ? Buffer.from(secret, 'hex') : Buffer.from(secret);
  return !hasPattern(bytes, bits === 4) && !isRepetitive(secret) && (bits < 6 || !looksLikeWords(secret));
}

/** The fewest different characters of a random secret. */
const minDistinctCharacters = (bits: number): number => (bits < 4 ? 7 : 9);

function bitsPerCharacter(secret: string): number {
  if (/^\d*$/.test(secret)) return Math.log2(10);
  return /^[\da-f]*$/i.test(secret) ? 4 : 6;
}

/** Half of the steps from byte to byte are the same, or all bytes are printable though they could be any. */
function hasPattern(bytes: Buffer, isBinary: boolean): boolean {
  const steps = new Map<number, number>();
  for (let at = 1; at < bytes.length; at += 1) {
    const step = ((bytes[at] ?? 0) - (bytes[at - 1] ?? 0) + 256) % 256;
    steps.set(step, (steps.get(step) ?? 0) + 1);
  }
  return Math.max(0, ...steps.values()) * 2 >= bytes.length - 1 || (isBinary && bytes.every((byte) => byte >= 0x20 && byte < 0x7f));
}

/**
 * Whether deflate makes the secret a fifth shorter than random text of its length and alphabet: then it repeats pieces of itself. None of
 * 200,000 random secrets became a tenth shorter.
 */
function isRepetitive(secret: string): boolean {
  const bits = bitsPerCharacter(secret);
  const alphabet = bits < 4 ? '0123456789' : bits === 4 ? '0123456789abcdef' : BASE64URL;
  return deflateRawSync(secret).length < 0.8 * deflateRawSync(randomText(alphabet, secret.length)).length;
}

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Always the same, so every start judges a setting alike. */
function randomText(alphabet: string, length: number): string {
  const bytes = createHash('shake256', { outputLength: length }).update('trade print').digest();
  return Array.from(bytes, (byte) => alphabet.charAt(byte % alphabet.length)).join('');
}

/** Whether it has neither a capital nor a digit. */
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
      (cidr) => `TRUSTED_PROXIES: "${cidr}" lets strangers say who they are; name your proxies' own ranges, none wider than /8 (IPv6: /16)`,
    );
  const narrow = valid.map((cidr): Range => ipaddr.parseCIDR(cidr)).filter((range) => !isWide(range));
  for (const [kind, name] of [
    ['ipv4', 'IPv4'],
    ['ipv6', 'IPv6'],
  ] as const) {
    if (addressShare(narrow.filter(([address]) => address.kind() === kind)) > MAX_WIDEST_RANGES * 2 ** -MIN_PREFIX_LENGTH[kind])
      problems.push(`TRUSTED_PROXIES: its ${name} ranges together let strangers say who they are; name your proxies' own ranges alone`);
  }
  return problems;
}

/** What part of all addresses the ranges cover, from 0 to 1; two ranges are apart, or one holds the other. */
function addressShare(ranges: readonly Range[]): number {
  const outermost = new Set<string>();
  for (const [address, bits] of [...ranges].sort(([, a], [, b]) => a - b)) {
    const network = bitsOf(address).slice(0, bits);
    const isCovered = Array.from(network, (_, end) => network.slice(0, end + 1)).some((prefix) => outermost.has(prefix));
    if (!isCovered) outermost.add(network);
  }
  return [...outermost].reduce((sum, { length }) => sum + 2 ** -length, 0);
}

/** An address as text of 0 and 1. */
function bitsOf(address: Range[0]): string {
  return address
    .toByteArray()
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('');
}
