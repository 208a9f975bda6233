import { scramVerifier } from '../security/scram';
import type { Database, Sql } from './database';

export class AppRoleError extends Error {}

/** Tables whose rows are never changed, except to reverse a credit note. */
const INSERT_ONLY_TABLES = ['audit_log', 'ledger_entries', 'credit_notes', 'sellers'];
const OWNER_ONLY_TABLES = ['migrations'];

/**
 * Grants a role only the rights that the service's processes need: to read and write rows and draw numbers. It cannot change or truncate
 * tables, or edit the audit log. Creates a missing role. The owner runs it after each migration, in one transaction, so running processes
 * do not notice.
 * @param password the role's new password; null keeps the present one
 * @returns whether the role is new
 * @throws AppRoleProblem if no grant could restrict the role, or it cannot be created
 */
export async function grantAppRole(database: Database, name: string, password: string | null): Promise<{ isNew: boolean }> {
  return database.transaction(async (sql) => {
    await sql.run('SELECT pg_advisory_xact_lock(7311203)'); // two at once would change the same catalogue rows
    const isNew = await ensureRole(sql, name);
    if (password !== null) await sql.run(`ALTER ROLE ${name} PASSWORD '${scramVerifier(password)}'`);
    for (const statement of grantStatements(name, await sql.value('SELECT quote_ident(current_database())'))) await sql.run(statement);
    return { isNew };
  });
}

/** @returns whether the role is new. From here on `name` is SQL text. */
async function ensureRole(sql: Sql, name: string): Promise<boolean> {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(name) || name.startsWith('pg_'))
    throw new AppRoleError(`"${name}" is no name for a role; it takes lower-case letters, digits and _, and does not begin with pg_`);
  const row = await sql.row<{ owns: boolean }>(`SELECT pg_has_role(oid, current_user, 'MEMBER') AS owns FROM pg_roles WHERE rolname = $1`, [
    name,
  ]);
  if (row === null) {
    await sql.run(`CREATE ROLE ${name} LOGIN`);
    return true;
  }
  const privileges = await findElevatedPrivileges(sql, name);
  if (privileges.includes(`${name} has SUPERUSER`))
    throw new AppRoleError(`${name} is a superuser, whom no grant narrows; name another role`);
  if (row.owns) throw new AppRoleError(`${name} owns the tables, or may become who does; name another role`);
  if (privileges.length > 0)
    throw new AppRoleError(`${name} may do what no grant narrows: ${privileges.join(', ')}; take that away from it, or name another role`);
  return false;
}

/** Rights that a role has without any grant on tables: its own attributes and those of every role that it can assume. */
function findElevatedPrivileges(sql: Sql, name: string): Promise<string[]> {
  return sql.column(
    `
    SELECT CASE WHEN r.rolname LIKE 'pg\\_%' THEN $1 || ' is a member of ' || r.rolname ELSE r.rolname || ' has ' || a.attribute END AS power
      FROM pg_roles r
      LEFT JOIN LATERAL (VALUES ('SUPERUSER', r.rolsuper), ('CREATEROLE', r.rolcreaterole), ('CREATEDB', r.rolcreatedb), ('REPLICATION', r.rolreplication),
        ('BYPASSRLS', r.rolbypassrls)) a (attribute, has) ON a.has
     WHERE pg_has_role($1, r.oid, 'MEMBER') AND (r.rolname LIKE 'pg\\_%' OR a.has) ORDER BY r.rolname <> $1, power`,
    [name],
  );
}

function grantStatements(role: string, database: string): string[] {
  const [allPrivileges, insertOnlyTables, ownerOnlyTables] = [
    'SELECT, INSERT, UPDATE, DELETE',
    INSERT_ONLY_TABLES.join(', '),
    OWNER_ONLY_TABLES.join(', '),
  ];
  return [
    `REVOKE CREATE, TEMPORARY ON DATABASE ${database} FROM PUBLIC, ${role}`,
    `REVOKE CREATE ON SCHEMA public FROM PUBLIC, ${role}`,
    `GRANT CONNECT ON DATABASE ${database} TO ${role}`,
    `GRANT USAGE ON SCHEMA public TO ${role}`,
    `REVOKE ALL ON ALL TABLES IN SCHEMA public FROM ${role}`,
    `GRANT ${allPrivileges} ON ALL TABLES IN SCHEMA public TO ${role}`,
    `REVOKE UPDATE, DELETE ON ${insertOnlyTables} FROM ${role}`,
    `GRANT UPDATE (reversed_at, reversal_reason) ON credit_notes TO ${role}`,
    `REVOKE INSERT, UPDATE, DELETE ON ${ownerOnlyTables} FROM ${role}`,
    `REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM ${role}`,
    `GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${role}`,
    // The processes keep their rights to tables of later migrations, even if the migration does not name the role.
    `ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT ${allPrivileges} ON TABLES TO ${role}`,
    `ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE ON SEQUENCES TO ${role}`,
  ];
}
