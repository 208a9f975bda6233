import { findNearestWord } from '../domain/nearest-ids';
import { readJsonFile } from './json-files';
import { usageError } from './errors';
import type { Column } from './tables';
import { readBps, readCents, readDay, readDayOrTime, readPaidCents, readTime, readInteger } from './values';

/** The output of a command: a table of a list, the fields of one record, or a file. */
export type CommandOutput =
  | { rows: readonly Column[]; /** The response has no pages. */ isUnpaged?: true }
  | {
      fields?: readonly Column[];
      lists?: Readonly<Record<string, readonly Column[]>>;
      /** The list that prints `none` if it is empty. */
      emptyListField?: string;
    }
  | { file: (given: readonly string[]) => string };

export interface CommandOption {
  flags: string;
  description: string;
  /** A dotted path in the body, or a name in the query. */
  field: string;
  /** Converts the text to the sent value. @throws CommandFailure */
  read?: (text: string, option: string) => unknown;
  presetValue?: unknown;
  isRequired?: boolean;
  isRepeatable?: boolean;
  /** The value is an order number or id, sent as an id. */
  isOrderReference?: true;
}

export interface ApiCommand {
  /** The words of the command, such as `orders show`. */
  name: string;
  description: string;
  /** Method and path as in the endpoint table; each `:name` is an argument of the command, in this order. */
  call: `${'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'} /${string}`;
  options?: readonly CommandOption[];
  /** Body fields that the command always sends. */
  fixedFields?: Readonly<Record<string, unknown>>;
  /** A file argument that contains the body, or the value of `field`. */
  file?: {
    description: string;
    field?: string;
    /** Other fields that the file may contain. */
    optionalFields?: readonly string[];
    /** The other fields in the output of `show --json`. They are ignored if the file contains all of them. */
    responseFields?: readonly string[];
  };
  /** The field with the caller's id, which makes a repeated call safe. */
  ownIdField?: string;
  /** Asked after a dry run has counted the changes, because the command cannot be undone. */
  dryRunQuestion?: string;
  /** Asked before a command that cannot be undone and has no dry run. */
  confirmQuestion?: string;
  /** Repeats the call until the response has `complete: true`, and adds up the counts. */
  repeatsUntilComplete?: true;
  /** Without it, the command prints every field. */
  output?: CommandOutput;
  /** Examples without `trade-print`. */
  examples: readonly string[];
}

export const ARGUMENT_DESCRIPTIONS: Readonly<Record<string, string>> = {
  account: 'account id, acc_…',
  order: 'order number, such as P-10001, or order id, ord_…',
  invoice: 'invoice number, such as INV-10001, or invoice id, inv_…',
  note: 'credit note number or id',
  endpoint: 'endpoint id, whe_…',
  delivery: 'delivery id, dlv_…',
  key: 'key id, key_…',
  token: 'token id, tok_…',
  milestone: 'milestone id, as in the timeline',
  parcel: 'parcel id, as in the order',
  payment: 'payment id',
  n: 'line of the order, from 1',
  code: 'attention code, such as ARTWORK_MISSING',
  section: 'section, such as media, mouldings or sleeves',
  id: 'row id',
  version: 'version of a price book',
};

/** `POST /orders/:order/parcels` → method, path and argument names. */
export function parseCall({ call }: Pick<ApiCommand, 'call'>): { method: string; path: string; names: string[] } {
  const [method = '', path = ''] = call.split(' ');
  return { method, path, names: [...path.matchAll(/:([a-z]+)/g)].map(([, name = '']) => name) };
}

type OptionFlags = Partial<Pick<CommandOption, 'isRequired' | 'isRepeatable'>>;
type OptionFactory = (flags: string, field: string, description: string, rest?: OptionFlags) => CommandOption;

const optionReadBy =
  (read: CommandOption['read']): OptionFactory =>
  (flags, field, description, rest = {}) => ({ flags, field, description, read, ...rest });

export const text: OptionFactory = (flags, field, description, rest = {}) => ({ flags, field, description, ...rest });
export const amount = optionReadBy(readPaidCents);
export const amountOrNone = optionReadBy((value, option) => (value === 'none' ? null : readCents(value, option)));
export const perCent = optionReadBy(readBps);
export const integer = optionReadBy(readInteger);
export const time = optionReadBy(readTime);
export const dayOrTime = optionReadBy(readDayOrTime);
export const day = optionReadBy(readDay);
export const onOrOff = optionReadBy((value, option) => readChoice(value, option, ['on', 'off']) === 'on');
export const jsonFile = optionReadBy((file) => readJsonFile(file));
export const flag = (flags: string, field: string, description: string, presetValue: unknown = true): CommandOption => ({
  flags,
  field,
  description,
  presetValue,
});
export const orderReference = (flags: string, field: string, description: string): CommandOption => ({
  flags,
  field,
  description,
  isOrderReference: true,
});

export const choice = (
  flags: string,
  field: string,
  values: readonly string[],
  description: string,
  rest: OptionFlags = {},
): CommandOption =>
  optionReadBy((value, option) => readChoice(value, option, values))(flags, field, `${description}: ${values.join(', ')}`, rest);

/** `1=2`: two pieces of the first line, which is 0 in the API. */
const lineQuantity = optionReadBy((value, option) => {
  const [, line, quantity] = /^([1-9]\d{0,2})=(\d{1,6})$/.exec(value) ?? [];
  if (line === undefined) throw usageError(`${option} takes a line and a quantity, such as 1=2, not "${value}"`);
  return { line: Number(line) - 1, quantity: Number(quantity) };
});
/** `1`: the first line, which is 0 in the API. */
export const lineNumber = optionReadBy((value, option) => {
  if (!/^[1-9]\d{0,2}$/.test(value)) throw usageError(`${option} takes a line number from 1, not "${value}"`);
  return Number(value) - 1;
});
/** `INV-10001=120.50`: this amount for that invoice. */
export const invoiceShares = optionReadBy((value, option) => {
  const [, invoiceId, share] = /^([^=]+)=(.+)$/.exec(value) ?? [];
  if (invoiceId === undefined || share === undefined)
    throw usageError(`${option} takes an invoice and an amount, such as INV-10001=120.50, not "${value}"`);
  return { invoiceId, amountCents: readPaidCents(share, option) };
});
export const lineQuantities = (description: string, isRequired = false): CommandOption =>
  lineQuantity('--line <line=quantity>', 'lines', description, { isRequired, isRepeatable: true });

function readChoice(value: string, option: string, values: readonly string[]): string {
  if (values.includes(value)) return value;
  const nearest = findNearestWord(value, values);
  throw usageError(`${option} takes one of ${values.join(', ')}, not "${value}"${nearest === null ? '' : `; did you mean ${nearest}?`}`);
}
