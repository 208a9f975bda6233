import { setTimeout as wait } from 'node:timers/promises';
import type { Command } from 'commander';
import { API_COMMANDS } from './commands';
import { BOARD_COLUMNS } from './commands/orders';
import { resolveLogin } from './login';
import { CommandFailure, EXIT } from './errors';
import { addExamples, findOrAddGroup, toCommanderOption, optionValue } from './program';
import { safeJson, safeText } from './safe-text';
import { StudioClient, type ApiCall } from './studio-client';
import { formatTable, valueAt } from './tables';
import type { Terminal } from './terminal';
import { readPositiveInteger, formatTime } from './values';

interface WatchFlags {
  every: number;
  limit: number;
  once?: boolean;
  json?: boolean;
  studio?: string;
}
/** A day, because failures extend the interval up to 16 times, and a timer can wait for at most 24 days. */
const MAX_INTERVAL_SECONDS = 86_400;
/** A change of one of these fields prints a line. */
const COMPARED_FIELDS = ['status', 'facts.printed', 'facts.liveParcels', 'facts.paidCents', 'cancellable.now'];

/** `trade-print orders watch`: requests one page per interval, so its cost does not depend on the number of orders. */
export function addWatch(program: Command, terminal: Terminal): void {
  const watch = findOrAddGroup(program, 'orders')
    .command('watch')
    .description('watch orders until Ctrl-C: a table in a terminal, else a line for each change');
  const board = API_COMMANDS.find(({ name }) => name === 'orders list');
  const options = (board?.options ?? []).map((spec) => ({ spec, option: toCommanderOption(spec) }));
  for (const { option } of options) watch.addOption(option);
  watch
    .option('--every <seconds>', 'seconds between requests', (text) => readPositiveInteger(text, '--every', MAX_INTERVAL_SECONDS), 5)
    .option('--limit <rows>', 'number of the newest orders, at most 100', (text) => readPositiveInteger(text, '--limit', 100), 50)
    .option('--once', 'print the orders once')
    .option('--json', 'print each change as a line of JSON')
    .option('--studio <url>', 'URL of the studio API (default: STUDIO_URL, else the URL of the login)');
  addExamples(watch, ['orders watch', 'orders watch --status received --every 2', 'orders watch --environment test --json']);
  watch.action(async () => {
    const flags = watch.opts<WatchFlags>();
    const query = Object.fromEntries(
      options.flatMap(({ spec, option }) => {
        const value = optionValue(watch, option);
        return typeof value === 'string' ? [[spec.field, value]] : [];
      }),
    );
    const call: ApiCall = { method: 'GET', path: '/orders', query: { ...query, limit: String(flags.limit) } };
    await watchOrders(new StudioClient(resolveLogin(terminal.env, flags.studio)), call, flags, terminal);
  });
}

async function watchOrders(client: StudioClient, call: ApiCall, flags: WatchFlags, terminal: Terminal): Promise<void> {
  const stopSignal = terminal.stopSignal();
  let previous: ReadonlyMap<string, unknown> | null = null;
  const isStopped = (): boolean => stopSignal.aborted;
  for (let failures = 0; !isStopped();) {
    try {
      const current = rowsById((await client.send(call, stopSignal)).data);
      printChanges(previous, current, flags, terminal);
      previous = current;
      failures = 0;
    } catch (error) {
      if (isStopped()) return;
      if (previous === null || !(error instanceof CommandFailure) || error.exitCode !== EXIT.unreachable) throw error;
      terminal.err(`${error.message}\n`);
      failures = Math.min(failures + 1, 4);
    }
    if (flags.once === true) return;
    // Doubles the interval after each failure, so a restarted service does not get all requests at once.
    await wait(flags.every * 1000 * 2 ** failures, undefined, { signal: stopSignal }).catch(() => undefined);
  }
}

const rowsById = (rows: unknown): Map<string, unknown> =>
  new Map((Array.isArray(rows) ? rows : []).map((row: unknown) => [String(valueAt(row, 'orderId')), row]));

type Board = ReadonlyMap<string, unknown>;

function printChanges(previous: Board | null, current: Board, { json, limit }: WatchFlags, terminal: Terminal): void {
  const changes = findChanges(previous ?? new Map<string, unknown>(), current, limit);
  if (json !== true && terminal.isOutputTty) {
    if (previous === null || changes.length > 0)
      terminal.out(`\u001b[2J\u001b[H${formatTime(new Date())}\n\n${formatTable(BOARD_COLUMNS, [...current.values()])}\n`);
    return;
  }
  for (const { before, after, what } of changes)
    terminal.out(`${json === true ? safeJson({ what, order: after ?? before }) : formatChange(before, after, what)}\n`);
}

interface OrderChange {
  before: unknown;
  after: unknown;
  what: 'new' | 'changed' | 'gone';
}

/** Sorts changes by age, oldest first. On a full page, a missing order is not gone: newer orders have displaced it. */
function findChanges(previous: Board, current: Board, limit: number): OrderChange[] {
  const gone = current.size < limit ? [...previous].filter(([id]) => !current.has(id)) : [];
  const changes = gone.map(([, before]): OrderChange => ({ before, after: undefined, what: 'gone' }));
  for (const [id, after] of [...current].toReversed()) {
    const before = previous.get(id);
    if (before === undefined) changes.push({ before, after, what: 'new' });
    else if (COMPARED_FIELDS.some((path) => valueAt(before, path) !== valueAt(after, path)))
      changes.push({ before, after, what: 'changed' });
  }
  return changes;
}

function formatChange(before: unknown, after: unknown, what: OrderChange['what']): string {
  const [row, previous] = [after ?? before, before ?? after];
  const status = String(valueAt(row, 'status'));
  const previousStatus = String(valueAt(previous, 'status'));
  return [
    formatTime(new Date()),
    String(valueAt(row, 'orderNumber')),
    what,
    previousStatus === status ? status : `${previousStatus} → ${status}`,
    `${Number(valueAt(row, 'facts.liveParcels'))} parcels`,
    safeText(String(valueAt(row, 'accountName'))),
  ].join('  ');
}
