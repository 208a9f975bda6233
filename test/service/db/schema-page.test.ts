import { schemaPage } from '../../../scripts/docs/schema-page';
import { openDatabase } from '../../../src/db/database';
import { createDatabase } from '../../support/database';
import { expectPage } from '../../support/generated-page';

it('docs/schema.md is the schema that the migrations create; npm run docs writes it', async () => {
  const database = await createDatabase();
  const opened = await openDatabase(database.url, 1);
  try {
    expectPage('schema.md', await schemaPage(opened));
  } finally {
    await opened.close();
    await database.drop();
  }
});
