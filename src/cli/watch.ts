import { setTimeout as wait } from 'node:timers/promises';
import type { Command } from 'commander';
import { BOARD_COLUMNS, BOARD_OPTIONS } from './commands/orders';
import { loginFor } from './login';
import { CommandProblem, EXIT } from './problems';
import { addExamples, groupOf, optionOf, sentFor } from './program';
import { safeJson, safeText } from './safe-text';
import { StudioClient, type Call } from './studio-client';
import { table, valueAt } from './tables';
import type { Terminal } from './terminal';
import { readWholeFrom1, shownTime } from './values';

interface WatchFlags {
  every: number;
  limit: number;
  once?: boolean;
  json?: boolean;
  studio?: string;
}
/** A day: 16 times as long is waited after answers that did not come. */
const MAX_SECONDS = 86_400;
/** What of an order is worth a line. */
const WATCHED = ['status', 'facts.printed', 'facts.liveParcels', 'facts.paidCents', 'cancellable.now'];

/** `trade-print orders watch`: one request a turn, of one page, so that it costs the same however many orders there are. */
export function addWatch(program: Command, terminal: Terminal): void {
  const watch = groupOf(program, 'orders')
    .command('watch')
    .description('follow the board until Ctrl-C: a table that renews itself, or a line for each change');
  const options = BOARD_OPTIONS.map((spec) => ({ spec, option: optionOf(spec) }));
  for (const { option } of options) watch.addOption(option);
  watch
    .option('--every <seconds>', 'how often it looks', (text) => readWholeFrom1(text, '--every', MAX_SECONDS), 5)
    .option('--limit <rows>', 'how many of the newest orders, at most 100', (text) => readWholeFrom1(text, '--limit', 100), 50)
    .option('--once', 'show the board and end')
    .option('--json', 'each change as JSON on a line of its own')
    .option('--studio <url>', 'where the studio API is (else STUDIO_URL, else where you logged in)');
  addExamples(watch, ['orders watch', 'orders watch --status received --every 2', 'orders watch --environment test --json']);
  watch.action(async () => {
    const flags = watch.opts<WatchFlags>();
    const query = Object.fromEntries(
      options.flatMap(({ spec, option }) => {
        const value = sentFor(watch, option);
        return typeof value === 'string' ? [[spec.field, value]] : [];
      }),
    );
    const call: Call = { method: 'GET', path: '/orders', query: { ...query, limit: String(flags.limit) } };
    await follow(new StudioClient(loginFor(terminal.env, flags.studio)), call, flags, terminal);
  });
}

async function follow(client: StudioClient, call: Call, flags: WatchFlags, terminal: Terminal): Promise<void> {
  const stopped = terminal.stopped();
  let before: ReadonlyMap<string, unknown> | null = null;
  const isOver = (): boolean => stopped.aborted;
  for (let wrong = 0; !isOver();) {
    try {
      const now = byId((await client.send(call, stopped)).data);
      show(before, now, flags, terminal);
      before = now;
      wrong = 0;
    } catch (error) {
      if (isOver()) return;
      if (before === null || !(error instanceof CommandProblem) || error.exitCode !== EXIT.notReached) throw error;
      terminal.err(`${error.message}\n`);
      wrong = Math.min(wrong + 1, 4);
    }
    if (flags.once === true) return;
    // Twice as long after each answer that did not come: a service that begins again is not met by everybody at once.
    await wait(flags.every * 1000 * 2 ** wrong, undefined, { signal: stopped }).catch(() => undefined);
  }
}

const byId = (rows: unknown): Map<string, unknown> =>
  new Map((Array.isArray(rows) ? rows : []).map((row: unknown) => [String(valueAt(row, 'orderId')), row]));

type Board = ReadonlyMap<string, unknown>;

function show(before: Board | null, now: Board, { json, limit }: WatchFlags, terminal: Terminal): void {
  const changes = changesOf(before ?? new Map<string, unknown>(), now, limit);
  if (json !== true && terminal.isScreen) {
    if (before === null || changes.length > 0)
      terminal.out(`\u001b[2J\u001b[H${shownTime(new Date())}\n\n${table(BOARD_COLUMNS, [...now.values()])}\n`);
    return;
  }
  for (const { was, is, what } of changes) terminal.out(`${json === true ? safeJson({ what, order: is ?? was }) : line(was, is, what)}\n`);
}

interface Change {
  was: unknown;
  is: unknown;
  what: 'new' | 'changed' | 'gone';
}

/** Oldest first, as they would be read. An order that newer ones pushed from a full page has not left. */
function changesOf(before: Board, now: Board, limit: number): Change[] {
  const left = now.size < limit ? [...before].filter(([id]) => !now.has(id)) : [];
  const changes = left.map(([, was]): Change => ({ was, is: undefined, what: 'gone' }));
  for (const [id, is] of [...now].toReversed()) {
    const was = before.get(id);
    if (was === undefined) changes.push({ was, is, what: 'new' });
    else if (WATCHED.some((path) => valueAt(was, path) !== valueAt(is, path))) changes.push({ was, is, what: 'changed' });
  }
  return changes;
}

function line(was: unknown, is: unknown, what: Change['what']): string {
  const [row, old] = [is ?? was, was ?? is];
  const status = String(valueAt(row, 'status'));
  const before = String(valueAt(old, 'status'));
  return [
    shownTime(new Date()),
    String(valueAt(row, 'orderNumber')),
    what,
    before === status ? status : `${before} → ${status}`,
    `${Number(valueAt(row, 'facts.liveParcels'))} parcels`,
    safeText(String(valueAt(row, 'accountName'))),
  ].join('  ');
}
