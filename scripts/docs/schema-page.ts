import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../start/project';
import type { Sql } from '../../src/db/database';
import { inlineCode, renderTable } from './markdown';

interface Table {
  name: string;
  purpose: string | null;
  columns: { name: string; type: string; isNullable: boolean; default: string; reference: string | null }[];
  indexes: { name: string; definition: string }[];
}

interface Reference {
  table: string;
  column: string;
  referenced: string;
  isUnique: boolean;
  isNullable: boolean;
}

/** Renders docs/schema.md: the tables of the database `sql`, grouped by the migration that creates them. */
export async function renderSchemaPage(sql: Sql): Promise<string> {
  const tables = await loadTables(sql);
  const areas = groupByMigration(tables);
  const sections = areas.map(({ title, names }) => `## ${title}\n\n${names.map((name) => renderSection(tables, name)).join('\n')}`);
  return `# Database schema

\`npm run docs\` writes this page from a migrated database. [Personal data](personal-data.md) tells what erasing does with each column.

\`\`\`mermaid
erDiagram
${(await loadReferences(sql)).map(renderRelation).join('\n')}
\`\`\`

${sections.join('\n')}`;
}

/** Groups the tables by migration. The title of `1763700000005-CreateMoney.ts` is `Money`. */
function groupByMigration(tables: readonly Table[]): { title: string; names: string[] }[] {
  const folder = path.join(projectRoot, 'migrations');
  const areas = readdirSync(folder).map((file) => ({
    title: titleOf(file),
    names: [...readFileSync(path.join(folder, file), 'utf8').matchAll(/^CREATE (?:UNLOGGED )?TABLE (\w+)/gm)].map(([, name]) => name ?? ''),
  }));
  const listed = new Set(areas.flatMap(({ names }) => names));
  const missing = tables.filter(({ name }) => !listed.has(name));
  if (missing.length > 0) throw new Error(`no file of migrations/ has CREATE TABLE ${missing.map(({ name }) => name).join(', ')}`);
  return areas;
}

function titleOf(file: string): string {
  const words = file.replace(/^\d+-(Create)?|\.ts$/g, '').replace(/\B[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function renderSection(tables: readonly Table[], name: string): string {
  const table = tables.find((each) => each.name === name);
  if (!table?.purpose) throw new Error(`migrations/ has no COMMENT ON TABLE ${name}`);
  const rows = table.columns.map((column) => [
    inlineCode(column.name),
    column.type,
    column.isNullable ? 'null' : '',
    inlineCode(column.default),
    column.reference ?? '',
  ]);
  const indexes = table.indexes.map((index) => `- \`${index.name}\`: ${onOneLine(index.definition)}`);
  return `### ${name}

${table.purpose}

${renderTable(['column', 'type', 'null', 'default', 'references'], rows)}

Indexes:
${indexes.join('\n')}
`;
}

function renderRelation({ table, column, referenced, isUnique, isNullable }: Reference): string {
  return `  ${referenced} ${isNullable ? '|o' : '||'}--${isUnique ? 'o|' : 'o{'} ${table} : ${column}`;
}

const onOneLine = (definition: string): string => definition.replaceAll(/\n\s*(?=CASE|WHEN|ELSE|END)/g, ' ').replaceAll('\n', '\\n');

const IS_PUBLIC_TABLE = `c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND c.relname <> 'migrations'`;

function loadTables(sql: Sql): Promise<Table[]> {
  return sql.rows(`
    SELECT c.relname AS name, obj_description(c.oid, 'pg_class') AS purpose,
      (SELECT jsonb_agg(jsonb_build_object('name', a.attname, 'isNullable', NOT a.attnotnull,
                'type', replace(format_type(a.atttypid, a.atttypmod), 'timestamp(3) with time zone', 'timestamptz(3)'),
                'default', CASE WHEN a.attidentity <> '' THEN 'identity' WHEN a.attgenerated <> '' THEN 'generated'
                           ELSE COALESCE(pg_get_expr(d.adbin, d.adrelid), '') END,
                'reference', (SELECT confrelid::regclass FROM pg_constraint WHERE conrelid = c.oid AND contype = 'f' AND conkey = ARRAY[a.attnum]))
              ORDER BY a.attnum)
         FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
      (SELECT jsonb_agg(jsonb_build_object('name', x.indexrelid::regclass,
                'definition', CASE WHEN x.indisprimary THEN 'primary key ' WHEN x.indisunique THEN 'unique ' ELSE '' END
                  || regexp_replace(pg_get_indexdef(x.indexrelid), '^.* USING (btree )?', ''))
              ORDER BY NOT x.indisprimary, x.indexrelid::regclass::text)
         FROM pg_index x WHERE x.indrelid = c.oid) AS indexes
      FROM pg_class c WHERE ${IS_PUBLIC_TABLE} ORDER BY c.relname`);
}

function loadReferences(sql: Sql): Promise<Reference[]> {
  return sql.rows(`
    SELECT c.relname AS table, a.attname AS column, f.confrelid::regclass::text AS referenced, NOT a.attnotnull AS "isNullable",
           EXISTS (SELECT 1 FROM pg_index x WHERE x.indrelid = c.oid AND x.indisunique AND x.indnatts = 1 AND x.indkey[0] = a.attnum) AS "isUnique"
      FROM pg_constraint f JOIN pg_class c ON c.oid = f.conrelid JOIN pg_attribute a ON a.attrelid = c.oid AND f.conkey = ARRAY[a.attnum]
     WHERE f.contype = 'f' AND ${IS_PUBLIC_TABLE} ORDER BY 3, 1, 2`);
}
