import { findPage, type PageCursor } from '../../../src/db/keyset';
import { useDatabase } from '../../support/fixtures';

const AT = (day: number) => new Date(Date.UTC(2026, 0, day));
const ROWS = [
  { created_at: AT(3), id: 'c', number: 4 },
  { created_at: AT(2), id: 'e', number: 3 },
  { created_at: AT(2), id: 'd', number: 2 },
  { created_at: AT(1), id: 'f', number: 1 },
];

describe('pages of a list', () => {
  const { database } = useDatabase(1, { empty: true });
  beforeAll(async () => {
    await database.run('CREATE TABLE listed (created_at timestamptz, id text, number bigint)');
    await database.run('INSERT INTO listed SELECT * FROM jsonb_populate_recordset(NULL::listed, $1::jsonb)', [JSON.stringify(ROWS)]);
  });

  it('contain every row once, newest first, and by id within the same millisecond', async () => {
    const list = { text: 'SELECT * FROM listed l WHERE l.number > $1', parameters: [0], sortBy: ['l.created_at', 'l.id'] } as const;
    let after: PageCursor | null = null;
    for (const expected of ROWS) {
      const [found]: typeof ROWS = await findPage(database, list, { limit: 1, after });
      expect(found).toEqual(expected);
      after = { createdAt: expected.created_at, id: expected.id };
    }
    expect(await findPage(database, list, { limit: 1, after })).toEqual([]);
  });

  it('sorted by a number continue after the number, and not after its text', async () => {
    const list = { text: 'SELECT * FROM listed WHERE true', sortBy: ['number'] } as const;
    expect(await findPage(database, list, { limit: 2, after: null })).toEqual(ROWS.slice(0, 2));
    expect(await findPage(database, list, { limit: 9, after: { createdAt: AT(9), id: '3' } })).toEqual(ROWS.slice(2));
    expect(await findPage(database, list, { limit: 9, after: { createdAt: AT(9), id: '10' } })).toEqual(ROWS);
  });
});
