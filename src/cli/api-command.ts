import { nearestWord } from '../domain/nearest-ids';
import { readJsonFile } from './json-files';
import { wrongUse } from './problems';
import type { Column } from './tables';
import { readBps, readCents, readDay, readDayOrTime, readPaidCents, readTime, readWhole } from './values';

/** What a command shows of an answer: a table of a list, one thing field by field, or a document that is kept as a file. */
export type Shows =
  | { rows: readonly Column[]; /** All of them come at once. */ whole?: true }
  | {
      fields?: readonly Column[];
      parts?: Readonly<Record<string, readonly Column[]>>;
      /** Which of the parts is told to be empty where it is. */
      tellsNone?: string;
    }
  | { file: (given: readonly string[]) => string };

export interface CommandOption {
  flags: string;
  tells: string;
  /** Where its value goes: dotted path in the body, or the name in the query. */
  field: string;
  /** What is sent for what was typed. @throws CommandProblem */
  read?: (text: string, option: string) => unknown;
  means?: unknown;
  needed?: boolean;
  many?: boolean;
  /** An order, which may be named by its number and is sent by its id. */
  namesOrder?: true;
}

export interface ApiCommand {
  /** As it is typed, such as `orders show`. */
  words: string;
  tells: string;
  /** Method and path as in the endpoint table; each `:name` is an argument of the command, in this order. */
  call: `${'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'} /${string}`;
  options?: readonly CommandOption[];
  /** Fields of the body that the words say already. */
  fixed?: Readonly<Record<string, unknown>>;
  /** An argument more: the file that is the body, or one field of it. */
  file?: {
    tells: string;
    field?: string;
    /** What beside the field may stand in a file that has the field by its name. */
    beside?: readonly string[];
    /** What stands beside it in an answer, and is passed over: all of it together. */
    answered?: readonly string[];
  };
  /** The field with the caller's own id, by which a repeated call is known. */
  ownId?: string;
  /** It cannot be undone: `dryRun` counts first, and somebody has to agree. */
  asks?: string;
  /** It cannot be undone, and there is nothing to count: somebody has to agree. */
  confirms?: string;
  /** The same call goes on until the answer says `complete`; its figures are added up. */
  untilComplete?: true;
  /** Every field of the answer, where it is left out. */
  shows?: Shows;
  /** Without `trade-print`. */
  examples: readonly string[];
}

export const ARGUMENTS: Readonly<Record<string, string>> = {
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
export function callOf({ call }: Pick<ApiCommand, 'call'>): { method: string; path: string; names: string[] } {
  const [method = '', path = ''] = call.split(' ');
  return { method, path, names: [...path.matchAll(/:([a-z]+)/g)].map(([, name = '']) => name) };
}

type Rest = Partial<Pick<CommandOption, 'needed' | 'many'>>;
type Make = (flags: string, field: string, tells: string, rest?: Rest) => CommandOption;

const reading =
  (read: CommandOption['read']): Make =>
  (flags, field, tells, rest = {}) => ({ flags, field, tells, read, ...rest });

export const text: Make = (flags, field, tells, rest = {}) => ({ flags, field, tells, ...rest });
export const amount = reading(readPaidCents);
export const amountOrNone = reading((given, option) => (given === 'none' ? null : readCents(given, option)));
export const perCent = reading(readBps);
export const whole = reading(readWhole);
export const time = reading(readTime);
export const dayOrTime = reading(readDayOrTime);
export const day = reading(readDay);
export const onOrOff = reading((given, option) => chosen(given, option, ['on', 'off']) === 'on');
export const jsonFile = reading((file) => readJsonFile(file));
export const on = (flags: string, field: string, tells: string, means: unknown = true): CommandOption => ({ flags, field, tells, means });
export const order = (flags: string, field: string, tells: string): CommandOption => ({ flags, field, tells, namesOrder: true });

export const choice = (flags: string, field: string, values: readonly string[], tells: string, rest: Rest = {}): CommandOption =>
  reading((given, option) => chosen(given, option, values))(flags, field, `${tells}: ${values.join(', ')}`, rest);

/** `1=2`: two of the first line, which is 0 to the API. */
const oneLine = reading((given, option) => {
  const [, line, quantity] = /^([1-9]\d{0,2})=(\d{1,6})$/.exec(given) ?? [];
  if (line === undefined) throw wrongUse(`${option} takes a line and a quantity, such as 1=2, not "${given}"`);
  return { line: Number(line) - 1, quantity: Number(quantity) };
});
/** `1`: the first line, which is 0 to the API. */
export const lineNumber = reading((given, option) => {
  if (!/^[1-9]\d{0,2}$/.test(given)) throw wrongUse(`${option} takes a line of the order, from 1, not "${given}"`);
  return Number(given) - 1;
});
/** `INV-10001=120.50`: so much of it to that invoice. */
export const shares = reading((given, option) => {
  const [, invoiceId, share] = /^([^=]+)=(.+)$/.exec(given) ?? [];
  if (invoiceId === undefined || share === undefined)
    throw wrongUse(`${option} takes an invoice and an amount, such as INV-10001=120.50, not "${given}"`);
  return { invoiceId, amountCents: readPaidCents(share, option) };
});
export const lines = (tells: string, needed = false): CommandOption =>
  oneLine('--line <line=quantity>', 'lines', tells, { needed, many: true });

function chosen(given: string, option: string, values: readonly string[]): string {
  if (values.includes(given)) return given;
  const near = nearestWord(given, values);
  throw wrongUse(`${option} takes one of ${values.join(', ')}, not "${given}"${near === null ? '' : `; did you mean ${near}?`}`);
}
