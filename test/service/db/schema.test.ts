import { MIGRATIONS } from '../../../src/db/data-source';
import { openDatabase } from '../../../src/db/database';
import { admit, consumeRateLimit } from '../../../src/db/repositories/admission';
import { drawNumbers } from '../../../src/db/repositories/order-placement';
import { isMigrated } from '../../../src/db/repositories/readiness';
import { hashKey } from '../../../src/security/api-keys';
import { anAccount } from '../../support/accounts';
import { createDatabase } from '../../support/database';
import { useDatabase } from '../../support/fixtures';

describe('The database', () => {
  const { database: opened } = useDatabase(20);
  const createMany = <T>(count: number, make: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: count }, make));

  describe('Migrations', () => {
    it('four processes that start together on an empty database apply each once, and the next has none to apply', async () => {
      const empty = await createDatabase({ empty: true });
      const sources = await createMany(4, () => openDatabase(empty.url, 3));
      try {
        expect(await Promise.all(sources.map(isMigrated))).toEqual([false, false, false, false]);
        const applied = await Promise.all(sources.map((source) => source.migrate()));
        expect(applied.flat().sort()).toEqual(MIGRATIONS.map(({ name }) => name).sort());
        expect(await sources[0]?.migrate()).toEqual([]);
        expect(await Promise.all(sources.map(isMigrated))).toEqual([true, true, true, true]);
      } finally {
        await Promise.all(sources.map((source) => source.close()));
        await empty.drop();
      }
    });
  });

  describe('admit_hit', () => {
    it('admits exactly the limit of fifty concurrent hits', async () => {
      const waits = await createMany(50, () => consumeRateLimit(opened, 'subject', 'endpoint', 20));
      expect(waits.filter((wait) => wait === 0)).toHaveLength(20);
      for (const wait of waits.filter((seconds) => seconds !== 0)) {
        expect(wait).toBeGreaterThanOrEqual(1);
        expect(wait).toBeLessThanOrEqual(60);
      }
      expect(await consumeRateLimit(opened, 'subject', 'other endpoint', 20)).toBe(0);
      expect(await consumeRateLimit(opened, 'other subject', 'endpoint', 20)).toBe(0);
    });

    it('counts several requests together, or none of them', async () => {
      expect(await consumeRateLimit(opened, 'batch', 'e', 20, 18)).toBe(0);
      const wait = await consumeRateLimit(opened, 'batch', 'e', 20, 3);
      expect([wait > 50, wait <= 60]).toEqual([true, true]);
      expect(await consumeRateLimit(opened, 'batch', 'e', 20, 2)).toBe(0);
      const later = await consumeRateLimit(opened, 'batch', 'e', 20);
      expect([later > 0, later <= wait]).toEqual([true, true]);
    });

    it('waits until as many hits as needed have expired', async () => {
      await opened.run(
        `INSERT INTO rate_windows VALUES ('staggered', 'e', ARRAY(SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint - 50000 + 10000 * g FROM generate_series(0, 3) g))`,
      );
      const waits = [await consumeRateLimit(opened, 'staggered', 'e', 4), await consumeRateLimit(opened, 'staggered', 'e', 4, 3)];
      expect(waits.map((wait) => Math.ceil(wait / 10))).toEqual([1, 3]);
    });

    it('returns at least one second, also a moment before the oldest hit expires', async () => {
      await opened.run(
        `INSERT INTO rate_windows VALUES ('soon', 'e', ARRAY[(extract(epoch FROM clock_timestamp()) * 1000)::bigint - 59000])`,
      );
      const wait = await consumeRateLimit(opened, 'soon', 'e', 1);
      expect([0, 1]).toContain(wait);
    });

    it('keeps no hit older than a minute', async () => {
      await opened.run(
        `INSERT INTO rate_windows VALUES ('old', 'e', ARRAY(SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint - 60000 - g FROM generate_series(1, 500) g))`,
      );
      expect(await consumeRateLimit(opened, 'old', 'e', 1)).toBe(0);
      expect(await opened.rows(`SELECT cardinality(hits) AS kept FROM rate_windows WHERE subject = 'old'`)).toEqual([{ kept: 1 }]);
    });

    describe('after the clock jumped back', () => {
      /** Inserts hits a second apart, the newest of them this far ahead of the clock. */
      const insertHits = (subject: string, count: number, byMs: number) =>
        opened.run(
          `INSERT INTO rate_windows VALUES ($1, 'e', ARRAY(SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint + $3 - 1000 * g FROM generate_series($2 - 1, 0, -1) g))`,
          [subject, count, byMs],
        );
      const shiftHits = (subject: string, ms: number) =>
        opened.run(`UPDATE rate_windows SET hits = ARRAY(SELECT hit - $2::bigint FROM unnest(hits) AS hit) WHERE subject = $1`, [
          subject,
          ms,
        ]);

      it.each([
        ['second', 1_000],
        ['hour', 3_600_000],
        ['year', 365 * 24 * 3_600_000],
      ])('by a %s, a spent budget is back within a minute and not before', async (name, byMs) => {
        const insertedMs = performance.now();
        await insertHits(name, 20, byMs);
        const wait = await consumeRateLimit(opened, name, 'e', 20);
        expect(wait).toBeGreaterThanOrEqual(39 - (performance.now() - insertedMs) / 1000);
        expect(wait).toBeLessThanOrEqual(41);
        await shiftHits(name, (wait - 20) * 1000);
        expect(await consumeRateLimit(opened, name, 'e', 20)).toBeGreaterThan(0);
        await shiftHits(name, 21_500);
        expect(await consumeRateLimit(opened, name, 'e', 20)).toBe(0);
      });

      it('the unused part of a budget stays available, and no more', async () => {
        await insertHits('half', 10, 3_600_000);
        const waits: number[] = [];
        for (let hit = 0; hit < 11; hit += 1) waits.push(await consumeRateLimit(opened, 'half', 'e', 20));
        expect(waits.map((wait) => wait > 0)).toEqual([...Array<boolean>(10).fill(false), true]);
      });
    });

    it('admit counts only admitted requests: 401, 404 and 403 use no budget of a key', async () => {
      const { testKey } = await anAccount(opened);
      const admitRequest = (scope: string | null) =>
        admit(opened, {
          keyHash: hashKey(testKey),
          source: 's',
          endpoint: scope === null ? null : { name: 'GET /x', scope, perMinute: 1 },
          failuresPerMinute: 20,
        });
      expect((await admitRequest(null)).verdict).toBe('unknown_route');
      expect((await admitRequest('no:such')).verdict).toBe('forbidden');
      expect((await admitRequest('orders:read')).verdict).toBe('ok');
      expect((await admitRequest('orders:read')).verdict).toBe('limited');
      expect((await admitRequest('no:such')).verdict).toBe('forbidden');
    });
  });

  it('order numbers are unique in their environment', async () => {
    const [test, live] = await Promise.all(
      (['test', 'live'] as const).map((environment) =>
        createMany(20, async () => {
          return (await drawNumbers(opened, environment)).orderNumber;
        }),
      ),
    );
    expect(new Set([...(test ?? []), ...(live ?? [])]).size).toBe(40);
    expect((test ?? []).every((number) => number.startsWith('T-'))).toBe(true);
    expect((live ?? []).some((number) => number.startsWith('T-'))).toBe(false);
  });

  it('reads sums above 32 bits as numbers, and refuses sums above the exact range of a double', async () => {
    expect(await opened.rows('SELECT 9007199254740991::bigint AS cents')).toEqual([{ cents: Number.MAX_SAFE_INTEGER }]);
    await expect(opened.rows('SELECT 9007199254740993::bigint AS cents')).rejects.toThrow('does not fit');
  });

  it('times have millisecond precision', async () => {
    expect(await opened.rows(`SELECT '2026-01-02T03:04:05.678901Z'::timestamptz(3) AS at`)).toEqual([
      { at: new Date('2026-01-02T03:04:05.679Z') },
    ]);
  });
});
