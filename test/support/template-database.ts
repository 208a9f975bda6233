import { createDataSource, migrate } from '../../src/db/data-source';
import { seed } from '../../src/db/seed';

/**
 * Hook of the global set-up: makes the migrated and seeded database that every test file copies, and leaves its name in
 * TEST_PG_TEMPLATE_DATABASE.
 * @param adminUrl connection string of the run's PostgreSQL, database `postgres`
 */
export async function createTemplateDatabase(adminUrl: string): Promise<void> {
  const name = 'trade_print_template';
  const admin = await createDataSource(adminUrl, 1).initialize();
  await admin.query(`DROP DATABASE IF EXISTS ${name}`);
  await admin.query(`CREATE DATABASE ${name}`);
  await admin.destroy();
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  const template = await createDataSource(url.href, 2).initialize();
  await migrate(template);
  await seed(template, new Date());
  await template.destroy();
  process.env['TEST_PG_TEMPLATE_DATABASE'] = name;
}
