import { anOrder } from '../../test/support/baskets';
import { someBuyers, tradeOf, type Buyer } from '../fixtures';
import type { Stage } from '../stage';
import { fill, type Copies } from './copies';
import { bookStored } from './ledger';

/** A stage with so many orders stored. */
export interface Year {
  stage: Stage;
  orders: number;
  /** Three orders in ten are of this account. */
  largest: Buyer;
  /** These have the rest. */
  others: Buyer[];
  /** Id of the order that the others are copies of. */
  template: string;
}

const DAYS = 365;
/** Invoices of the last thirty days are still to be paid. */
const TERMS_DAYS = 30;
const ACCOUNTS = 200;
/** By tens, so that every account has its part. */
const CANCELLED = 'n / 10 % 20 = 0';

/** SQL: an id that looks random but follows from the number, so that every table can be filled by itself. */
export const idOf = (prefix: string, series = 'year'): string => `'${prefix}_' || md5('${series}' || n)`;

/**
 * A year of settled orders, copies of one that was really placed, with what they leave behind: spent quote, invoice, first event,
 * one entry of the timeline, a parcel for one in four, and the idempotency records of the last day (older ones are swept). They
 * are stored oldest first, as they would have come; two sessions, for two cores.
 */
export async function loadYear(stage: Stage, orders: number): Promise<Year> {
  const [largest, ...others] = (await someBuyers(stage, ACCOUNTS + 1)) as [Buyer, ...Buyer[]];
  const template = ((await anOrder(tradeOf(stage, largest.key))) as { orderId: string }).orderId;
  const year = { stage, orders, largest, others, template };
  await Promise.all([quotesAndFloor(year), ordersAndBooks(year)].map((some) => fill(stage, some, orders)));
  await bookStored(stage);
  await stage.database.run('VACUUM ANALYZE');
  return year;
}

function quotesAndFloor(year: Year): Copies[] {
  const created = createdAt(year);
  return [
    {
      table: 'quotes',
      of: `id = 'quo_' || substr('${year.template}', 5)`,
      but: {
        id: idOf('quo'),
        account_id: accountOf(year),
        created_at: created,
        expires_at: `${created} + interval '1 day'`,
        consumed_at: created,
        hold_started_at: created,
        hold_claimed_until: created,
      },
    },
    {
      table: 'order_timeline',
      only: `NOT (${CANCELLED})`,
      but: {
        order_id: idOf('ord'),
        milestone_id: `'press-7/' || n`,
        message_key: `'press-7/' || n`,
        type: `'completed'`,
        outcome: `'applied'`,
        content: `'{"note":null,"occurredAt":null,"type":"completed"}'`,
        digest: `md5('content' || n) || md5('more' || n)`,
        actor: `'studio'`,
        occurred_at: created,
        created_at: created,
      },
    },
    {
      table: 'parcels',
      only: 'n / 10 % 4 = 1',
      but: {
        order_id: idOf('ord'),
        id: `'p-1'`,
        position: '0',
        tracking_number: `'33XYZ' || n`,
        carrier: `'Road Express'`,
        shipped_at: created,
        created_at: created,
      },
    },
  ];
}

/** Every order's recipient, reference and parcel are its own, and a third of them share a part of an e-mail address. */
const SEARCHED = `'t-' || 90000000 + n || E'\\n' || 'tinv-' || 90000000 + n || E'\\nrecipient ' || substr(md5('name' || n % 50000), 1, 9)
  || E'\\n' || substr(md5('mail' || n), 1, 8) || (ARRAY['@common.example', '@other.example', '@third.example'])[1 + n % 3] || E'\\npo-' || n * 7`;

function ordersAndBooks(year: Year): Copies[] {
  const { orders, template } = year;
  const [created, account] = [createdAt(year), accountOf(year)];
  const status = `CASE WHEN ${CANCELLED} THEN 'cancelled' ELSE 'completed' END`;
  const latest = (days: number): string => `n > ${orders * (1 - days / DAYS)}`;
  return [
    {
      table: 'orders',
      of: `id = '${template}'`,
      but: {
        id: idOf('ord'),
        order_number: `'T-' || 90000000 + n`,
        account_id: account,
        quote_id: idOf('quo'),
        status,
        base_status: status,
        created_at: created,
        updated_at: created,
        settled_at: created,
        workflow_seen_at: created,
        workflow_claimed_until: created,
      },
    },
    {
      table: 'order_search',
      of: `order_id = '${template}'`,
      but: { order_id: idOf('ord'), account_id: account, created_at: created, text: SEARCHED },
    },
    {
      table: 'invoices',
      of: `order_id = '${template}'`,
      but: {
        id: idOf('inv'),
        invoice_number: `'TINV-' || 90000000 + n`,
        order_id: idOf('ord'),
        account_id: account,
        issued_at: created,
        due_at: `${created} + interval '${TERMS_DAYS} days'`,
        voided_at: `CASE WHEN ${CANCELLED} THEN ${created} END`,
        paid_cents: `CASE WHEN ${CANCELLED} OR ${latest(TERMS_DAYS)} THEN 0 ELSE t.amount_cents END`,
      },
    },
    {
      table: 'order_events',
      of: `order_id = '${template}'`,
      but: {
        id: idOf('evt'),
        order_id: idOf('ord'),
        account_id: account,
        body: `replace(t.body, '${template}', ${idOf('ord')})`,
        feed_position: 'NULL::bigint',
        created_at: created,
      },
    },
    {
      table: 'idempotency_records',
      of: `order_id = '${template}'`,
      only: latest(1),
      but: {
        id: idOf('idm'),
        account_id: account,
        idempotency_key: `md5('key' || n)`,
        order_id: idOf('ord'),
        response_body: `replace(t.response_body, '${template}', ${idOf('ord')})`,
        created_at: created,
        expires_at: `${created} + interval '1 day'`,
      },
    },
  ];
}

/** Counted back from midnight, so that all sessions and statements agree. */
const createdAt = ({ orders }: Year): string => `date_trunc('day', now()) - (${orders} - n)::float8 / ${orders} * interval '${DAYS} days'`;

const accountOf = ({ largest, others }: Year): string =>
  `(ARRAY[${[largest, ...others].map(({ accountId }) => `'${accountId}'`).join(', ')}])[CASE WHEN n % 10 < 3 THEN 1 ELSE 2 + (n / 10 * 7 + n % 10) % ${others.length} END]`;
