import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openDatabase } from '../../../src/db/database';
import { projectRoot } from '../../../scripts/start/project';
import { createDatabase } from '../../support/database';
import { schemaPage } from './schema-page';

const FILE = path.join(projectRoot, 'docs', 'schema.md');

it('docs/schema.md is the schema that the migrations create; npm run docs:schema writes it', async () => {
  const database = await createDatabase();
  const opened = await openDatabase(database.url, 1);
  try {
    const page = await schemaPage(opened);
    if (process.env['WRITE_DOCS'] !== undefined) writeFileSync(FILE, page);
    expect(readFileSync(FILE, 'utf8')).toBe(page);
  } finally {
    await opened.close();
    await database.drop();
  }
});
