import { setTimeout as delay } from 'node:timers/promises';
import type { Dependencies } from '../../../../src/processes/dependencies';
import { waitUntil } from '../../../../scripts/start/ports';
import { aKey, anAccount } from '../../../support/accounts';
import { aQuote } from '../../../support/baskets';
import { HttpClient } from '../../../support/client';
import { anEndpoint } from '../../../support/endpoints';
import { compareRecords, isBackgroundWorkDone, type BalanceReport } from './compare-records';
import { WebhookInbox } from './inbox';
import { ClientLedger, type ClientAccount } from './client-ledger';
import { QUIET_PERIOD } from './order-plans';
import { Random } from '../../../support/random';
import { PatientClient } from '../../../support/repeat';
import { tabulateRecoveries, type Incident } from './recovery';
import { kindOf, Stack, type PartName, type StackOptions } from './stack';
import { sweepOnce } from '../../../support/sweep';

export interface ProofOptions {
  seed: number;
  kills: number;
  services: StackOptions['services'];
  clients: number;
  /** Longest pause of a client between two orders. */
  pauseMs: number;
  /** Confirmed orders between the return of a process and the next kill, so every kill hits work. Some kills do not wait. */
  ordersBetweenKills: number;
  /** Additional wait: least and most. */
  quietMs: readonly [number, number];
  /** Downtime of a killed process: least and most. */
  awayMs: readonly [number, number];
  /** Kinds of parts of which each is paused and resumed once, with the duration. */
  freezes: Partial<Record<ReturnType<typeof kindOf>, number>>;
  /** Processes of API, worker and relay each. */
  copies?: number;
  /** Share of the clients that try once and never retry, from 0 to 1. */
  abandonRate?: number;
  /** Leases of a killed relay expire at the end of the run instead of after a minute. */
  expireClaims?: boolean;
  postgresSettings?: Record<string, string>;
  printLine: (line: string) => void;
}

export interface ProofResult extends BalanceReport {
  kills: number;
  freezes: number;
  summary: string;
}

const ACCOUNTS = 4;
const KEYS_PER_ACCOUNT = 6;
const SETTLE_MS = 150_000;
/** A workflow task of a killed worker times out after ten seconds, and a claim of a killed API on starts after fifteen. */
const RECOVERY_MS = 90_000;
/** Clients that only place orders while Temporal is frozen, and the longest pause of each. */
const FREEZE_CLIENTS = 4;
const FREEZE_CLIENT_PAUSE_MS = 1500;
/** The sweeper ignores rows for a minute. Here that minute is over at once. */
const SWEEPER_AHEAD_MS = 2 * 60_000;

/** Places orders under load while processes are killed, then compares all records. */
export async function runProof(options: ProofOptions): Promise<ProofResult> {
  const random = new Random(options.seed);
  const inbox = await WebhookInbox.open(ACCOUNTS, random.fork());
  const stack = await Stack.create({
    services: options.services,
    copies: options.copies ?? 1,
    ...(options.postgresSettings && { postgresSettings: options.postgresSettings }),
    env: {
      WEBHOOK_ALLOWED_ORIGINS: inbox.origins.join(','),
      WEBHOOK_RETRY_SCHEDULE: '500ms,1s,2s,3s,5s,5s',
      ORDER_QUIET_PERIOD: QUIET_PERIOD,
      CONFIRMATION_DELAY: '0s',
      LOG_LEVEL: 'warn',
    },
  });
  const close = onceOnly(async () => {
    await inbox.close();
    await stack.close();
  });
  const stopListening = closeOnSignals(close);
  try {
    return await run(options, stack, inbox, random);
  } finally {
    stopListening();
    await close();
  }
}

async function run(options: ProofOptions, stack: Stack, inbox: WebhookInbox, random: Random): Promise<ProofResult> {
  const { printLine } = options;
  const startedAt = Date.now();
  await stack.start();
  const deps = await stack.dependencies();
  const shops = await openShops(stack, deps, inbox);
  const ledger = new ClientLedger(stack, deps, random.fork(), options.abandonRate ?? 0);
  printLine(`everything is up after ${seconds(startedAt)} s`);
  const orderPlacement = ledger.placeOrdersUntilStopped(shops, options.clients, options.pauseMs);
  const incidents = await killAndFreezeParts(options, stack, ledger, shops, random.fork());
  const tradedUntil = Date.now();
  ledger.stop();
  await stack.whenReady();
  await orderPlacement;
  printLine(`trading is over after ${seconds(startedAt)} s`);
  for (const shop of shops) {
    const key = await aKey(deps.database, shop.accountId, { environment: shop.environment });
    await ledger.exceedLimits(shop, key, () => readOutstanding(stack, shop)).catch((error: Error) => ledger.problems.push(error.message));
  }
  await ledger.repeatAll();
  if (options.expireClaims) await deps.database.run(`UPDATE webhook_deliveries SET claimed_until = now() WHERE claimed_until > now()`);
  await waitUntilSettled(await stack.dependencies(SWEEPER_AHEAD_MS), printLine);
  const count = (what: Incident['kind'], part?: PartName) =>
    partsOf(incidents, what).filter((affected) => part === undefined || kindOf(affected) === part).length;
  const balance = await compareRecords({
    deps,
    ledger,
    shops,
    inbox,
    outstanding: (shop) => readOutstanding(stack, shop),
    relays: {
      killed: count('killed', 'relay'),
      frozen: count('frozen', 'relay'),
      withoutDatabase: count('killed', 'postgres') + count('frozen', 'postgres'),
    },
  });
  printReport(options, stack, ledger, inbox, balance);
  for (const line of tabulateRecoveries(incidents, ledger.client.tries, inbox.arrivals, tradedUntil)) printLine(line);
  const [kills, freezes] = [count('killed'), count('frozen')];
  const line = `${kills} kills, ${freezes} freezes, ${balance.orders} orders, ${balance.events} events, ${balance.problems.length} did not balance`;
  printLine(`compared after ${seconds(startedAt)} s`);
  return { ...balance, kills, freezes, summary: line };
}

async function openShops(stack: Stack, deps: Dependencies, inbox: WebhookInbox): Promise<ClientAccount[]> {
  const shops: ClientAccount[] = [];
  for (let index = 0; index < ACCOUNTS; index += 1) {
    const environment = index % 2 === 0 ? 'test' : 'live';
    const { accountId } = await anAccount(deps.database, { creditLimitCents: index < 2 ? null : 1_000_000_000 });
    const keys = await Promise.all(Array.from({ length: KEYS_PER_ACCOUNT }, () => aKey(deps.database, accountId, { environment })));
    const quote = await aQuote(new HttpClient(stack.tradeUrl, keys[0]), { whiteLabel: environment === 'test' });
    const { secret } = await anEndpoint(deps.database, accountId, inbox.urlOf(index), environment);
    inbox.registerAccount(accountId, secret);
    shops.push({ accountId, environment, keys, quoteId: quote.quoteId, totalCents: quote.totalCents });
  }
  return shops;
}

/** Kills each process in sequence, sometimes two at once, and restarts them. Some kills are followed by a freeze. */
async function killAndFreezeParts(
  options: ProofOptions,
  stack: Stack,
  ledger: ClientLedger,
  shops: readonly ClientAccount[],
  random: Random,
): Promise<Incident[]> {
  const incidents: Incident[] = [];
  const kills = () => partsOf(incidents, 'killed').length;
  const toFreeze = shuffle(
    stack.parts.filter((part) => options.freezes[kindOf(part)] !== undefined),
    random,
  );
  const freezes = toFreeze.length;
  let deck: PartName[] = [];
  const drawPart = (): PartName => {
    if (deck.length === 0) deck = shuffle(stack.parts, random);
    return deck.pop() ?? 'api';
  };
  const waitForOrders = () => waitForMoreOrders(stack, ledger, options.ordersBetweenKills);
  await waitForOrders();
  while (kills() < options.kills || toFreeze.length > 0) {
    const frozen = freezes - toFreeze.length;
    const due = toFreeze.length > 0 && kills() >= (options.kills * (frozen + 1)) / (freezes + 1);
    const part = due ? toFreeze.pop() : undefined;
    if (part !== undefined) {
      incidents.push({ kind: 'frozen', parts: [part], at: Date.now() });
      await freezeOne(options, stack, ledger, shops, part);
      await waitForOrders();
      continue;
    }
    const victims = new Set([drawPart(), ...(kills() + 1 < options.kills && random.chance(0.2) ? [drawPart()] : [])]);
    const at = Date.now();
    const died = await Promise.all([...victims].map(async (victim) => ((await stack.kill(victim)) ? [victim] : [])));
    incidents.push({ kind: 'killed', parts: died.flat(), at });
    const awayMs = random.chance(0.15) ? options.awayMs[1] * 3 : random.between(...options.awayMs);
    options.printLine(`kill ${kills()}: ${[...victims].join(' and ')}, away for ${awayMs} ms; ${ledger.entries.length} orders so far`);
    await delay(awayMs);
    await Promise.all([...victims].map((victim) => stack.startPart(victim)));
    if (random.chance(0.8)) await waitForOrders();
    await delay(random.between(...options.quietMs));
  }
  await waitForOrders();
  return incidents;
}

/** Pauses one process and resumes it. Orders can be placed while Temporal or the relay is paused. */
async function freezeOne(
  { freezes, printLine }: ProofOptions,
  stack: Stack,
  ledger: ClientLedger,
  shops: readonly ClientAccount[],
  part: PartName,
): Promise<void> {
  const frozenMs = freezes[kindOf(part)] ?? 0;
  const placing = new AbortController();
  // A process that could not start while another part was away starts again a moment later.
  await waitUntil(`the ${part} does not run`, async () => stack.freeze(part) || undefined, { timeoutMs: RECOVERY_MS });
  const placed =
    part === 'temporal' || kindOf(part) === 'relay'
      ? ledger.placeOrdersUntil(shops, FREEZE_CLIENTS, FREEZE_CLIENT_PAUSE_MS, placing.signal)
      : Promise.resolve(null);
  await delay(frozenMs);
  placing.abort();
  const count = await placed;
  await stack.thaw(part);
  printLine(`frozen: ${part}, for ${frozenMs} ms${count === null ? '' : `; ${count} orders were placed meanwhile`}`);
}

/**
 * Waits for `count` more confirmed orders. A slow recovery appears in the comparison. It begins when all processes are ready, because a slow
 * machine starts them slowly.
 */
async function waitForMoreOrders(stack: Stack, ledger: ClientLedger, count: number): Promise<void> {
  const goal = ledger.answeredCount + count;
  await stack.whenReady();
  await waitUntil('trade did not go on', async () => ledger.answeredCount >= goal || undefined, { timeoutMs: RECOVERY_MS }).catch(
    (error: Error) => ledger.problems.push(error.message),
  );
}

/** Runs the sweeper until no work is open. Work that never completes appears in the comparison. */
async function waitUntilSettled(deps: Dependencies, printLine: (line: string) => void): Promise<void> {
  const startedAt = Date.now();
  const found = { orders: 0, deliveries: 0 };
  try {
    await waitUntil(
      'not everything settled',
      async () => {
        const { orders, deliveries } = await sweepOnce(deps);
        found.orders += orders;
        found.deliveries += deliveries;
        return (await isBackgroundWorkDone(deps)) || undefined;
      },
      { timeoutMs: SETTLE_MS, everyMs: 1000 },
    );
  } catch (error) {
    printLine((error as Error).message);
  }
  printLine(
    `settled in ${seconds(startedAt)} s; the sweeper found ${found.orders} orders and ${found.deliveries} deliveries without a workflow`,
  );
}

async function readOutstanding(stack: Stack, { accountId, environment }: ClientAccount): Promise<number> {
  const studio = new PatientClient(stack.studioUrl, stack.adminToken);
  const reply = await studio.get(`/accounts/${accountId}`);
  return reply.json.data[environment].outstandingCents;
}

function printReport(
  { printLine }: ProofOptions,
  stack: Stack,
  { client, entries }: ClientLedger,
  inbox: WebhookInbox,
  balance: BalanceReport,
): void {
  const { requests, faults, lost, waits } = client.counts;
  printLine(`webhooks: ${balance.repeats} requests more than attempts that count, ${balance.unlogged} of them in no log`);
  printLine(
    `${entries.length} keys; ${requests} requests, of them ${faults} answered 5xx, ${lost} lost, ${waits} told to wait; ${inbox.requests} webhook requests for ${balance.events} events`,
  );
  const ends = stack.unexpectedExits.map(({ part, code }) => `${part} (${code})`);
  printLine(`ended by themselves: ${ends.length === 0 ? 'none' : ends.join(', ')}`);
  for (const { part, code, lastLines } of stack.unexpectedExits) printLine(`--- ${part} ended with ${code}\n${lastLines}`);
  for (const problem of balance.problems) printLine(`DOES NOT BALANCE ${problem}`);
}

const partsOf = (incidents: readonly Incident[], what: Incident['kind']): PartName[] =>
  incidents.flatMap(({ kind, parts }) => (kind === what ? parts : []));

const seconds = (since: number): number => Math.round((Date.now() - since) / 1000);

function shuffle<T>(items: readonly T[], random: Random): T[] {
  const remaining = [...items];
  const drawn: T[] = [];
  while (remaining.length > 0) drawn.push(...remaining.splice(random.between(0, remaining.length - 1), 1));
  return drawn;
}

function onceOnly(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}

/** Ctrl-C stops the started processes as well. */
function closeOnSignals(close: () => Promise<void>): () => void {
  const end = (): void => void close().finally(() => process.exit(130));
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.once(signal, end);
  return () => signals.forEach((signal) => process.off(signal, end));
}
