import { openDatabase, NO_TIMEOUTS } from '../../src/db/database';
import { newSecret } from '../../src/security/ids';
import { recordIndexReadsAt } from './index-reads';
import { pgAdminUrl, TEMPLATE_DATABASE } from './infrastructure';

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** A separate database, migrated and seeded (or empty). `drop` deletes it. Copying files is faster than writing them to the WAL too. */
export async function createDatabase(options: { empty?: boolean } = {}): Promise<TestDatabase> {
  const name = `test_${newSecret().slice(0, 16)}`;
  await runAsAdmin(`CREATE DATABASE ${name}${options.empty ? '' : ` TEMPLATE ${TEMPLATE_DATABASE} STRATEGY FILE_COPY`}`);
  const url = new URL(await pgAdminUrl());
  url.pathname = `/${name}`;
  return {
    url: url.href,
    async drop() {
      await recordIndexReadsAt(url.href);
      await runAsAdmin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

/** Copying a template fails during another copy, so it is repeated until it succeeds. */
async function runAsAdmin(statement: string): Promise<void> {
  const admin = await openDatabase(await pgAdminUrl(), 1, NO_TIMEOUTS);
  try {
    await admin.run('SELECT pg_advisory_lock(4711)');
    await admin.run(statement);
  } finally {
    await admin.close();
  }
}
