import { openDatabase } from '../../src/db/database';
import { seed } from '../../src/db/seed';

/**
 * Hook of the global set-up: makes the migrated and seeded database that every test file copies, and leaves its name in
 * TEST_PG_TEMPLATE_DATABASE.
 * @param adminUrl connection string of the run's PostgreSQL, database `postgres`
 */
export async function createTemplateDatabase(adminUrl: string): Promise<void> {
  const name = 'trade_print_template';
  const admin = await openDatabase(adminUrl, 1);
  await admin.run(`DROP DATABASE IF EXISTS ${name}`);
  await admin.run(`CREATE DATABASE ${name}`);
  await admin.close();
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  const template = await openDatabase(url.href, 2);
  await template.migrate();
  await seed(template, new Date());
  await template.close();
  process.env['TEST_PG_TEMPLATE_DATABASE'] = name;
}
