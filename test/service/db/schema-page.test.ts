import { renderSchemaPage } from '../../../scripts/docs/schema-page';
import { openDatabase } from '../../../src/db/database';
import { createDatabase } from '../../support/database';
import { expectGeneratedPage } from '../../support/generated-page';

it('docs/schema.md matches the schema of the migrations; npm run docs writes it', async () => {
  const database = await createDatabase();
  const opened = await openDatabase(database.url, 1);
  try {
    expectGeneratedPage('schema.md', await renderSchemaPage(opened));
  } finally {
    await opened.close();
    await database.drop();
  }
});
