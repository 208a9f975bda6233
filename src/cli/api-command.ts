import { findNearestWord } from '../domain/nearest-ids';
import { readJsonFile } from './json-files';
import { usageError } from './errors';
import type { Column } from './tables';
import { readBps, readCents, readDay, readDayOrTime, readPaidCents, readTime, readInteger } from './values';

/** What a command shows of an answer: a table of a list, one thing field by field, or a document that is kept as a file. */
export type CommandOutput =
  | { rows: readonly Column[]; /** All of them come at once. */ isUnpaged?: true }
  | {
      fields?: readonly Column[];
      lists?: Readonly<Record<string, readonly Column[]>>;
      /** Which of the parts is told to be empty where it is. */
      emptyListField?: string;
    }
  | { file: (given: readonly string[]) => string };

export interface CommandOption {
  flags: string;
  description: string;
  /** Where its value goes: dotted path in the body, or the name in the query. */
  field: string;
  /** What is sent for what was typed. @throws CommandProblem */
  read?: (text: string, option: string) => unknown;
  presetValue?: unknown;
  isRequired?: boolean;
  isRepeatable?: boolean;
  /** An order, which may be named by its number and is sent by its id. */
  isOrderReference?: true;
}

export interface ApiCommand {
  /** As it is typed, such as `orders show`. */
  name: string;
  description: string;
  /** Method and path as in the endpoint table; each `:name` is an argument of the command, in this order. */
  call: `${'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'} /${string}`;
  options?: readonly CommandOption[];
  /** Fields of the body that the words say already. */
  fixedFields?: Readonly<Record<string, unknown>>;
  /** An argument more: the file that is the body, or one field of it. */
  file?: {
    description: string;
    field?: string;
    /** What beside the field may stand in a file that has the field by its name. */
    optionalFields?: readonly string[];
    /** What stands beside it in an answer, and is passed over: all of it together. */
    responseFields?: readonly string[];
  };
  /** The field with the caller's own id, by which a repeated call is known. */
  ownIdField?: string;
  /** It cannot be undone: `dryRun` counts first, and somebody has to agree. */
  dryRunQuestion?: string;
  /** It cannot be undone, and there is nothing to count: somebody has to agree. */
  confirmQuestion?: string;
  /** The same call goes on until the answer says `complete`; its figures are added up. */
  repeatsUntilComplete?: true;
  /** Every field of the answer, where it is left out. */
  output?: CommandOutput;
  /** Without `trade-print`. */
  examples: readonly string[];
}

export const ARGUMENT_DESCRIPTIONS: Readonly<Record<string, string>> = {
  account: 'its id, acc_…',
  order: 'its number, such as P-10001, or its id, ord_…',
  invoice: 'its number, such as INV-10001, or its id, inv_…',
  note: 'its number or id',
  endpoint: 'its id, whe_…',
  delivery: 'its id, dlv_…',
  key: 'its id, key_…',
  token: 'its id, tok_…',
  milestone: 'its own id, as the timeline has it',
  parcel: 'its own id, as the order has it',
  payment: 'its own id',
  n: 'which line of the order, from 1',
  code: 'what it is about, such as ARTWORK_MISSING',
  section: 'such as media, mouldings or sleeves',
  id: 'id of the row',
  version: 'version of a book',
};

/** `POST /orders/:order/parcels` → its method, path and the names of its arguments. */
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

/** `1=2`: two of the first line, which is 0 to the API. */
const lineQuantity = optionReadBy((value, option) => {
  const [, line, quantity] = /^([1-9]\d{0,2})=(\d{1,6})$/.exec(value) ?? [];
  if (line === undefined) throw usageError(`${option} takes a line and a quantity, such as 1=2, not "${value}"`);
  return { line: Number(line) - 1, quantity: Number(quantity) };
});
/** `1`: the first line, which is 0 to the API. */
export const lineNumber = optionReadBy((value, option) => {
  if (!/^[1-9]\d{0,2}$/.test(value)) throw usageError(`${option} takes a line of the order, from 1, not "${value}"`);
  return Number(value) - 1;
});
/** `INV-10001=120.50`: so much of it to that invoice. */
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
