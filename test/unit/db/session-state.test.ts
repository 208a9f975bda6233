import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../scripts/start/project';

/** On DATABASE_DIRECT_URL: the migrations' lock and lock timeout, and the relay's LISTEN. */
const ON_DIRECT_CONNECTIONS = ['src/db/migrate.ts', 'src/runtime/commit-listener.ts'];

const SESSION_STATE: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['a lock of the session', /pg_(try_)?advisory_(lock|unlock)/i],
  ['a SET without LOCAL', /[`'";]\s*(RE)?SET (?!LOCAL\b)(SESSION )?[a-z_]+ *(=|TO\b)/],
  ['a setting for the session', /set_config\([^)]*,\s*false\)/i],
  ['LISTEN', /[`'";]\s*(UN)?LISTEN /],
  ['a temporary table', /CREATE (GLOBAL |LOCAL )?TEMP(ORARY)? /i],
  ['a cursor', /\bDECLARE \w+ (\w+ )*CURSOR\b|WITH HOLD/i],
  ['a prepared statement', /[`'";]\s*(PREPARE|EXECUTE|DEALLOCATE|DISCARD) /],
  ['the last number of the session', /\b(currval|lastval)\(/i],
];

/** Behind a pooler in transaction mode, the next statement may run on another connection (docs/operations/pooler.md). */
it.each(SESSION_STATE)('no code of the processes uses %s', (_name, pattern) => {
  const files = ['src', 'activities'].flatMap((folder) =>
    readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  );
  const found = files.filter((file) => file.endsWith('.ts') && pattern.test(readFileSync(join(projectRoot, file), 'utf8')));
  expect(found.filter((file) => !ON_DIRECT_CONNECTIONS.includes(file))).toEqual([]);
});

it('finds the state that the direct connections have', () => {
  const found = SESSION_STATE.filter(([, pattern]) =>
    ON_DIRECT_CONNECTIONS.some((file) => pattern.test(readFileSync(join(projectRoot, file), 'utf8'))),
  );
  expect(found.map(([name]) => name)).toEqual(['a lock of the session', 'a SET without LOCAL', 'LISTEN']);
});
