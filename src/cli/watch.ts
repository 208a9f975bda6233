import { setTimeout as wait } from 'node:timers/promises';
import type { Command } from 'commander';
import { API_COMMANDS, BOARD_COLUMNS } from './commands';
import { resolveLogin } from './login';
import { CommandFailure, EXIT } from './errors';
import { addExamples, addFieldOptions, findOrAddGroup } from './program';
import { toQuery } from './run-command';
import { safeJson, safeText } from './safe-text';
import { StudioClient, type ApiCall } from './studio-client';
import { formatTable, valueAt } from './tables';
import type { Terminal } from './terminal';
import { readPositiveInteger, formatTime } from './values';

type WatchFlags = Record<'every' | 'limit', number> & { once?: boolean; json?: boolean; studio?: string };

/** A day, because failures extend the interval up to 16 times, and a timer can wait for at most 24 days. */
const MAX_INTERVAL_SECONDS = 86_400;
/** A change of one of these fields prints a line. */
const COMPARED_FIELDS = ['status', 'stage', 'facts.printed', 'facts.liveParcels', 'facts.paidCents', 'cancellable.now'];

/** `trade-print orders watch`: requests one page per interval, so its cost does not depend on the number of orders. */
export function addWatch(program: Command, terminal: Terminal): void {
  const watch = findOrAddGroup(program, 'orders')
    .command('watch')
    .description('watch orders until Ctrl-C: a table in a terminal, else a line for each change');
  const fields = addFieldOptions(watch, API_COMMANDS.find(({ name }) => name === 'orders list')?.options ?? []);
  watch
    .option('--every <seconds>', 'seconds between requests', (text) => readPositiveInteger(text, '--every', MAX_INTERVAL_SECONDS), 5)
    .option('--limit <rows>', 'number of the newest orders, at most 100', (text) => readPositiveInteger(text, '--limit', 100), 50)
    .option('--once', 'print the orders once')
    .option('--json', 'print each change as a line of JSON')
    .option('--studio <url>', 'URL of the studio API (default: STUDIO_URL, else the URL of the login)');
  addExamples(watch, ['orders watch', 'orders watch --status received --every 2', 'orders watch --environment test --json']);
  watch.action(async () => {
    const flags = watch.opts<WatchFlags>();
    const query = toQuery(fields.set('limit', flags.limit));
    const call: ApiCall = { method: 'GET', path: '/orders', query };
    await watchOrders(new StudioClient(resolveLogin(terminal.env, flags.studio)), call, flags, terminal);
  });
}

async function watchOrders(client: StudioClient, call: ApiCall, flags: WatchFlags, terminal: Terminal): Promise<void> {
  const stopSignal = terminal.stopSignal();
  let previous: Board | null = null;
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

type Board = ReadonlyMap<string, unknown>;

const rowsById = (rows: unknown): Board =>
  new Map((Array.isArray(rows) ? rows : []).map((row: unknown) => [String(valueAt(row, 'orderId')), row]));

function printChanges(previous: Board | null, current: Board, { json, limit }: WatchFlags, terminal: Terminal): void {
  const changes = findChanges(previous ?? new Map<string, unknown>(), current, limit);
  if (json !== true && terminal.isOutputTty) {
    if (previous === null || changes.length > 0)
      terminal.out(`\u001b[2J\u001b[H${formatTime(new Date())}\n\n${formatTable(BOARD_COLUMNS, [...current.values()])}\n`);
    return;
  }
  for (const { before, order, what } of changes)
    terminal.out(`${json === true ? safeJson({ what, order }) : formatChange(before, order, what)}\n`);
}

interface OrderChange {
  before: unknown;
  order: unknown;
  what: 'new' | 'changed' | 'gone';
}

/** Sorts changes by age, oldest first. On a full page, a missing order is not gone: newer orders have displaced it. */
function findChanges(previous: Board, current: Board, limit: number): OrderChange[] {
  const gone = current.size < limit ? [...previous].filter(([id]) => !current.has(id)) : [];
  const changes = gone.map(([, order]): OrderChange => ({ before: order, order, what: 'gone' }));
  for (const [id, order] of [...current].toReversed()) {
    const before = previous.get(id) ?? order;
    if (!previous.has(id)) changes.push({ before, order, what: 'new' });
    else if (COMPARED_FIELDS.some((path) => valueAt(before, path) !== valueAt(order, path)))
      changes.push({ before, order, what: 'changed' });
  }
  return changes;
}

function formatChange(before: unknown, order: unknown, what: OrderChange['what']): string {
  const [previousStatus, status] = [before, order].map((row) => String(valueAt(row, 'status')));
  return [
    formatTime(new Date()),
    String(valueAt(order, 'orderNumber')),
    what,
    previousStatus === status ? status : `${previousStatus} → ${status}`,
    `${Number(valueAt(order, 'facts.liveParcels'))} parcels`,
    safeText(String(valueAt(order, 'accountName'))),
  ].join('  ');
}
