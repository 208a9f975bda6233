import { addressLines, type PostalAddress } from '../domain/address-lines';
import { dayIssue, timeIssue } from '../domain/field-formats';
import { BPS_WHOLE } from '../domain/money';
import { safeText } from './safe-text';
import { usageError } from './errors';

/** `120.5` → 12050, without floating-point numbers. */
function parseHundredths(text: string): number {
  const [, units, hundredths = ''] = /^(\d{1,13})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  return units === undefined ? Number.NaN : Number(`${units}${hundredths.padEnd(2, '0')}`);
}

/** @throws CommandFailure */
export function readCents(text: string, option: string): number {
  const cents = parseHundredths(text);
  if (Number.isNaN(cents)) throw usageError(`${option} takes an amount such as 120.50, not "${text}"`);
  return cents;
}

/** A positive amount. @throws CommandFailure */
export function readPaidCents(text: string, option: string): number {
  const cents = readCents(text, option);
  if (cents === 0) throw usageError(`${option} must be an amount from 0.01, not "${text}"`);
  return cents;
}

/** `12.5` percent → 1250 basis points. @throws CommandFailure */
export function readBps(text: string, option: string): number {
  const bps = parseHundredths(text);
  if (!(bps <= BPS_WHOLE)) throw usageError(`${option} takes a percentage from 0 to 100, such as 12.5, not "${text}"`);
  return bps;
}

/** @throws CommandFailure */
export function readInteger(text: string, option: string): number {
  if (!/^\d{1,15}$/.test(text)) throw usageError(`${option} takes a whole number, not "${text}"`);
  return Number(text);
}

/** `1`: the first line, which is 0 in the API. People count from 1, as the job sheet does. @throws CommandFailure */
export function readLine(text: string, option: string): number {
  if (!/^[1-9]\d{0,2}$/.test(text)) throw usageError(`${option} takes a line number from 1, not "${text}"`);
  return Number(text) - 1;
}

/** @throws CommandFailure */
export function readPositiveInteger(text: string, option: string, max?: number): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= (max ?? number)) return number;
  throw usageError(`${option} takes a whole number from 1${max === undefined ? '' : ` to ${max}`}, not "${text}"`);
}

const LOCAL_TIME_PATTERN = /^(\d{4}-\d\d-\d\d)(?:[ T]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?))?$/;

/**
 * `2026-03-01 09:30` uses the time zone of the terminal, and a day means its first moment there. A time with an offset stays unchanged.
 * @throws CommandFailure
 */
export function readTime(text: string, option: string): string {
  const [, day, time = '00:00'] = LOCAL_TIME_PATTERN.exec(text) ?? [];
  if (dayIssue(day) === null) return new Date(`${String(day)}T${time}`).toISOString();
  if (timeIssue(text) === null) return text;
  throw usageError(`${option} takes a time such as "2026-03-01 09:30" or 2026-03-01T09:30:00Z, or a day such as 2026-03-01, not "${text}"`);
}

/** Sends days unchanged, because the API interprets them. @throws CommandFailure */
export const readDayOrTime = (text: string, option: string): string => (dayIssue(text) === null ? text : readTime(text, option));

/** @throws CommandFailure */
export function readDay(text: string, option: string): string {
  if (dayIssue(text) !== null) throw usageError(`${option} takes a day such as 2026-03-01, not "${text}"`);
  return text;
}

const padTwoDigits = (number: number): string => String(number).padStart(2, '0');

/** Local time; `--json` prints the exact time. */
export function formatTime(time: Date): string {
  return `${time.getFullYear()}-${padTwoDigits(time.getMonth() + 1)}-${padTwoDigits(time.getDate())} ${padTwoDigits(time.getHours())}:${padTwoDigits(time.getMinutes())}`;
}

/** `-145000`, AUD → `AUD -1,450.00`. */
function formatCents(cents: number, currency: string | null): string {
  const amount = Math.abs(cents);
  const units = Math.floor(amount / 100).toLocaleString('en');
  return `${currency === null ? '' : `${currency} `}${cents < 0 ? '-' : ''}${units}.${padTwoDigits(amount % 100)}`;
}

const NO_LIMIT_TEXTS: Readonly<Record<string, string>> = { creditLimitCents: 'none (no limit)', availableCents: 'no limit' };

/** Prints the studio's address and bank details, which have several lines, on one line. */
const joinLines = (field: string, text: string): string => (/^(address|bank)$/.test(field) ? text.replaceAll('\n', ' / ') : text);

/** Formats a value by the name of its field. */
export function formatValue(field: string, value: unknown, currency: string | null): string {
  if (value === null && Object.hasOwn(NO_LIMIT_TEXTS, field)) return NO_LIMIT_TEXTS[field] ?? '–';
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'number') return formatNumber(field, value, currency);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return isTime(field, value) ? formatTime(new Date(value)) : safeText(joinLines(field, value));
  if (Array.isArray(value)) return value.map((each) => formatValue(field, each, currency)).join(', ') || '–';
  const { line, quantity, ...rest } = value as Record<string, unknown>;
  if (typeof line === 'number' && typeof quantity === 'number' && Object.keys(rest).length === 0) return `${line + 1}=${quantity}`;
  if (Object.hasOwn(value, 'line1')) return formatAddress(value as PostalAddress);
  return Object.entries(value)
    .filter(([, each]) => each !== null)
    .map(([name, each]) => `${safeText(name)} ${formatValue(name, each, currency)}`)
    .join(', ');
}

function formatNumber(field: string, value: number, currency: string | null): string {
  if (field === 'line') return String(value + 1); // people count from 1, the API from 0
  if (field.endsWith('Cents')) return formatCents(value, currency);
  if (field.endsWith('Bps')) return `${formatCents(value, null)} %`;
  return String(value);
}

function isTime(field: string, value: string): boolean {
  return /(At|Until|Run)$|^(at|since|from|to)$/.test(field) && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value));
}

/** An address in the order of its country, with phone and e-mail address. */
function formatAddress({ phone, email, ...address }: PostalAddress & { phone?: string | null; email?: string | null }): string {
  const lines = [...addressLines(address), phone ?? '', email ?? ''];
  return lines
    .filter((line) => line !== '')
    .map(safeText)
    .join(', ');
}
