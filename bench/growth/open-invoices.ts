import { moreKeys, oneBuyer, ORDERS_PER_KEY, someQuotes, type Buyer } from '../fixtures';
import { placeOrder } from '../http';
import { untilIdle } from '../idle';
import { callsOf, type Plan, type Work } from '../load';
import { comparisonRow, cpuNote, type Report } from '../report';
import { fill } from './copies';
import { inTurn } from './in-turn';
import { bookStored } from './ledger';
import { idOf, type Year } from './year';

const OPEN = 20_000;
const GOAL = { throughput: 0.9 };

/** POST /orders of an account with many open invoices against one with none: what is outstanding is one row, however many there are. */
export async function besideOpenInvoices(year: Year, quick: boolean, report: Report): Promise<void> {
  const { stage } = year;
  const plan: Plan = {
    rounds: quick ? 2 : 4,
    perRound: 80,
    warmUp: 64,
    concurrency: 16,
    sliceMs: 5_000,
    settle: () => untilIdle(stage),
  };
  const [one] = (await oneBuyer(stage, 1)) as [Buyer];
  const [none] = (await oneBuyer(stage, 1)) as [Buyer];
  await insertInvoices(year, one.accountId, quick ? OPEN / 10 : OPEN);
  const limited = [one, none].map(({ accountId }) => accountId);
  await stage.database.run('UPDATE accounts SET credit_limit_cents = 9000000000000 WHERE id = ANY ($1)', [limited]);
  const works: Record<'open' | 'none', Work> = { open: await orderOf(year, plan, one), none: await orderOf(year, plan, none) };
  const sides = await inTurn(plan, stage.cpu, works);
  const what = `POST /orders, an account with a limit and ${OPEN.toLocaleString('en')} open invoices (floor: none)`;
  report.rows.push(comparisonRow(what, plan.concurrency, { ours: sides.open, floor: sides.none }, GOAL));
  report.notes.push(cpuNote(what, sides.open), cpuNote('its floor', sides.none));
}

async function insertInvoices({ stage, template }: Year, accountId: string, count: number): Promise<void> {
  const [order, invoice] = [idOf('ord', 'open invoices'), idOf('inv', 'open invoices')];
  const account = `'${accountId}'`;
  await fill(
    stage,
    [
      {
        table: 'orders',
        of: `id = '${template}'`,
        but: {
          id: order,
          order_number: `'T-' || 70000000 + n`,
          account_id: account,
          quote_id: idOf('quo', 'open invoices'),
          settled_at: 'now()',
          workflow_seen_at: 'now()',
        },
      },
      {
        table: 'invoices',
        of: `order_id = '${template}'`,
        but: { id: invoice, invoice_number: `'TINV-' || 70000000 + n`, order_id: order, account_id: account },
      },
    ],
    count,
  );
  await bookStored(stage);
  await stage.database.run('VACUUM ANALYZE invoices, ledger_entries, account_balances');
}

async function orderOf({ stage }: Year, plan: Plan, { accountId }: Buyer): Promise<Work> {
  const buyers = await moreKeys(stage.database, accountId, Math.ceil(callsOf(plan) / ORDERS_PER_KEY));
  const quotes = await someQuotes(stage, buyers, callsOf(plan));
  return async (index) => void (await placeOrder(stage, buyers[index % buyers.length]?.key ?? '', quotes[index] ?? ''));
}
