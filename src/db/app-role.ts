import { scramVerifier } from '../security/scram';
import { TIMEOUTS, type Database, type Sql } from './database';

export class AppRoleError extends Error {}

/** Tables whose rows are never changed, except to reverse a credit note. */
const INSERT_ONLY_TABLES = ['audit_log', 'ledger_entries', 'credit_notes', 'sellers'];
const OWNER_ONLY_TABLES = ['migrations'];

/**
 * Grants a role only the rights that the service's processes need: to read and write rows and to use sequences. The role cannot change or
 * truncate tables, or edit the audit log. Also sets the role's timeouts in this database, because a pooler does not pass on those of a
 * connection. Creates the role if it is missing. The owner runs this after each migration. It is one transaction, so running processes do
 * not notice it.
 * @param password the role's new password; null keeps the current one
 * @returns whether the role is new
 * @throws AppRoleError if the name is invalid or a grant cannot restrict the role
 */
export async function grantAppRole(database: Database, name: string, password: string | null): Promise<{ isNew: boolean }> {
  return database.transaction(async (sql) => {
    await sql.run('SELECT pg_advisory_xact_lock(7311203)'); // concurrent runs would change the same rows of PostgreSQL's catalog
    const isNew = await ensureRole(sql, name);
    if (password !== null) await sql.run(`ALTER ROLE ${name} PASSWORD '${scramVerifier(password)}'`);
    const databaseName = await sql.value<string>('SELECT quote_ident(current_database())');
    for (const statement of grantStatements(name, databaseName)) await sql.run(statement);
    await setTimeouts(sql, name, databaseName);
    return { isNew };
  });
}

/**
 * Creates the role if it is missing, and checks that `name` is safe to use in SQL text.
 * @returns whether the role is new
 */
async function ensureRole(sql: Sql, name: string): Promise<boolean> {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(name) || name.startsWith('pg_'))
    throw new AppRoleError(`"${name}" is not a role name; use lower-case letters, digits and _, and do not begin with pg_`);
  const row = await sql.row<{ owns: boolean }>(`SELECT pg_has_role(oid, current_user, 'MEMBER') AS owns FROM pg_roles WHERE rolname = $1`, [
    name,
  ]);
  if (row === null) {
    await sql.run(`CREATE ROLE ${name} LOGIN`);
    return true;
  }
  const privileges = await findElevatedPrivileges(sql, name);
  if (privileges.includes(`${name} has SUPERUSER`))
    throw new AppRoleError(`${name} is a superuser, which grants cannot restrict; name another role`);
  if (row.owns) throw new AppRoleError(`${name} owns the tables or can become their owner; name another role`);
  if (privileges.length > 0)
    throw new AppRoleError(
      `${name} has privileges that grants cannot restrict: ${privileges.join(', ')}; revoke them, or name another role`,
    );
  return false;
}

/** Finds rights that a role has without grants on tables: its own attributes and those of every role that it can assume. */
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

/** @throws AppRoleError if the owner may not alter the role, with the statements for an administrator */
async function setTimeouts(sql: Sql, role: string, database: string): Promise<void> {
  const present = await sql.column<string>(
    `SELECT unnest(s.setconfig) FROM pg_db_role_setting s JOIN pg_database d ON d.oid = s.setdatabase
      WHERE d.datname = current_database() AND s.setrole = $1::regrole`,
    [role],
  );
  const statements = Object.entries(TIMEOUTS)
    .filter(([name, ms]) => !present.includes(`${name}=${ms}`))
    .map(([name, ms]) => `ALTER ROLE ${role} IN DATABASE ${database} SET ${name} = ${ms}`);
  try {
    for (const statement of statements) await sql.run(statement);
  } catch (error) {
    if ((error as { code?: unknown }).code !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new AppRoleError(`the owner may not alter ${role}; let its administrator run: ${statements.join('; ')}`);
  }
}

const INSUFFICIENT_PRIVILEGE = '42501';

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
    // Gives the role rights to tables of later migrations, even if a migration runs without the role's name.
    `ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT ${allPrivileges} ON TABLES TO ${role}`,
    `ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE ON SEQUENCES TO ${role}`,
  ];
}
