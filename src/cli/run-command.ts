import { writeFileSync } from 'node:fs';
import { newId } from '../security/ids';
import { callOf, type ApiCommand, type CommandOption, type Shows } from './api-command';
import { parsedJson, readJsonFile } from './json-files';
import { loginFor } from './login';
import { CommandProblem, wrongUse } from './problems';
import { safeJson, safeText } from './safe-text';
import { StudioClient, type Call } from './studio-client';
import { fieldLabel, record, table, valueAt, type Column } from './tables';
import type { Terminal } from './terminal';

export interface Typed {
  args: readonly string[];
  values: ReadonlyMap<CommandOption, unknown>;
  flags: {
    studio?: string;
    json?: boolean;
    limit?: number;
    all?: boolean;
    id?: string;
    yes?: boolean;
    dryRun?: boolean;
    out?: string;
    force?: boolean;
  };
}

/** @throws CommandProblem */
export async function runCommand(command: ApiCommand, typed: Typed, terminal: Terminal): Promise<void> {
  const { shows = {} } = command;
  const { flags } = typed;
  if ((command.asks ?? command.confirms) !== undefined && !flags.yes && !flags.dryRun && !terminal.isInteractive)
    throw wrongUse(
      `it cannot be undone, and nobody is there to be asked: ${command.asks === undefined ? '' : '--dry-run counts, '}--yes does it`,
    );
  const client = new StudioClient(loginFor(terminal.env, flags.studio));
  if (command.confirms !== undefined && !flags.yes) await confirm(command.confirms, terminal);
  const call = await callFor(command, typed, terminal, client);
  if ('rows' in shows) return showRows(client, call, shows, flags, terminal);
  if ('file' in shows) return keepFile(await client.file(call), flags.out ?? shows.file(typed.args), flags, terminal);
  const show = (data: unknown): string => (flags.json ? safeJson(data, 2) : shownRecord(data, shows));
  if (command.asks !== undefined && !(await agreed(command.asks, { client, call, show }, flags, terminal))) return;
  terminal.out(`${show(await sendAll(client, call, command.untilComplete ?? false))}\n`);
}

type One = Extract<Shows, { fields?: readonly Column[] }>;

function shownRecord(data: unknown, { fields, parts = {}, tellsNone }: One): string {
  const none = tellsNone === undefined ? undefined : valueAt(data, tellsNone);
  const isNone = Array.isArray(none) && none.length === 0;
  return `${record(data, fields, parts)}${isNone ? `\n\n${fieldLabel(tellsNone ?? '')}\n  none` : ''}`;
}

/** @throws CommandProblem */
async function callFor(command: ApiCommand, typed: Typed, terminal: Terminal, client: StudioClient): Promise<Call> {
  const { method, names } = callOf(command);
  const path = names.reduce(
    (filled, name, at) => filled.replace(`:${name}`, encodeURIComponent(argumentOf(name, typed.args[at] ?? ''))),
    callOf(command).path,
  );
  const fields = await fieldsOf(command, typed, client);
  if (method === 'GET') return { method, path, query: Object.fromEntries([...fields].map(([name, value]) => [name, String(value)])) };
  const takesBody = command.options !== undefined || command.fixed !== undefined || command.file !== undefined;
  if (!takesBody && command.ownId === undefined) return { method: method as Call['method'], path };
  const whole = command.file !== undefined && command.file.field === undefined ? await fileBody(typed.args.at(-1) ?? '', terminal) : {};
  if (command.file?.field !== undefined) setFromFile(fields, command.file, await fileBody(typed.args.at(-1) ?? '', terminal));
  if (command.ownId !== undefined) fields.set(command.ownId, ownId(command.ownId, typed.flags, terminal));
  return { method: method as Call['method'], path, body: { ...whole, ...command.fixed, ...nested(fields) } };
}

/** How what has a number is named; else the API could only say that there is none. */
const NAMED: Readonly<Record<string, { form: RegExp; such: string }>> = {
  order: { form: /^([PT]-\d|ord_)/, such: 'an order is named by its number, such as P-10001 or T-10001, or by its id, ord_…' },
  invoice: { form: /^(T?INV-\d|inv_)/, such: 'an invoice is named by its number, such as INV-10001 or TINV-10001, or by its id, inv_…' },
  note: { form: /^(T?CN-\d|crn_)/, such: 'a credit note is named by its number, such as CN-10001 or TCN-10001, or by its id, crn_…' },
};

/** Lines are counted from 1 here, as on the job sheet, and from 0 by the API. @throws CommandProblem */
function argumentOf(name: string, given: string): string {
  const named = NAMED[name];
  if (named !== undefined && !named.form.test(given)) throw wrongUse(`${named.such}; not by "${safeText(given)}"`);
  if (name !== 'n') return given;
  if (!/^[1-9]\d{0,2}$/.test(given)) throw wrongUse(`a line is counted from 1, not "${given}"`);
  return String(Number(given) - 1);
}

async function fieldsOf(command: ApiCommand, { values }: Typed, client: StudioClient): Promise<Map<string, unknown>> {
  const fields = new Map<string, unknown>();
  for (const option of command.options ?? []) {
    const value = values.get(option);
    if (value === undefined) continue;
    fields.set(option.field, option.namesOrder === true && typeof value === 'string' ? await orderId(client, value) : value);
  }
  return fields;
}

/** `{ 'studio.name': … }` → `{ studio: { name: … } }`. */
function nested(fields: ReadonlyMap<string, unknown>): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [path, value] of fields) {
    const [outer = '', inner] = path.split('.');
    body[outer] = inner === undefined ? value : { ...(body[outer] as object | undefined), [inner]: value };
  }
  return body;
}

/** Told before it is sent: whoever hears no answer repeats the call with it, and nothing happens twice. */
function ownId(field: string, flags: Typed['flags'], terminal: Terminal): string {
  if (flags.id !== undefined) return flags.id;
  const id = `cli-${newId('req').slice(4, 20)}`;
  terminal.err(`${field} ${id}  (to repeat this very call: --id ${id})\n`);
  return id;
}

/** A filter takes an id alone; paths take an order's number as well. */
async function orderId(client: StudioClient, given: string): Promise<string> {
  if (given.startsWith('ord_')) return given;
  const { data } = await client.send({ method: 'GET', path: `/orders/${encodeURIComponent(argumentOf('order', given))}` });
  return String(valueAt(data, 'orderId'));
}

async function fileBody(file: string, terminal: Terminal): Promise<object> {
  return file === '-' ? parsedJson(file, await terminal.input()) : readJsonFile(file);
}

/**
 * The file is the field, or has it by its name: with what may be sent beside it, or as the answer of a `show`, whose other fields tell what
 * was. An option that was typed counts before the file. @throws CommandProblem for other fields: a misspelt time would be now
 */
function setFromFile(fields: Map<string, unknown>, file: NonNullable<ApiCommand['file']>, content: object): void {
  const { field = '', beside = [], answered = [] } = file;
  const named: unknown = valueAt(content, field);
  fields.set(field, named ?? content);
  const others = named === undefined ? [] : Object.keys(content).filter((name) => name !== field);
  if (others.length === answered.length && others.every((name) => answered.includes(name))) return;
  for (const name of others) {
    if (!answered.includes(name) && !beside.includes(name))
      throw wrongUse(`the file has ${safeText(name)} beside ${field}, which is not taken`);
    if (beside.includes(name) && !fields.has(name)) fields.set(name, valueAt(content, name));
  }
}

type Rows = Extract<Shows, { rows: readonly Column[] }>;

async function showRows(
  client: StudioClient,
  call: Call,
  { rows: columns, whole }: Rows,
  flags: Typed['flags'],
  terminal: Terminal,
): Promise<void> {
  const most = flags.all ? Number.POSITIVE_INFINITY : (flags.limit ?? 25);
  const rows: unknown[] = whole === true ? ((await client.send(call)).data as unknown[]) : [];
  const pages = client.rows(call, whole === true ? 0 : most);
  let step = await pages.next();
  for (; step.done !== true; step = await pages.next()) rows.push(step.value);
  if (flags.json) terminal.out(`${safeJson(rows, 2)}\n`);
  else if (rows.length > 0) terminal.out(`${table(columns, rows)}\n`);
  else terminal.err('there are none\n');
  if (step.value) terminal.err(`there are more: --limit or --all\n`);
}

function keepFile(bytes: Buffer, file: string, { force }: Typed['flags'], terminal: Terminal): void {
  if (file === '-') return terminal.out(bytes);
  try {
    writeFileSync(file, bytes, { flag: force ? 'w' : 'wx' });
  } catch (error) {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    throw wrongUse(exists ? `${file} is there already: --force, or another name by --out` : `${file} cannot be written: ${String(error)}`);
  }
  terminal.out(`${safeText(file)}\n`);
}

interface Doing {
  client: StudioClient;
  call: Call;
  show: (data: unknown) => string;
}

/** Counts, and asks; false where it is left at that. */
async function agreed(question: string, { client, call, show }: Doing, flags: Typed['flags'], terminal: Terminal): Promise<boolean> {
  if (flags.yes && !flags.dryRun) return true;
  const { data } = await client.send({ ...call, body: { ...call.body, dryRun: true } });
  if (flags.dryRun) {
    terminal.out(`${show(data)}\n`);
    return false;
  }
  terminal.err(`${record(data, undefined, {})}\n`);
  await confirm(question, terminal);
  return true;
}

/** @throws CommandProblem where nobody agrees */
async function confirm(question: string, terminal: Terminal): Promise<void> {
  const answer = await terminal.ask(`${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandProblem('nothing was done');
}

async function sendAll(client: StudioClient, call: Call, untilComplete: boolean): Promise<unknown> {
  const { data } = await client.send(call);
  if (!untilComplete || valueAt(data, 'complete') !== false) return data;
  const rest = await sendAll(client, call, true);
  return Object.fromEntries(Object.entries(data as object).map(([name, value]) => [name, added(value, valueAt(rest, name))]));
}

const added = (one: unknown, other: unknown): unknown => (typeof one === 'number' && typeof other === 'number' ? one + other : other);
