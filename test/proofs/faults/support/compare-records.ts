import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Dependencies } from '../../../../src/processes/dependencies';
import { findDifferingBalances, findDifferingInvoices } from '../../../../src/db/repositories/ledger-check';
import { loadOrderState } from '../../../../src/db/repositories/orders';
import { LIMITS } from '../../../../src/domain/limits';
import type { OrderRow } from '../../../../src/db/rows';
import { isDeepStrictEqual } from 'node:util';
import { decide, type OrderMessage } from '../../../../src/domain/order-messages';
import { effectiveStatus, isSettled, type OrderFacts } from '../../../../src/domain/order-status';
import type { presentOrder } from '../../../../src/presenters/orders';
import { orderWorkflowId } from '../../../../workflows/messages';
import type { WebhookInbox } from './inbox';
import type { ClientOrder, ClientLedger, ClientAccount } from './client-ledger';

export interface BalanceInput {
  deps: Dependencies;
  ledger: ClientLedger;
  shops: readonly ClientAccount[];
  inbox: WebhookInbox;
  /** Outstanding cents in the studio API. */
  outstanding: (shop: ClientAccount) => Promise<number>;
  /** The number of times that the relay was killed, frozen, and without its database. */
  relays: { killed: number; frozen: number; withoutDatabase: number };
}

export interface BalanceReport {
  orders: number;
  events: number;
  /** POSTs to receivers above the counted attempts, and the number of them that no log of attempts contains. */
  repeats: number;
  unlogged: number;
  problems: string[];
}

/** Compares the clients' responses, the receivers' events, the database and Temporal. */
export async function compareRecords(books: BalanceInput): Promise<BalanceReport> {
  const { deps, ledger, inbox } = books;
  const orders = await queryAll<OrderRow>(deps, 'SELECT * FROM orders');
  const events = await queryAll<StoredEvent>(
    deps,
    'SELECT id, order_id, account_id, sequence, type, body FROM order_events WHERE part = 0 ORDER BY order_id, sequence',
  );
  const posts = await postsOf(books);
  const problems = [
    ...ledger.problems,
    ...inbox.problems,
    ...(await checkOrders(books, orders)),
    ...(await checkMoney(books, orders)),
    ...(await checkFacts(books, orders)),
    ...checkSequences(orders, events),
    ...checkReceivedEvents(inbox, events),
    ...posts.problems,
    ...(await checkDeliveries(deps)),
    ...(await checkWorkflows(deps, orders)),
    ...(await checkRuns(deps)),
    ...(await checkConfirmations(deps, orders)),
  ];
  return {
    orders: orders.length,
    events: events.length,
    repeats: posts.repeats,
    unlogged: posts.unlogged,
    problems: [...new Set(problems)],
  };
}

const queryAll = <T>({ database }: Dependencies, text: string, parameters: unknown[] = []): Promise<T[]> =>
  database.rows<T>(text, parameters);

interface StoredEvent {
  id: string;
  order_id: string;
  account_id: string;
  sequence: number;
  type: string;
  body: string;
}

/** Remakes have none, and the run makes no remakes. */
const NO_QUOTE = 'no quote';

/** Each 201 is one order with one invoice, a spent quote and a record of the same bytes. No other orders exist. */
async function checkOrders({ deps, ledger }: BalanceInput, orders: OrderRow[]): Promise<string[]> {
  const problems: string[] = [];
  const stored = new Map(orders.map((order) => [order.id, order]));
  const records = await queryAll<{ idempotency_key: string; order_id: string; response_status: number; response_body: string }>(
    deps,
    'SELECT idempotency_key, order_id, response_status, response_body FROM idempotency_records',
  );
  const recordOf = new Map(records.map((record) => [record.idempotency_key, record]));
  const invoices = countBy(await queryAll<{ order_id: string }>(deps, 'SELECT order_id FROM invoices'), ({ order_id }) => order_id);
  const quotes = countBy(orders, ({ quote_id }) => quote_id ?? NO_QUOTE);
  const spent = new Set((await queryAll<{ id: string }>(deps, 'SELECT id FROM quotes WHERE consumed_at IS NOT NULL')).map(({ id }) => id));
  const winners = countBy(
    ledger.entries.filter(({ firstResponse }) => firstResponse !== null),
    ({ orderId }) => orderId,
  );

  for (const { orderId, quoteId, key, firstResponse, isAbandoned } of ledger.entries) {
    const record = recordOf.get(key);
    if (firstResponse === null) {
      if (record !== undefined && !isAbandoned) problems.push(`${orderId}: a key that was refused still has a record`);
      continue;
    }
    const told = (JSON.parse(firstResponse) as { data: ReturnType<typeof presentOrder> }).data;
    const order = stored.get(orderId);
    if (told.orderId !== orderId || told.quoteId !== quoteId)
      problems.push(`${orderId}: the 201 tells of ${told.orderId} of ${told.quoteId}`);
    if (order === undefined) problems.push(`${orderId}: a client saw 201 and there is no such order`);
    else if (order.order_number !== told.orderNumber || order.total_cents !== told.totalCents)
      problems.push(`${orderId}: the 201 tells another number or total`);
    if (record?.order_id !== orderId || record.response_status !== 201 || record.response_body !== firstResponse)
      problems.push(`${orderId}: the idempotency record does not hold the 201`);
    if (winners.get(orderId) !== 1) problems.push(`${orderId}: ${winners.get(orderId)} keys were answered 201`);
  }
  for (const { id, quote_id: quoteId } of orders) {
    if (invoices.get(id) !== 1) problems.push(`${id}: ${invoices.get(id) ?? 0} invoices`);
    if (quotes.get(quoteId ?? NO_QUOTE) !== 1) problems.push(`${id}: its quote has ${quotes.get(quoteId ?? NO_QUOTE)} orders`);
    if (!spent.has(quoteId ?? NO_QUOTE)) problems.push(`${id}: its quote is not spent`);
    const explained = winners.has(id) || records.some(({ order_id }) => order_id === id);
    if (!explained) problems.push(`${id}: an order that no client was told of and no record explains`);
  }
  for (const id of spent) if (!quotes.has(id)) problems.push(`${id}: a quote was spent without an order`);
  for (const id of invoices.keys()) if (!stored.has(id)) problems.push(`${id}: an invoice without its order`);
  return problems;
}

/** Outstanding equals valid invoices less valid payments. */
async function checkMoney({ deps, shops, outstanding }: BalanceInput, orders: OrderRow[]): Promise<string[]> {
  const problems: string[] = [];
  const open = await queryAll<{ account_id: string; environment: string; cents: number }>(
    deps,
    `
    SELECT i.account_id, i.environment, SUM(GREATEST(0, i.amount_cents - i.credited_cents - COALESCE(p.cents, 0)))::bigint AS cents
      FROM invoices i LEFT JOIN (SELECT order_id, SUM(amount_cents) AS cents FROM payments WHERE reversed_at IS NULL GROUP BY order_id) p ON p.order_id = i.order_id
     WHERE i.voided_at IS NULL GROUP BY i.account_id, i.environment`,
  );
  for (const shop of shops) {
    const expected =
      open.find(({ account_id, environment }) => account_id === shop.accountId && environment === shop.environment)?.cents ?? 0;
    const told = await outstanding(shop);
    if (told !== expected) problems.push(`${shop.accountId}: ${told} cents outstanding, the invoices and payments say ${expected}`);
  }
  for (const { account_id, environment } of await findDifferingBalances(deps.database, null))
    problems.push(`${account_id}: its sums in ${environment} are not those of its entries`);
  for (const { invoice_number } of await findDifferingInvoices(deps.database, null))
    problems.push(`${invoice_number}: is not booked as it is`);
  const invoices = await queryAll<{ order_id: string; amount_cents: number; voided: boolean }>(
    deps,
    'SELECT order_id, amount_cents, voided_at IS NOT NULL AS voided FROM invoices',
  );
  const invoiceOf = new Map(invoices.map((invoice) => [invoice.order_id, invoice]));
  for (const { id, total_cents, base_status } of orders) {
    const invoice = invoiceOf.get(id);
    if (invoice?.amount_cents !== total_cents)
      problems.push(`${id}: the invoice is over ${invoice?.amount_cents} cents, the order over ${total_cents}`);
    if (invoice?.voided !== (base_status === 'cancelled'))
      problems.push(`${id}: ${base_status}, and its invoice is ${invoice?.voided ? 'void' : 'not void'}`);
  }
  return problems;
}

/** The stored facts follow from the timeline and from the clients' confirmed messages, each applied once. */
async function checkFacts({ deps, ledger }: BalanceInput, orders: OrderRow[]): Promise<string[]> {
  const problems: string[] = [];
  const timeline = await queryAll<{
    order_id: string;
    milestone_id: string;
    type: string;
    content: string;
    outcome: string;
    reason: string | null;
  }>(deps, 'SELECT order_id, milestone_id, type, content, outcome, reason FROM order_timeline ORDER BY id');
  const entryOf = new Map(ledger.entries.filter(({ firstResponse }) => firstResponse !== null).map((entry) => [entry.orderId, entry]));
  for (const order of orders) {
    const facts = (await loadOrderState(deps.database, order.id))?.facts;
    if (facts === undefined) throw new Error(`order ${order.id} is gone`);
    const lines = timeline.filter(({ order_id }) => order_id === order.id);
    for (const { type, reason } of lines.filter(({ outcome }) => outcome === 'refused'))
      problems.push(`${order.id}: ${type} was refused: ${reason}`);
    const applied = lines.filter(({ outcome }) => outcome === 'applied');
    const messages = applied.map(
      ({ milestone_id, content }) => ({ milestoneId: milestone_id, ...(JSON.parse(content) as object) }) as OrderMessage,
    );
    if (!sameFacts(replayMessages(order, messages), facts))
      problems.push(`${order.id}: the timeline leads to other facts than those stored`);
    if (order.status !== effectiveStatus(facts))
      problems.push(`${order.id}: reads ${order.status}, its facts say ${effectiveStatus(facts)}`);
    if ((order.settled_at !== null) !== isSettled(facts)) problems.push(`${order.id}: settled_at does not fit its facts`);
    if (order.version !== applied.length + 1) problems.push(`${order.id}: version ${order.version} after ${applied.length} changes`);
    problems.push(...checkAnsweredFacts(order, facts, entryOf.get(order.id), messages));
  }
  return problems;
}

function checkAnsweredFacts(order: OrderRow, facts: OrderFacts, entry: ClientOrder | undefined, applied: OrderMessage[]): string[] {
  if (entry === undefined) return [];
  const [answered, stored] = [entry.appliedMessages, applied].map((messages) =>
    messages.map(({ type, milestoneId }) => `${type} ${type === 'cancelled' ? '' : milestoneId}`).join(', '),
  );
  const differs = answered !== stored || !sameFacts(replayMessages(order, entry.appliedMessages), facts);
  return differs ? [`${order.id}: the clients were told "${answered}", the timeline says "${stored}"`] : [];
}

function replayMessages(order: OrderRow, messages: OrderMessage[]): OrderFacts {
  let facts: OrderFacts = {
    baseStatus: 'received',
    heldFrom: null,
    printed: false,
    printedLines: [],
    lineCount: order.lines.length,
    liveParcels: [],
    voidedParcels: [],
    payments: {},
    reversedPayments: [],
    totalCents: order.total_cents,
    creditNotes: {},
    reversedCreditNotes: [],
  };
  for (const message of messages) {
    const verdict = decide(facts, message);
    if ('facts' in verdict) facts = verdict.facts;
  }
  return facts;
}

const sameFacts = (one: OrderFacts, other: OrderFacts): boolean => isDeepStrictEqual(one, other);

function checkSequences(orders: OrderRow[], events: StoredEvent[]): string[] {
  const problems: string[] = [];
  for (const { id, event_sequence, status } of orders) {
    const own = events.filter(({ order_id }) => order_id === id);
    const found = own.map(({ sequence }) => sequence).join(',');
    const expected = Array.from({ length: event_sequence }, (_, index) => index + 1).join(',');
    if (found !== expected) problems.push(`${id}: events ${found} instead of ${expected}`);
    if (own.at(-1)?.type !== `order.${status}`) problems.push(`${id}: reads ${status}, its last event is ${own.at(-1)?.type}`);
  }
  return problems;
}

/** Every event reached its account's receiver at least once, verified, in the stored bytes. The receivers got nothing else. */
function checkReceivedEvents(inbox: WebhookInbox, events: StoredEvent[]): string[] {
  const problems: string[] = [];
  const known = new Set(events.map(({ id }) => id));
  for (const { id, order_id, account_id, type, body } of events) {
    const heard = inbox.events.get(id);
    if (heard === undefined) problems.push(`${order_id}: ${type} ${id} never reached the receiver`);
    else if (heard.accountId !== account_id) problems.push(`${order_id}: ${type} came to another account's receiver`);
    else if (heard.bodies.size !== 1 || !heard.bodies.has(body))
      problems.push(`${order_id}: ${type} came with other bytes than those fixed`);
    else if (!heard.accepted) problems.push(`${order_id}: ${type} was never accepted by the receiver`);
  }
  for (const id of inbox.events.keys()) if (!known.has(id)) problems.push(`${id}: the receiver heard of an event that is not in the books`);
  return problems;
}

async function checkDeliveries(deps: Dependencies): Promise<string[]> {
  const open = await queryAll<{ id: string; state: string; attempts: number; claimed: boolean; handed_over: boolean }>(
    deps,
    `SELECT id, state, attempts, claimed_until > now() AS claimed, handed_over_at IS NOT NULL AS handed_over FROM webhook_deliveries WHERE state <> 'delivered'`,
  );
  const missing = await queryAll<{ id: string }>(
    deps,
    'SELECT id FROM order_events e WHERE part = 0 AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.event_id = e.id)',
  );
  return [
    ...open.map(
      ({ id, state, attempts, claimed, handed_over }) =>
        `${id}: the delivery is ${state} after ${attempts} attempts, ${claimed ? '' : 'not '}claimed, ${handed_over ? '' : 'not '}handed over`,
    ),
    ...missing.map(({ id }) => `${id}: an event without its delivery`),
  ];
}

/** Concurrent attempts of a relay per endpoint, and the size of its batches of results. */
const MAX_IN_FLIGHT = 4;
const RESULT_BATCH_SIZE = 50;

/**
 * Each delivery's row matches its log of attempts, also after a pause of any process. Further POSTs are those that a relay sent and
 * could not record because it was killed or paused past its leases: its attempts in progress for each endpoint, and one batch of
 * results. A retry is repeated if the database is unavailable for its result.
 */
async function postsOf({ deps, inbox, shops, relays }: BalanceInput): Promise<{ repeats: number; unlogged: number; problems: string[] }> {
  const problems: string[] = [];
  const deliveries = await queryAll<{
    id: string;
    event_id: string;
    state: string;
    attempts: number;
    numbers: number[] | null;
    logged: number;
    answered: number;
    ok: boolean;
  }>(
    deps,
    `
    SELECT d.id, d.event_id, d.state, d.attempts, array_agg(DISTINCT a.number ORDER BY a.number) FILTER (WHERE a.chain = d.chain) AS numbers,
           count(a.id)::int AS logged, count(a.status)::int AS answered, COALESCE(bool_or(a.ok AND a.number = d.attempts), false) AS ok
      FROM webhook_deliveries d LEFT JOIN webhook_attempts a ON a.delivery_id = d.id GROUP BY d.id`,
  );
  let [repeats, unlogged] = [0, 0];
  for (const { id, event_id, state, attempts, numbers, logged, answered, ok } of deliveries) {
    const heard = inbox.events.get(event_id)?.times ?? 0;
    const told = (numbers ?? []).join(',');
    if (told !== Array.from({ length: attempts }, (_, index) => index + 1).join(','))
      problems.push(`${id}: ${attempts} attempts, and the log has ${told}`);
    if (state === 'delivered' && !ok) problems.push(`${id}: delivered with attempt ${attempts}, of which the log has no success`);
    if (answered > heard) problems.push(`${id}: the log has ${answered} answers to ${heard} requests`);
    repeats += Math.max(0, heard - attempts);
    unlogged += Math.max(0, heard - logged);
  }
  const inFlight = shops.length * MAX_IN_FLIGHT;
  const onTheirWay = (times: number): number => times * (inFlight + RESULT_BATCH_SIZE) + relays.withoutDatabase * inFlight;
  // A paused relay logs its attempts after it is resumed.
  const [most, mostUnlogged] = [onTheirWay(relays.killed + relays.frozen), onTheirWay(relays.killed)];
  if (repeats > most) problems.push(`${repeats} POSTs were repeats, and at most ${most} can have been on their way`);
  if (unlogged > mostUnlogged) problems.push(`${unlogged} POSTs are in no log, and at most ${mostUnlogged} can have been on their way`);
  return { repeats, unlogged, problems };
}

/** Open orders have their running workflow; no workflow runs for an order or a delivery that is not open. */
async function checkWorkflows(deps: Dependencies, orders: OrderRow[]): Promise<string[]> {
  const problems: string[] = [];
  const unseen = await queryAll<{ id: string }>(deps, 'SELECT id FROM orders WHERE workflow_checked_at IS NULL');
  for (const { id } of unseen) problems.push(`${id}: nobody has marked its workflow as started`);
  const open = new Set(orders.filter(({ settled_at }) => settled_at === null).map(({ id }) => orderWorkflowId(id)));
  for (const workflowId of open) {
    if ((await statusOf(deps, workflowId)) !== 'RUNNING') problems.push(`${workflowId}: the order is open and its workflow does not run`);
  }
  for (const { id } of orders)
    if (!open.has(orderWorkflowId(id)) && (await statusOf(deps, orderWorkflowId(id))) !== 'COMPLETED')
      problems.push(`${id}: the order has settled, and its workflow is ${await statusOf(deps, orderWorkflowId(id))}`);
  for (const workflowId of await findRunningWorkflows(deps)) {
    if (!open.has(workflowId) && (await statusOf(deps, workflowId)) === 'RUNNING')
      problems.push(`${workflowId}: runs, and there is nothing open for it`);
  }
  return problems;
}

/** Workflows of orders and deliveries that run, according to the visibility store. */
export async function findRunningWorkflows(deps: Dependencies): Promise<string[]> {
  const found: string[] = [];
  const query = `WorkflowType IN ("order", "webhookDelivery") AND ExecutionStatus = "Running"`;
  for await (const { workflowId } of deps.temporal.client.workflow.list({ query })) found.push(workflowId);
  return found;
}

/** No run has failed or has a repeatedly failing task. */
export async function checkRuns(deps: Dependencies): Promise<string[]> {
  const { workflow } = deps.temporal.client;
  const problems: string[] = [];
  const failed = `ExecutionStatus IN ("Failed", "TimedOut", "Terminated", "Canceled") AND WorkflowType != "webhookPing"`;
  for await (const { workflowId, status } of workflow.list({ query: failed })) problems.push(`${workflowId}: its run is ${status.name}`);
  for await (const { workflowId, runId } of workflow.list({ query: 'ExecutionStatus = "Running"' })) {
    const { raw } = await workflow.getHandle(workflowId, runId).describe();
    const { pendingWorkflowTask: task, pendingActivities } = raw;
    if (Number(task?.attempt ?? 0) > 1) problems.push(`${workflowId}: its workflow task is at attempt ${task?.attempt}`);
    for (const { activityType, attempt, lastFailure } of pendingActivities ?? []) {
      if (Number(attempt ?? 0) > 1) problems.push(`${workflowId}: ${activityType?.name} is at attempt ${attempt}: ${lastFailure?.message}`);
    }
  }
  return problems;
}

async function statusOf(deps: Dependencies, workflowId: string): Promise<string> {
  return deps.temporal.client.workflow
    .getHandle(workflowId)
    .describe()
    .then(
      ({ status }) => status.name,
      (error: Error) => error.name,
    );
}

/** Each live order is confirmed to its customer once, unless it was cancelled before or its account has cancelled too many. */
async function checkConfirmations(deps: Dependencies, orders: OrderRow[]): Promise<string[]> {
  const due = orders.filter(({ environment, white_label }) => environment === 'live' && !white_label);
  const cancelled = countBy(
    due.filter(({ confirmation_sent_at, base_status }) => confirmation_sent_at !== null && base_status === 'cancelled'),
    ({ account_id }) => account_id,
  );
  const isWithheld = ({ confirmation_failed_at, account_id }: OrderRow): boolean =>
    confirmation_failed_at !== null && (cancelled.get(account_id) ?? 0) >= LIMITS.cancelledConfirmationsPerDay;
  const mails = due.length === 0 ? [] : readdirSync(join(deps.config.mailOutboxDir)).filter((name) => name.endsWith('.eml'));
  const unsent = due
    .filter((order) => order.confirmation_sent_at === null && order.base_status !== 'cancelled' && !isWithheld(order))
    .map(({ id }) => `${id}: the confirmation was not sent`);
  const sent = due.filter(({ confirmation_sent_at }) => confirmation_sent_at !== null);
  return mails.length === sent.length ? unsent : [...unsent, `${mails.length} confirmations for ${sent.length} confirmed orders`];
}

/** All work is complete, so the records can be compared. */
export async function isBackgroundWorkDone(deps: Dependencies): Promise<boolean> {
  const [pending] = await queryAll<{ deliveries: number; mails: number; unseen: number }>(
    deps,
    `
    SELECT (SELECT count(*) FROM orders WHERE workflow_checked_at IS NULL)::int AS unseen, (SELECT count(*) FROM webhook_deliveries WHERE state = 'pending')::int AS deliveries,
      (SELECT count(*) FROM orders WHERE environment = 'live' AND NOT white_label AND base_status <> 'cancelled' AND confirmation_sent_at IS NULL AND confirmation_failed_at IS NULL)::int AS mails`,
  );
  if (pending === undefined || pending.deliveries + pending.mails + pending.unseen > 0) return false;
  const open = new Set(
    (await queryAll<{ id: string }>(deps, 'SELECT id FROM orders WHERE settled_at IS NULL')).map(({ id }) => orderWorkflowId(id)),
  );
  const running = new Set(await findRunningWorkflows(deps));
  if (![...open].every((id) => running.has(id))) return false;
  for (const id of running) if (!open.has(id)) return false;
  return true;
}

function countBy<T>(items: readonly T[], key: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(key(item), (counts.get(key(item)) ?? 0) + 1);
  return counts;
}
