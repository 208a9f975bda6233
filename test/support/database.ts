import { openDatabase, NO_TIMEOUTS } from '../../src/db/database';
import { newSecret } from '../../src/security/ids';
import { pgAdminUrl, TEMPLATE_DATABASE } from './infrastructure';

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** A database of one's own, migrated and seeded (or empty); dropped by `drop`. */
export async function createDatabase(options: { empty?: boolean } = {}): Promise<TestDatabase> {
  const name = `test_${newSecret().slice(0, 16)}`;
  await runAsAdmin(`CREATE DATABASE ${name}${options.empty ? '' : ` TEMPLATE ${TEMPLATE_DATABASE}`}`);
  const url = new URL(await pgAdminUrl());
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => runAsAdmin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

/** Copying a template fails while another copy runs: tried again until it is this one's turn. */
async function runAsAdmin(statement: string): Promise<void> {
  const admin = await openDatabase(await pgAdminUrl(), 1, NO_TIMEOUTS);
  try {
    await admin.run('SELECT pg_advisory_lock(4711)');
    await admin.run(statement);
  } finally {
    await admin.close();
  }
}
