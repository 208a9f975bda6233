import { readFileSync, writeFileSync } from 'node:fs';
import { readNumber, type NumberedKind } from '../domain/order-number';
import { newId } from '../security/ids';
import type { ResolvedCommand } from './api-command';
import { isPaged, type Endpoint } from './contract';
import { parseJsonFile, readJsonFile } from './json-files';
import { resolveLogin } from './login';
import { CommandFailure, errorMessage, usageError } from './errors';
import { safeJson, safeText } from './safe-text';
import { StudioClient, type ApiCall } from './studio-client';
import { fieldLabel, formatRecord, formatTable, valueAt } from './tables';
import type { Terminal } from './terminal';
import { formatTime, readLine } from './values';

export interface ParsedCommand {
  args: readonly string[];
  /** The sent values by field. */
  fields: Map<string, unknown>;
  flags: Partial<Record<'studio' | 'id' | 'out', string> & Record<'json' | 'all' | 'yes' | 'dryRun' | 'force', boolean>> & {
    limit?: number;
  };
}

/** @throws CommandFailure */
export async function runCommand(command: ResolvedCommand, parsed: ParsedCommand, terminal: Terminal): Promise<void> {
  const { confirmQuestion, dryRunQuestion, endpoint } = command;
  const { flags } = parsed;
  if ((dryRunQuestion ?? confirmQuestion) !== undefined && !flags.yes && !flags.dryRun && !terminal.isInteractive)
    throw usageError(
      `the command cannot be undone and needs a confirmation: ${dryRunQuestion === undefined ? '' : '--dry-run only counts, '}--yes runs it without asking`,
    );
  const client = new StudioClient(resolveLogin(terminal.env, flags.studio));
  if (confirmQuestion !== undefined && !flags.yes) await confirm(confirmQuestion, terminal);
  const call = await buildCall(command, parsed, terminal, client);
  if (endpoint.mediaType !== undefined)
    return writeOutputFile(await client.file(call), flags.out ?? fileNameOf(call.path, endpoint.mediaType, parsed.args), flags, terminal);
  if (endpoint.isList) return printRows(client, call, command, flags, terminal);
  const show = (data: unknown): string => (flags.json ? safeJson(data, 2) : formatCommandRecord(data, command));
  if (dryRunQuestion !== undefined && (flags.dryRun || !flags.yes)) {
    const { data } = await client.send({ ...call, body: { ...call.body, dryRun: true } });
    if (flags.dryRun) return terminal.out(`${show(data)}\n`);
    terminal.err(`${formatCommandRecord(data, command)}\n`);
    await confirm(dryRunQuestion, terminal);
  }
  terminal.out(`${show(await sendUntilComplete(client, call))}\n`);
}

function formatCommandRecord(data: unknown, { columns, lists = {}, emptyListField }: ResolvedCommand): string {
  const emptyList = emptyListField === undefined ? undefined : valueAt(data, emptyListField);
  const isEmpty = Array.isArray(emptyList) && emptyList.length === 0;
  return `${formatRecord(data, columns, lists)}${isEmpty ? `\n\n${fieldLabel(emptyListField ?? '')}\n  none` : ''}`;
}

/** `/orders/P-10001/job-sheet.pdf` → `job-sheet-P-10001.pdf`, and `/orders.csv` → `orders-2026-03-01.csv`. */
function fileNameOf(path: string, mediaType: string, args: readonly string[]): string {
  const [stem = '', extension] = decodeURIComponent(path.split('/').at(-1) ?? '').split('.');
  const words = extension === 'csv' && args.length === 0 ? [formatTime(new Date()).slice(0, 10)] : args;
  if (extension === undefined) return `${words.join('-')}.${mediaType.slice(mediaType.lastIndexOf('/') + 1)}`;
  return `${[...new Set([stem, ...words])].join('-')}.${extension}`;
}

/** @throws CommandFailure */
async function buildCall(command: ResolvedCommand, parsed: ParsedCommand, terminal: Terminal, client: StudioClient): Promise<ApiCall> {
  const { call, file, ownIdField, fixedFields, endpoint } = command;
  const [method = '', pattern = ''] = call.split(' ');
  const path = command.args.reduce(
    (filledPath, { name }, index) => filledPath.replace(`:${name}`, encodeURIComponent(toPathArgument(name, parsed.args[index] ?? ''))),
    pattern,
  );
  const { fields } = parsed;
  for (const { field, isOrderReference } of command.options)
    if (isOrderReference === true && fields.has(field)) fields.set(field, await resolveOrderId(client, String(fields.get(field))));
  if (method === 'GET') return { method, path, query: toQuery(fields) };
  if (!endpoint.hasBody) return { method: method as ApiCall['method'], path };
  const fileName = parsed.args.at(-1) ?? '';
  if (file?.isBase64 === true) fields.set(file.field ?? '', readBytes(fileName).toString('base64'));
  const content = file === undefined || file.isBase64 === true ? {} : await readFileBody(fileName, terminal);
  if (file?.field !== undefined && file.isBase64 !== true) setFromFile(fields, file.field, endpoint, content);
  if (ownIdField !== undefined) fields.set(ownIdField, chooseOwnId(ownIdField, parsed.flags, terminal));
  const body = { ...(file?.field === undefined ? content : {}), ...fixedFields, ...Object.fromEntries(fields) };
  return { method: method as ApiCall['method'], path, body };
}

export const toQuery = (fields: ReadonlyMap<string, unknown>): Record<string, string> =>
  Object.fromEntries([...fields].map(([name, value]) => [name, String(value)]));

/** The CLI checks these formats, because the API answers a malformed reference only with NOT_FOUND. */
const REFERENCE_FORMATS: Readonly<Record<string, { of: NumberedKind; id: string; hint: string }>> = {
  order: { of: 'order', id: 'ord_', hint: 'an order takes a number such as P-10001 or T-10001, or an id, ord_…' },
  invoice: { of: 'invoice', id: 'inv_', hint: 'an invoice takes a number such as INV-10001 or TINV-10001, or an id, inv_…' },
  note: { of: 'credit_note', id: 'crn_', hint: 'a credit note takes a number such as CN-10001 or TCN-10001, or an id, crn_…' },
};

/** @throws CommandFailure */
function toPathArgument(name: string, value: string): string {
  const format = REFERENCE_FORMATS[name];
  if (format === undefined || value.startsWith(format.id)) return name === 'n' ? String(readLine(value, '<n>')) : value;
  const number = readNumber(format.of, value, 'live');
  if (number === null) throw usageError(`${format.hint}, not "${safeText(value)}"`);
  return number;
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
  if (file !== '-') return readJsonFile(file);
  const input = await terminal.readInput();
  return parseJsonFile(file, () => input.replace(/^\ufeff/, ''));
}

/** @throws CommandFailure */
function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw usageError(`cannot read ${file}: ${errorMessage(error)}`);
  }
}

/** The other fields in the output of `price-books show --json`. They are ignored if the file contains all of them. */
const SHOWN_FIELDS = ['version', 'effectiveAt', 'publishedBy', 'createdAt', 'sha256'];

/**
 * The file contains only the value of the field, or an object with fields of the endpoint, or the output of `price-books show --json`.
 * Options override the file.
 * @throws CommandFailure for unknown fields, because a misspelled `effectiveAt` would publish the book at once
 */
function setFromFile(fields: Map<string, unknown>, field: string, endpoint: Endpoint, content: object): void {
  const fieldValue: unknown = valueAt(content, field);
  fields.set(field, fieldValue ?? content);
  const otherNames = fieldValue === undefined ? [] : Object.keys(content).filter((name) => name !== field);
  if (otherNames.length === SHOWN_FIELDS.length && otherNames.every((name) => SHOWN_FIELDS.includes(name))) return;
  for (const name of otherNames) {
    const isSent = endpoint.fields.some((each) => each.name === name);
    if (!isSent && !SHOWN_FIELDS.includes(name)) throw usageError(`the file contains the unknown field ${safeText(name)}; remove it`);
    if (isSent && !fields.has(name)) fields.set(name, valueAt(content, name));
  }
}

async function printRows(
  client: StudioClient,
  call: ApiCall,
  { columns = '', endpoint }: ResolvedCommand,
  flags: ParsedCommand['flags'],
  terminal: Terminal,
): Promise<void> {
  const maxRows = !isPaged(endpoint) ? 0 : flags.all ? Number.POSITIVE_INFINITY : (flags.limit ?? 25);
  const { rows, hasMore } = await client.list(call, maxRows);
  if (flags.json) terminal.out(`${safeJson(rows, 2)}\n`);
  else if (rows.length > 0) terminal.out(`${formatTable(columns, rows)}\n`);
  else terminal.err('no results\n');
  if (hasMore) terminal.err(`more results: use --limit or --all\n`);
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

/** @throws CommandFailure unless the answer is yes */
async function confirm(question: string, terminal: Terminal): Promise<void> {
  const answer = await terminal.ask(`${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandFailure('cancelled; nothing was changed');
}

/** Repeats the call while the response says that data remains, and adds up the counts. */
async function sendUntilComplete(client: StudioClient, call: ApiCall): Promise<unknown> {
  const { data } = await client.send(call);
  if (valueAt(data, 'complete') !== false) return data;
  const rest = await sendUntilComplete(client, call);
  return Object.fromEntries(Object.entries(data as object).map(([name, value]) => [name, addCounts(value, valueAt(rest, name))]));
}

const addCounts = (one: unknown, other: unknown): unknown => (typeof one === 'number' && typeof other === 'number' ? one + other : other);
