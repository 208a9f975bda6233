import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What: a table of news, each row saying what was changed, by kind and ids alone; triggers write it.
 * Why: pages of the studio show what changes without asking for everything again and again, and every process changes something. Who
 * writes orders has to remember nothing, what is rolled back is never told, and processes of the release before tell as well.
 *
 * No NOTIFY in the transaction: it takes a lock that all commits share and holds it until the disk has answered, so that orders would be
 * committed one by one. A row of an unlogged table waits for nobody. What a crash takes is no loss: readers begin anew after one.
 *
 * What nobody sees (claims, the sweeper's turns) makes no news: WHEN is judged before anything runs. Deliveries are written by hundreds, so
 * their changes are one row for each statement; beyond five hundred it only says that there are many. EXCEPT takes time that grows with
 * the rows and no faster.
 */
export class TellNews1764810000000 implements MigrationInterface {
  name = 'TellNews1764810000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE UNLOGGED TABLE news (
        xact xid8 NOT NULL DEFAULT pg_current_xact_id(),
        at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        kind text NOT NULL,
        ids text[]
      )`);
    await runner.query('CREATE INDEX news_by_transaction ON news (xact)');
    for (const each of NEWS) {
      await runner.query(functionOf(each));
      await runner.query(
        `CREATE TRIGGER ${nameOf(each)} AFTER ${each.on} FOR EACH ROW ${when(each)} EXECUTE FUNCTION tell_${nameOf(each)}()`,
      );
    }
    for (const statement of DELIVERIES) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const each of NEWS) {
      await runner.query(`DROP TRIGGER ${nameOf(each)} ON ${each.table}`);
      await runner.query(`DROP FUNCTION tell_${nameOf(each)}`);
    }
    await runner.query('DROP TRIGGER webhook_deliveries_update_news ON webhook_deliveries');
    await runner.query('DROP FUNCTION tell_webhook_deliveries_update_news');
    await runner.query('DROP TABLE news');
  }
}

interface News {
  table: string;
  event: 'INSERT' | 'UPDATE';
  on: string;
  kind: string;
  ids: string;
  when?: string;
}

const inserted = (table: string, kind: string, ids: string): News => ({ table, event: 'INSERT', on: `INSERT ON ${table}`, kind, ids });

/** A row of which one of these columns changed. */
const updated = (table: string, kind: string, ids: string, columns: readonly string[]): News => ({
  ...inserted(table, kind, ids),
  event: 'UPDATE',
  on: `UPDATE OF ${columns.join(', ')} ON ${table}`,
  when: `(${columns.map((column) => `OLD.${column}`).join(', ')}) IS DISTINCT FROM (${columns.map((column) => `NEW.${column}`).join(', ')})`,
});

const ACCOUNT_SEEN = ['name', 'email', 'trade_discount_bps', 'credit_limit_cents', 'payment_terms_days', 'status', 'api_access'];
const INVOICE = 'NEW.id, NEW.order_id, NEW.account_id';

const NEWS: readonly News[] = [
  inserted('orders', 'order', 'NEW.id'),
  updated('orders', 'order', 'NEW.id', ['version', 'updated_at', 'confirmation_sent_at', 'confirmation_failed_at', 'erased_at']),
  // A message that was refused stands in the timeline alone.
  inserted('order_timeline', 'order', 'NEW.order_id'),
  inserted('order_attention', 'attention', `NEW.order_id, NEW.code, 'raised'`),
  updated('order_attention', 'attention', `NEW.order_id, NEW.code, CASE WHEN NEW.cleared_at IS NULL THEN 'raised' ELSE 'cleared' END`, [
    'cleared_at',
  ]),
  inserted('webhook_deliveries', 'delivery', 'NEW.id, NEW.order_id'),
  inserted('invoices', 'invoice', INVOICE),
  updated('invoices', 'invoice', INVOICE, ['paid_cents', 'credited_cents', 'voided_cents', 'voided_at']),
  inserted('accounts', 'account', 'NEW.id'),
  updated('accounts', 'account', 'NEW.id', ACCOUNT_SEEN),
  inserted('account_payments', 'account', 'NEW.account_id'),
  updated('account_payments', 'account', 'NEW.account_id', ['unapplied_cents', 'reversed_at']),
  inserted('refunds', 'account', 'NEW.account_id'),
  inserted('webhook_endpoints', 'endpoint', 'NEW.id, NEW.account_id'),
  updated('webhook_endpoints', 'endpoint', 'NEW.id, NEW.account_id', ['state', 'url', 'updated_at', 'deleted_at']),
];

const nameOf = ({ table, event }: News): string => `${table}_${event.toLowerCase()}_news`;
const when = ({ when: condition }: News): string => (condition === undefined ? '' : `WHEN (${condition})`);
const functionOf = (news: News): string => `
  CREATE FUNCTION tell_${nameOf(news)}() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO news (kind, ids) VALUES ('${news.kind}', ARRAY[[${news.ids}]]);
    RETURN NULL;
  END $$`;

const MANY = 500;
const SEEN = 'id, order_id, state, chain, attempts, next_attempt_at';
const DELIVERIES = [
  `CREATE FUNCTION tell_webhook_deliveries_update_news() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     INSERT INTO news (kind, ids)
     SELECT 'delivery', CASE WHEN count(*) <= ${MANY} THEN array_agg(ARRAY[id, order_id]) END
       FROM (SELECT ${SEEN} FROM now_rows EXCEPT SELECT ${SEEN} FROM old_rows LIMIT ${MANY + 1}) changed HAVING count(*) > 0;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER webhook_deliveries_update_news AFTER UPDATE ON webhook_deliveries REFERENCING OLD TABLE AS old_rows NEW TABLE AS now_rows
     FOR EACH STATEMENT EXECUTE FUNCTION tell_webhook_deliveries_update_news()`,
];
