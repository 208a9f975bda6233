import { columns, expressions, type Columns } from '../../src/db/columns';
import { openDatabase, type Database } from '../../src/db/database';
import { ACCOUNT_COLUMNS } from '../../src/db/repositories/accounts';
import { AUDIT_COLUMNS } from '../../src/db/repositories/audit';
import { CATALOGUE_COLUMNS } from '../../src/db/repositories/catalogue';
import { RECORD_COLUMNS } from '../../src/db/repositories/idempotency';
import { KEY_COLUMNS } from '../../src/db/repositories/keys';
import { ORDER_COLUMNS } from '../../src/db/repositories/orders';
import { PRICE_BOOK_COLUMNS } from '../../src/db/repositories/price-books';
import { QUOTE_COLUMNS } from '../../src/db/repositories/quotes';
import {
  ATTENTION_COLUMNS,
  INVOICE_COLUMNS,
  PARCEL_COLUMNS,
  PAYMENT_COLUMNS,
  TIMELINE_COLUMNS,
} from '../../src/db/repositories/studio-orders';
import { TOKEN_COLUMNS } from '../../src/db/repositories/tokens';
import { STORED_COLUMNS } from '../../src/db/repositories/uploads';
import { ATTEMPT_COLUMNS, DELIVERY_COLUMNS } from '../../src/db/repositories/webhook-deliveries';
import { ENDPOINT_COLUMNS } from '../../src/db/repositories/webhook-endpoints';
import { createDatabase, type TestDatabase } from '../support/database';

interface Parcel {
  id: string;
  carrier: string | null;
}

describe('columns', () => {
  it('are listed as they are, and under an alias', () => {
    const parcel = columns<Parcel>()('id', 'carrier');
    expect([parcel.list, parcel.of('p'), parcel.json('p')]).toEqual([
      'id, carrier',
      'p.id, p.carrier',
      "jsonb_build_object('id', p.id, 'carrier', p.carrier)",
    ]);
    expect(expressions<Parcel>({ id: 'p.id', carrier: 'c.name' })).toBe('p.id, c.name AS carrier');
  });

  it('do not compile where a field of the row is missing, or where the row has no such field', () => {
    // @ts-expect-error `carrier` is missing
    columns<Parcel>()('id');
    // @ts-expect-error a parcel has no weight
    columns<Parcel>()('id', 'carrier', 'weight');
    // @ts-expect-error `carrier` is missing
    expressions<Parcel>({ id: 'p.id' });
    // @ts-expect-error a parcel has no weight
    expressions<Parcel>({ id: 'p.id', carrier: 'p.carrier', weight: 'p.weight' });
  });

  describe('of the tables', () => {
    let own: TestDatabase;
    let database: Database;
    beforeAll(async () => {
      own = await createDatabase();
      database = await openDatabase(own.url, 1);
    });
    afterAll(async () => {
      await database?.close();
      await own?.drop();
    });

    it.each<[string, Columns]>([
      ['accounts', ACCOUNT_COLUMNS],
      ['api_keys', KEY_COLUMNS],
      ['audit_log', AUDIT_COLUMNS],
      ['catalogue_rows', CATALOGUE_COLUMNS],
      ['idempotency_records', RECORD_COLUMNS],
      ['invoices', INVOICE_COLUMNS],
      ['order_attention', ATTENTION_COLUMNS],
      ['order_timeline', TIMELINE_COLUMNS],
      ['orders', ORDER_COLUMNS],
      ['parcels', PARCEL_COLUMNS],
      ['payments', PAYMENT_COLUMNS],
      ['price_books', PRICE_BOOK_COLUMNS],
      ['quotes', QUOTE_COLUMNS],
      ['studio_tokens', TOKEN_COLUMNS],
      ['uploads', STORED_COLUMNS],
      ['webhook_attempts', ATTEMPT_COLUMNS],
      ['webhook_deliveries', DELIVERY_COLUMNS],
      ['webhook_endpoints', ENDPOINT_COLUMNS],
    ])('are all in %s', async (table, { names }) => {
      const found = await database.rows<{ name: string }>(
        'SELECT column_name AS name FROM information_schema.columns WHERE table_name = $1',
        [table],
      );
      expect(found.map(({ name }) => name)).toEqual(expect.arrayContaining([...names]));
    });
  });
});
