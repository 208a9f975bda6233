import { findNearestWord } from '../domain/nearest-ids';
import type { Field } from './contract';
import { usageError } from './errors';
import { readJsonFile } from './json-files';
import { readBps, readCents, readDay, readDayOrTime, readInteger, readLine, readPaidCents, readTime } from './values';

/** How an option converts its text to the sent value. */
interface OptionKind {
  /** The value's name in the help; a flag has none. */
  placeholder?: string;
  note?: string;
  /** @throws CommandFailure */
  read?: (text: string, option: string) => unknown;
  /** Converts the example of the contract to the text of the option. */
  write?: (value: never) => string;
  presetValue?: unknown;
  isRepeatable?: true;
  /** The value is an order number or id, sent as an id. */
  isOrderReference?: true;
}

export interface CommandOption extends OptionKind {
  /** The name of the field in the body or the query. */
  field: string;
  flags: string;
  description: string;
  isRequired?: boolean;
  example?: unknown;
}

/** Options whose name is not the field's without its unit. */
const NAMES: Readonly<Record<string, string>> = {
  tradeDiscountBps: 'discount',
  paymentTermsDays: 'terms',
  occurredAt: 'at',
  shippedAt: 'at',
  deliveredAt: 'at',
  shippingAddress: 'address',
  trackingNumber: 'tracking',
  eventTypes: 'event',
  errorCode: 'error',
  studio: 'studio-details',
};

/** `creditLimitCents` → `--credit-limit`, and `scopes` → `--scope`, because it takes one at a time. */
export function flagOf({ name, schema }: Field): string {
  const withoutUnit = name.replace(schema.items === undefined ? /(Cents|Id|Enabled|Hours)$/ : /s$/, '');
  return `--${NAMES[name] ?? withoutUnit.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** The options of a field: one, or two for a boolean that can also be off. */
export function optionsOf(field: Field, describe: (text?: string) => string): CommandOption[] {
  const { name, required, example } = field;
  const kind = kindOf(field);
  const flag = flagOf(field);
  const notes = [kind.note, kind.isRepeatable && 'repeat it for each', required && 'required'].filter(Boolean).join('; ');
  const option = {
    ...kind,
    field: name,
    isRequired: required,
    example,
    flags: kind.placeholder === undefined ? flag : `${flag} <${kind.placeholder}>`,
    description: `${describe(field.description).replace(/\.$/, '')}${notes === '' ? '' : ` (${notes})`}`,
  };
  if (name !== 'apiAccess') return [option];
  return [option, { ...option, flags: `--no-${flag.slice(2)}`, description: `the opposite of ${flag}`, presetValue: false }];
}

const toUnits = (hundredths: number): string => (hundredths / 100).toFixed(2);

function kindOf(field: Field): OptionKind {
  const { name, schema } = field;
  const { properties, enum: choices, type = '', pattern = '' } = schema;
  if (schema.items !== undefined)
    return { ...kindOf({ ...field, name: name.replace(/s$/, ''), schema: schema.items }), isRepeatable: true };
  if (name.endsWith('Enabled')) return { placeholder: 'on|off', read: (text, option) => readChoice(text, option, ['on', 'off']) === 'on' };
  if (type === 'boolean' || String(choices) === 'true') return { presetValue: true };
  if (choices !== undefined) {
    const note = `choices: ${choices.join(', ')}`;
    return { placeholder: flagOf(field).replace(/^.*-/, ''), note, read: (text, option) => readChoice(text, option, choices) };
  }
  if (properties?.quantity !== undefined) return LINE_QUANTITY;
  if (properties?.invoiceId !== undefined) return INVOICE_SHARE;
  if (properties !== undefined || schema.$ref !== undefined) {
    const note = `a JSON file${properties === undefined ? '' : ` with ${Object.keys(properties).join(', ')}`}`;
    return { placeholder: 'file', note, read: (file) => readJsonFile(file), write: () => `${name}.json` };
  }
  if (name.endsWith('Cents'))
    return { placeholder: 'amount', read: type.includes('null') ? readCentsOrNone : readPaidCents, write: toUnits };
  if (name.endsWith('Bps')) return { placeholder: 'percent', read: readBps, write: toUnits };
  if (schema.anyOf !== undefined) return { placeholder: 'time', read: readDayOrTime };
  if (schema.format === 'date-time') return { placeholder: 'time', read: readTime, note: 'such as "2026-03-01 09:30"' };
  if (schema.format === 'date') return { placeholder: 'day', read: readDay };
  if (name === 'line') return { placeholder: 'n', read: readLine };
  if (type.includes('integer') || pattern.startsWith('^[1-9]')) return { placeholder: 'number', read: readInteger };
  if (name === 'orderId') return { placeholder: 'order', isOrderReference: true, note: 'by its number or id' };
  return { placeholder: /(Id|url|Url)$/.exec(name)?.[0].toLowerCase() ?? 'text' };
}

const readCentsOrNone = (text: string, option: string): number | null => (text === 'none' ? null : readCents(text, option));

const LINE_QUANTITY: OptionKind = {
  placeholder: 'line=quantity',
  note: 'such as 1=2: two of the first line',
  read: (text, option) => {
    const [, line = '', quantity] = /^([1-9]\d{0,2})=(\d{1,6})$/.exec(text) ?? [];
    if (quantity === undefined) throw usageError(`${option} takes a line and a quantity, such as 1=2, not "${text}"`);
    return { line: readLine(line, option), quantity: Number(quantity) };
  },
  write: ({ line, quantity }: { line: number; quantity: number }) => `${line + 1}=${quantity}`,
};

const INVOICE_SHARE: OptionKind = {
  placeholder: 'invoice=amount',
  note: 'such as INV-10001=120.50',
  read: (text, option) => {
    const [, invoiceId, share] = /^([^=]+)=(.+)$/.exec(text) ?? [];
    if (share === undefined) throw usageError(`${option} takes an invoice and an amount, such as INV-10001=120.50, not "${text}"`);
    return { invoiceId, amountCents: readPaidCents(share, option) };
  },
};

function readChoice(value: string, option: string, values: readonly string[]): string {
  if (values.includes(value)) return value;
  const nearest = findNearestWord(value, values);
  throw usageError(`${option} takes one of ${values.join(', ')}, not "${value}"${nearest === null ? '' : `; did you mean ${nearest}?`}`);
}

/** ` --amount 84.25`; empty without an example. */
export function exampleText({ flags, example, presetValue, write = String as OptionKind['write'] }: CommandOption): string {
  const [flag = ''] = flags.split(' ');
  if (presetValue !== undefined) return example === presetValue ? ` ${flag}` : '';
  const texts = [example ?? []].flat().map((value) => write?.(value as never) ?? '');
  return texts.map((text) => ` ${flag} ${/^[\w@:/.=,-]+$/.test(text) ? text : `"${text}"`}`).join('');
}
