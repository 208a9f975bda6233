import { setTimeout as delay } from 'node:timers/promises';
import type { Dependencies } from '../../../../src/dependencies';
import { until } from '../../../../scripts/start/ports';
import { aKey, anAccount } from '../../../support/accounts';
import { aQuote } from '../../../support/baskets';
import { HttpClient } from '../../../support/client';
import { anEndpoint } from '../../../support/endpoints';
import { compareBooks, isSettledDown, type Balance } from './books';
import { Inbox } from './inbox';
import { Ledger, type Shop } from './ledger';
import { QUIET_PERIOD } from './plans';
import { Random } from '../../../support/random';
import { PARTS, Stack, type PartName, type StackOptions } from './stack';
import { sweepOnce } from '../../../support/sweep';

export interface ProofOptions {
  seed: number;
  kills: number;
  services: StackOptions['services'];
  clients: number;
  /** Longest rest of a client between two orders. */
  pauseMs: number;
  /** Orders answered between a part's return and the next kill, so that every kill hits work; now and then the kill does not wait. */
  ordersBetweenKills: number;
  /** And a while on top: least and most. */
  quietMs: readonly [number, number];
  /** How long a killed part stays away: least and most. */
  awayMs: readonly [number, number];
  /** Parts that are frozen and thawed once each, and for how long. */
  freezes: Partial<Record<PartName, number>>;
  /** So many of the clients try once and never come back, from 0 to 1. */
  giveUps?: number;
  /** What a dead relay had claimed lapses when trading is over, and not after a minute. */
  hastenClaims?: boolean;
  postgresSettings?: Record<string, string>;
  say: (line: string) => void;
}

export interface Proof extends Balance {
  kills: number;
  freezes: number;
  line: string;
}

/** What was done to a part. */
interface Incident {
  what: 'killed' | 'frozen';
  part: PartName;
}

const ACCOUNTS = 4;
const KEYS_PER_ACCOUNT = 6;
const SETTLE_MS = 150_000;
/** A workflow task of a killed worker lasts ten seconds, a claim on starts of a killed API fifteen. */
const RECOVERY_MS = 90_000;
/** Clients that do nothing but place orders while Temporal is frozen, and the longest rest of each. */
const PLACERS = 4;
const PLACERS_REST_MS = 1500;
/** The sweeper gives rows a minute before it looks after them; here that minute is over at once. */
const SWEEPER_AHEAD_MS = 2 * 60_000;

/** Orders under load while parts of the service are killed, and then the comparison of everybody's books. */
export async function prove(options: ProofOptions): Promise<Proof> {
  const random = new Random(options.seed);
  const inbox = await Inbox.open(ACCOUNTS, random.fork());
  const stack = await Stack.create({
    services: options.services,
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
  const stopListening = onSignals(close);
  try {
    return await run(options, stack, inbox, random);
  } finally {
    stopListening();
    await close();
  }
}

async function run(options: ProofOptions, stack: Stack, inbox: Inbox, random: Random): Promise<Proof> {
  const { say } = options;
  const startedAt = Date.now();
  await stack.start();
  const deps = await stack.dependencies();
  const shops = await openShops(stack, deps, inbox);
  const ledger = new Ledger(stack, deps, random.fork(), options.giveUps ?? 0);
  say(`everything is up after ${seconds(startedAt)} s`);
  const trading = ledger.trade(shops, options.clients, options.pauseMs);
  const incidents = await troubleAround(options, stack, ledger, shops, random.fork());
  ledger.stop();
  await stack.whenReady();
  await trading;
  say(`trading is over after ${seconds(startedAt)} s`);
  await ledger.repeatAll();
  if (options.hastenClaims) await deps.database.run(`UPDATE webhook_deliveries SET claimed_until = now() WHERE claimed_until > now()`);
  await settle(await stack.dependencies(SWEEPER_AHEAD_MS), say);
  const count = (what: Incident['what'], part?: PartName) =>
    incidents.filter((incident) => incident.what === what && (part === undefined || incident.part === part)).length;
  const balance = await compareBooks({
    deps,
    ledger,
    shops,
    inbox,
    outstanding: (shop) => outstanding(stack, shop),
    relays: {
      killed: count('killed', 'relay'),
      frozen: count('frozen', 'relay'),
      withoutDatabase: count('killed', 'postgres') + count('frozen', 'postgres'),
    },
  });
  tell(options, stack, ledger, inbox, balance);
  const [kills, freezes] = [count('killed'), count('frozen')];
  const line = `${kills} kills, ${freezes} freezes, ${balance.orders} orders, ${balance.events} events, ${balance.problems.length} did not balance`;
  say(`compared after ${seconds(startedAt)} s`);
  return { ...balance, kills, freezes, line };
}

async function openShops(stack: Stack, deps: Dependencies, inbox: Inbox): Promise<Shop[]> {
  const shops: Shop[] = [];
  for (let index = 0; index < ACCOUNTS; index += 1) {
    const environment = index % 2 === 0 ? 'test' : 'live';
    const { accountId } = await anAccount(deps.database, { creditLimitCents: index < 2 ? null : 1_000_000_000 });
    const keys = await Promise.all(Array.from({ length: KEYS_PER_ACCOUNT }, () => aKey(deps.database, accountId, { environment })));
    const quote = await aQuote(new HttpClient(stack.tradeUrl, keys[0]), { whiteLabel: environment === 'test' });
    const { secret } = await anEndpoint(deps.database, accountId, inbox.urlOf(index), environment);
    inbox.expect(accountId, secret);
    shops.push({ accountId, environment, keys, quoteId: quote.quoteId, totalCents: quote.totalCents });
  }
  return shops;
}

/**
 * Kills part after part, sometimes two at once, and starts them again; each part gets its turn. Between two kills now and then one is
 * frozen.
 */
async function troubleAround(
  options: ProofOptions,
  stack: Stack,
  ledger: Ledger,
  shops: readonly Shop[],
  random: Random,
): Promise<Incident[]> {
  const incidents: Incident[] = [];
  const kills = () => incidents.filter(({ what }) => what === 'killed').length;
  const toFreeze = shuffled(
    PARTS.filter((part) => options.freezes[part] !== undefined),
    random,
  );
  const freezes = toFreeze.length;
  let deck: PartName[] = [];
  const draw = (): PartName => {
    if (deck.length === 0) deck = shuffled(PARTS, random);
    return deck.pop() ?? 'api';
  };
  const goOn = () => untilTradeGoesOn(ledger, options.ordersBetweenKills);
  await goOn();
  while (kills() < options.kills || toFreeze.length > 0) {
    const frozen = freezes - toFreeze.length;
    const due = toFreeze.length > 0 && kills() >= (options.kills * (frozen + 1)) / (freezes + 1);
    const part = due ? toFreeze.pop() : undefined;
    if (part !== undefined) {
      await freezeOne(options, stack, ledger, shops, part);
      incidents.push({ what: 'frozen', part });
      await goOn();
      continue;
    }
    const victims = new Set([draw(), ...(kills() + 1 < options.kills && random.chance(0.2) ? [draw()] : [])]);
    const died = await Promise.all([...victims].map(async (victim) => ((await stack.kill(victim)) ? [victim] : [])));
    incidents.push(...died.flat().map((victim): Incident => ({ what: 'killed', part: victim })));
    const awayMs = random.chance(0.15) ? options.awayMs[1] * 3 : random.between(...options.awayMs);
    options.say(`kill ${kills()}: ${[...victims].join(' and ')}, away for ${awayMs} ms; ${ledger.entries.length} orders so far`);
    await delay(awayMs);
    await Promise.all([...victims].map((victim) => stack.up(victim)));
    await untilTradeGoesOn(ledger, random.chance(0.8) ? options.ordersBetweenKills : 0);
    await delay(random.between(...options.quietMs));
  }
  await goOn();
  return incidents;
}

/** One part stands still for a while and goes on where it was. While it is Temporal, or the relay, orders are placed throughout. */
async function freezeOne(
  { freezes, say }: ProofOptions,
  stack: Stack,
  ledger: Ledger,
  shops: readonly Shop[],
  part: PartName,
): Promise<void> {
  const frozenMs = freezes[part] ?? 0;
  const placing = new AbortController();
  if (!stack.freeze(part)) throw new Error(`the ${part} does not run`);
  const placed =
    part === 'temporal' || part === 'relay'
      ? ledger.placeThroughout(shops, PLACERS, PLACERS_REST_MS, placing.signal)
      : Promise.resolve(null);
  await delay(frozenMs);
  placing.abort();
  const count = await placed;
  await stack.thaw(part);
  say(`frozen: ${part}, for ${frozenMs} ms${count === null ? '' : `; ${count} orders were placed meanwhile`}`);
}

/** Until so many more orders have been answered; a recovery that takes too long shows in the books. */
async function untilTradeGoesOn(ledger: Ledger, more: number): Promise<void> {
  const goal = ledger.answered + more;
  await until('trade did not go on', async () => ledger.answered >= goal || undefined, { timeoutMs: RECOVERY_MS }).catch((error: Error) =>
    ledger.problems.push(error.message),
  );
}

/** The sweeper runs until nothing is on its way; what never settles shows in the books. */
async function settle(deps: Dependencies, say: (line: string) => void): Promise<void> {
  const startedAt = Date.now();
  const found = { orders: 0, deliveries: 0 };
  try {
    await until(
      'not everything settled',
      async () => {
        const { orders, deliveries } = await sweepOnce(deps);
        found.orders += orders;
        found.deliveries += deliveries;
        return (await isSettledDown(deps)) || undefined;
      },
      { timeoutMs: SETTLE_MS, everyMs: 1000 },
    );
  } catch (error) {
    say((error as Error).message);
  }
  say(`settled in ${seconds(startedAt)} s; the sweeper found ${found.orders} orders and ${found.deliveries} deliveries without a workflow`);
}

async function outstanding(stack: Stack, { accountId, environment }: Shop): Promise<number> {
  const reply = await new HttpClient(stack.studioUrl, stack.adminToken).get(`/accounts/${accountId}`);
  return reply.json.data[environment].outstandingCents;
}

function tell({ say }: ProofOptions, stack: Stack, { insistence, entries }: Ledger, inbox: Inbox, balance: Balance): void {
  const { requests, faults, lost, waits } = insistence.tally;
  say(`webhooks: ${balance.repeats} requests more than attempts that count, ${balance.unlogged} of them in no log`);
  say(
    `${entries.length} keys; ${requests} requests, of them ${faults} answered 5xx, ${lost} lost, ${waits} told to wait; ${inbox.requests} webhook requests for ${balance.events} events`,
  );
  const ends = stack.ownEnds.map(({ part, code }) => `${part} (${code})`);
  say(`ended by themselves: ${ends.length === 0 ? 'none' : ends.join(', ')}`);
  for (const { part, code, lastLines } of stack.ownEnds) say(`--- ${part} ended with ${code}\n${lastLines}`);
  for (const problem of balance.problems) say(`DOES NOT BALANCE ${problem}`);
}

const seconds = (since: number): number => Math.round((Date.now() - since) / 1000);

function shuffled<T>(items: readonly T[], random: Random): T[] {
  const left = [...items];
  const drawn: T[] = [];
  while (left.length > 0) drawn.push(...left.splice(random.between(0, left.length - 1), 1));
  return drawn;
}

function onceOnly(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}

/** A Ctrl-C ends what was started as well. */
function onSignals(close: () => Promise<void>): () => void {
  const end = (): void => void close().finally(() => process.exit(130));
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.once(signal, end);
  return () => signals.forEach((signal) => process.off(signal, end));
}
