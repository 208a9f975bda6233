import { readFileSync } from 'node:fs';
import path from 'node:path';
import { openDatabase } from '../../../src/db/database';
import { projectRoot } from '../../../scripts/start/project';
import { createDatabase } from '../../support/database';

/** `table.column` of each row of the table of erased columns and of each item of the lists of kept ones. */
function documented(): string[] {
  const text = readFileSync(path.join(projectRoot, 'docs', 'personal-data.md'), 'utf8');
  const erased = text.matchAll(/^\| `(\w+)` \| ([^|]*) \|/gm);
  const kept = text.matchAll(/^- `(\w+)`: ([^]*?)(?=\n- |\n\n|\n*$(?![^]))/gm);
  return [...erased, ...kept].flatMap(([, table, columns]) =>
    [...(columns ?? '').matchAll(/`(\w+)`/g)].map(([, column]) => `${table}.${column}`),
  );
}

it('docs/personal-data.md lists each column once, as erased or kept', async () => {
  const database = await createDatabase();
  const opened = await openDatabase(database.url, 1);
  try {
    const columns: { name: string }[] = await opened.rows(
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns WHERE table_schema = 'public'`,
    );
    expect(documented().sort()).toEqual(columns.map(({ name }) => name).sort());
  } finally {
    await opened.close();
    await database.drop();
  }
});
