import { writeFileSync } from 'node:fs';
import { newId } from '../security/ids';
import { parseCall, type ApiCommand, type CommandOption, type CommandOutput } from './api-command';
import { parseJsonFile, readJsonFile } from './json-files';
import { resolveLogin } from './login';
import { CommandFailure, usageError } from './errors';
import { safeJson, safeText } from './safe-text';
import { StudioClient, type ApiCall } from './studio-client';
import { fieldLabel, formatRecord, formatTable, valueAt, type Column } from './tables';
import type { Terminal } from './terminal';

export interface ParsedCommand {
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

/** @throws CommandFailure */
export async function runCommand(command: ApiCommand, parsed: ParsedCommand, terminal: Terminal): Promise<void> {
  const { output = {} } = command;
  const { flags } = parsed;
  if ((command.dryRunQuestion ?? command.confirmQuestion) !== undefined && !flags.yes && !flags.dryRun && !terminal.isInteractive)
    throw usageError(
      `the command cannot be undone and needs a confirmation: ${command.dryRunQuestion === undefined ? '' : '--dry-run only counts, '}--yes runs it without asking`,
    );
  const client = new StudioClient(resolveLogin(terminal.env, flags.studio));
  if (command.confirmQuestion !== undefined && !flags.yes) await confirm(command.confirmQuestion, terminal);
  const call = await buildCall(command, parsed, terminal, client);
  if ('rows' in output) return printRows(client, call, output, flags, terminal);
  if ('file' in output) return writeOutputFile(await client.file(call), flags.out ?? output.file(parsed.args), flags, terminal);
  const show = (data: unknown): string => (flags.json ? safeJson(data, 2) : formatCommandRecord(data, output));
  if (command.dryRunQuestion !== undefined && !(await confirmAfterDryRun(command.dryRunQuestion, { client, call, show }, flags, terminal)))
    return;
  terminal.out(`${show(await sendUntilComplete(client, call, command.repeatsUntilComplete ?? false))}\n`);
}

type RecordOutput = Extract<CommandOutput, { fields?: readonly Column[] }>;

function formatCommandRecord(data: unknown, { fields, lists = {}, emptyListField }: RecordOutput): string {
  const emptyList = emptyListField === undefined ? undefined : valueAt(data, emptyListField);
  const isEmpty = Array.isArray(emptyList) && emptyList.length === 0;
  return `${formatRecord(data, fields, lists)}${isEmpty ? `\n\n${fieldLabel(emptyListField ?? '')}\n  none` : ''}`;
}

/** @throws CommandFailure */
async function buildCall(command: ApiCommand, parsed: ParsedCommand, terminal: Terminal, client: StudioClient): Promise<ApiCall> {
  const { method, names } = parseCall(command);
  const path = names.reduce(
    (filledPath, name, index) => filledPath.replace(`:${name}`, encodeURIComponent(toPathArgument(name, parsed.args[index] ?? ''))),
    parseCall(command).path,
  );
  const fields = await readFields(command, parsed, client);
  if (method === 'GET') return { method, path, query: Object.fromEntries([...fields].map(([name, value]) => [name, String(value)])) };
  const hasBody = command.options !== undefined || command.fixedFields !== undefined || command.file !== undefined;
  if (!hasBody && command.ownIdField === undefined) return { method: method as ApiCall['method'], path };
  const fileContent =
    command.file !== undefined && command.file.field === undefined ? await readFileBody(parsed.args.at(-1) ?? '', terminal) : {};
  if (command.file?.field !== undefined) setFromFile(fields, command.file, await readFileBody(parsed.args.at(-1) ?? '', terminal));
  if (command.ownIdField !== undefined) fields.set(command.ownIdField, chooseOwnId(command.ownIdField, parsed.flags, terminal));
  return { method: method as ApiCall['method'], path, body: { ...fileContent, ...command.fixedFields, ...nestFields(fields) } };
}

/** The CLI checks these formats, because the API answers a malformed reference only with NOT_FOUND. */
const REFERENCE_FORMATS: Readonly<Record<string, { pattern: RegExp; hint: string }>> = {
  order: { pattern: /^([PT]-\d|ord_)/, hint: 'an order takes a number such as P-10001 or T-10001, or an id, ord_…' },
  invoice: { pattern: /^(T?INV-\d|inv_)/, hint: 'an invoice takes a number such as INV-10001 or TINV-10001, or an id, inv_…' },
  note: { pattern: /^(T?CN-\d|crn_)/, hint: 'a credit note takes a number such as CN-10001 or TCN-10001, or an id, crn_…' },
};

/** The CLI counts lines from 1, as the job sheet does; the API counts from 0. @throws CommandFailure */
function toPathArgument(name: string, value: string): string {
  const format = REFERENCE_FORMATS[name];
  if (format !== undefined && !format.pattern.test(value)) throw usageError(`${format.hint}, not "${safeText(value)}"`);
  if (name !== 'n') return value;
  if (!/^[1-9]\d{0,2}$/.test(value)) throw usageError(`a line takes a number from 1, not "${value}"`);
  return String(Number(value) - 1);
}

async function readFields(command: ApiCommand, { values }: ParsedCommand, client: StudioClient): Promise<Map<string, unknown>> {
  const fields = new Map<string, unknown>();
  for (const option of command.options ?? []) {
    const value = values.get(option);
    if (value === undefined) continue;
    fields.set(option.field, option.isOrderReference === true && typeof value === 'string' ? await resolveOrderId(client, value) : value);
  }
  return fields;
}

/** `{ 'studio.name': … }` → `{ studio: { name: … } }`. */
function nestFields(fields: ReadonlyMap<string, unknown>): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [path, value] of fields) {
    const [outer = '', inner] = path.split('.');
    body[outer] = inner === undefined ? value : { ...(body[outer] as object | undefined), [inner]: value };
  }
  return body;
}

/** Prints a new id before the request, so it can be repeated safely if the response is lost. */
function chooseOwnId(field: string, flags: ParsedCommand['flags'], terminal: Terminal): string {
  if (flags.id !== undefined) return flags.id;
  const id = `cli-${newId('req').slice(4, 20)}`;
  terminal.err(`${field} ${id}  (to repeat this call: --id ${id})\n`);
  return id;
}

/** Filters accept only ids; paths also accept order numbers. */
async function resolveOrderId(client: StudioClient, reference: string): Promise<string> {
  if (reference.startsWith('ord_')) return reference;
  const { data } = await client.send({ method: 'GET', path: `/orders/${encodeURIComponent(toPathArgument('order', reference))}` });
  return String(valueAt(data, 'orderId'));
}

async function readFileBody(file: string, terminal: Terminal): Promise<object> {
  return file === '-' ? parseJsonFile(file, await terminal.readInput()) : readJsonFile(file);
}

/**
 * Reads `file.field` and `file.optionalFields`. The file contains only the value of the field, or an object with these fields, or the
 * output of `show --json`. Options override the file.
 * @throws CommandFailure for unknown fields, because a misspelled `effectiveAt` would publish the book at once
 */
function setFromFile(fields: Map<string, unknown>, file: NonNullable<ApiCommand['file']>, content: object): void {
  const { field = '', optionalFields = [], responseFields = [] } = file;
  const fieldValue: unknown = valueAt(content, field);
  fields.set(field, fieldValue ?? content);
  const otherNames = fieldValue === undefined ? [] : Object.keys(content).filter((name) => name !== field);
  if (otherNames.length === responseFields.length && otherNames.every((name) => responseFields.includes(name))) return;
  for (const name of otherNames) {
    if (!responseFields.includes(name) && !optionalFields.includes(name))
      throw usageError(`the file contains the unknown field ${safeText(name)}; remove it`);
    if (optionalFields.includes(name) && !fields.has(name)) fields.set(name, valueAt(content, name));
  }
}

type TableOutput = Extract<CommandOutput, { rows: readonly Column[] }>;

async function printRows(
  client: StudioClient,
  call: ApiCall,
  { rows: columns, isUnpaged }: TableOutput,
  flags: ParsedCommand['flags'],
  terminal: Terminal,
): Promise<void> {
  const maxRows = flags.all ? Number.POSITIVE_INFINITY : (flags.limit ?? 25);
  const rows: unknown[] = isUnpaged === true ? ((await client.send(call)).data as unknown[]) : [];
  const pages = client.rows(call, isUnpaged === true ? 0 : maxRows);
  let step = await pages.next();
  for (; step.done !== true; step = await pages.next()) rows.push(step.value);
  if (flags.json) terminal.out(`${safeJson(rows, 2)}\n`);
  else if (rows.length > 0) terminal.out(`${formatTable(columns, rows)}\n`);
  else terminal.err('no results\n');
  if (step.value) terminal.err(`more results: use --limit or --all\n`);
}

function writeOutputFile(bytes: Buffer, file: string, { force }: ParsedCommand['flags'], terminal: Terminal): void {
  if (file === '-') return terminal.out(bytes);
  try {
    writeFileSync(file, bytes, { flag: force ? 'w' : 'wx' });
  } catch (error) {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    throw usageError(exists ? `${file} already exists; use --force, or another name with --out` : `cannot write ${file}: ${String(error)}`);
  }
  terminal.out(`${safeText(file)}\n`);
}

interface DryRunContext {
  client: StudioClient;
  call: ApiCall;
  show: (data: unknown) => string;
}

/** Counts the changes with a dry run and asks for confirmation. Returns false if the user requested only a dry run. */
async function confirmAfterDryRun(
  question: string,
  { client, call, show }: DryRunContext,
  flags: ParsedCommand['flags'],
  terminal: Terminal,
): Promise<boolean> {
  if (flags.yes && !flags.dryRun) return true;
  const { data } = await client.send({ ...call, body: { ...call.body, dryRun: true } });
  if (flags.dryRun) {
    terminal.out(`${show(data)}\n`);
    return false;
  }
  terminal.err(`${formatRecord(data, undefined, {})}\n`);
  await confirm(question, terminal);
  return true;
}

/** @throws CommandFailure unless the answer is yes */
async function confirm(question: string, terminal: Terminal): Promise<void> {
  const answer = await terminal.ask(`${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandFailure('cancelled; nothing was changed');
}

async function sendUntilComplete(client: StudioClient, call: ApiCall, repeatsUntilComplete: boolean): Promise<unknown> {
  const { data } = await client.send(call);
  if (!repeatsUntilComplete || valueAt(data, 'complete') !== false) return data;
  const rest = await sendUntilComplete(client, call, true);
  return Object.fromEntries(Object.entries(data as object).map(([name, value]) => [name, addCounts(value, valueAt(rest, name))]));
}

const addCounts = (one: unknown, other: unknown): unknown => (typeof one === 'number' && typeof other === 'number' ? one + other : other);
