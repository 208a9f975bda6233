import { dayIssue, timeIssue } from '../domain/field-formats';
import { BPS_WHOLE } from '../domain/money';
import { safeText } from './safe-text';
import { usageError } from './errors';

const AMOUNT_PATTERN = /^(\d{1,13})(?:\.(\d{1,2}))?$/;

/** `120.5` → 12050 cents, without a fraction on the way. @throws CommandProblem */
export function readCents(text: string, option: string): number {
  const [, units, hundredths = ''] = AMOUNT_PATTERN.exec(text) ?? [];
  if (units === undefined) throw usageError(`${option} takes an amount such as 120.50, not "${text}"`);
  return Number(`${units}${hundredths.padEnd(2, '0')}`);
}

/** Money that changes hands: never nothing. @throws CommandProblem */
export function readPaidCents(text: string, option: string): number {
  const cents = readCents(text, option);
  if (cents === 0) throw usageError(`${option} must be an amount from 0.01, not "${text}"`);
  return cents;
}

/** `12.5` per cent → 1250 basis points. @throws CommandProblem */
export function readBps(text: string, option: string): number {
  const [, units, hundredths = ''] = AMOUNT_PATTERN.exec(text) ?? [];
  const bps = units === undefined ? Number.NaN : Number(`${units}${hundredths.padEnd(2, '0')}`);
  if (!(bps <= BPS_WHOLE)) throw usageError(`${option} takes per cent from 0 to 100, such as 12.5, not "${text}"`);
  return bps;
}

/** @throws CommandProblem */
export function readInteger(text: string, option: string): number {
  if (!/^\d{1,15}$/.test(text)) throw usageError(`${option} takes a whole number, not "${text}"`);
  return Number(text);
}

/** @throws CommandProblem */
export function readPositiveInteger(text: string, option: string, max?: number): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= (max ?? number)) return number;
  throw usageError(`${option} takes a whole number from 1${max === undefined ? '' : ` to ${max}`}, not "${text}"`);
}

const LOCAL_TIME_PATTERN = /^(\d{4}-\d\d-\d\d)(?:[ T]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?))?$/;

/**
 * `2026-03-01 09:30` is meant where the terminal is, and a day is its first moment there; a time with an offset is sent as it is.
 * @throws CommandProblem
 */
export function readTime(text: string, option: string): string {
  const [, day, time = '00:00'] = LOCAL_TIME_PATTERN.exec(text) ?? [];
  if (dayIssue(day) === null) return new Date(`${String(day)}T${time}`).toISOString();
  if (timeIssue(text) === null) return text;
  throw usageError(`${option} takes a time such as "2026-03-01 09:30" or 2026-03-01T09:30:00Z, or a day such as 2026-03-01, not "${text}"`);
}

/** The same where the API has a meaning for days: those are sent as they are. @throws CommandProblem */
export const readDayOrTime = (text: string, option: string): string => (dayIssue(text) === null ? text : readTime(text, option));

/** @throws CommandProblem */
export function readDay(text: string, option: string): string {
  if (dayIssue(text) !== null) throw usageError(`${option} takes a day such as 2026-03-01, not "${text}"`);
  return text;
}

const padTwoDigits = (number: number): string => String(number).padStart(2, '0');

/** As the clock on the wall has it; `--json` has it exactly. */
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

/** The studio's own details have several lines. */
const joinLines = (field: string, text: string): string => (/^(address|bank)$/.test(field) ? text.replaceAll('\n', ' / ') : text);

/** One value for people, by what its field's name says it is. */
export function formatValue(field: string, value: unknown, currency: string | null): string {
  if (value === null && Object.hasOwn(NO_LIMIT_TEXTS, field)) return NO_LIMIT_TEXTS[field] ?? '–';
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'number') return formatNumber(field, value, currency);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return isTime(field, value) ? formatTime(new Date(value)) : safeText(joinLines(field, value));
  if (Array.isArray(value)) return value.map((each) => formatValue(field, each, currency)).join(', ') || '–';
  const { line, quantity, ...rest } = value as Record<string, unknown>;
  if (typeof line === 'number' && typeof quantity === 'number' && Object.keys(rest).length === 0) return `${line + 1}=${quantity}`;
  if (Object.hasOwn(value, 'postcode')) return formatAddress(value);
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

const ADDRESS_FIELDS = ['name', 'company', 'line1', 'line2', 'city', 'state', 'postcode', 'country', 'phone', 'email'];

/** As one would write it, whatever order its fields came in. */
function formatAddress(fields: object): string {
  const values = new Map<string, unknown>(Object.entries(fields));
  return ADDRESS_FIELDS.flatMap((field) => (typeof values.get(field) === 'string' ? [safeText(String(values.get(field)))] : [])).join(', ');
}
