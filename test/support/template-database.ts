import { openDatabase, NO_TIMEOUTS } from '../../src/db/database';
import { seed } from '../../src/db/seed';
import { TEMPLATE_DATABASE } from './infrastructure';

/**
 * Creates the migrated and seeded database that tests copy.
 * @param adminUrl connection string of the run's PostgreSQL, database `postgres`
 */
export async function createTemplateDatabase(adminUrl: string): Promise<void> {
  const admin = await openDatabase(adminUrl, 1, NO_TIMEOUTS);
  await admin.run(`DROP DATABASE IF EXISTS ${TEMPLATE_DATABASE}`);
  await admin.run(`CREATE DATABASE ${TEMPLATE_DATABASE}`);
  await admin.close();
  const url = new URL(adminUrl);
  url.pathname = `/${TEMPLATE_DATABASE}`;
  const template = await openDatabase(url.href, 2, NO_TIMEOUTS);
  await template.migrate();
  await seed(template, new Date());
  await template.close();
}
