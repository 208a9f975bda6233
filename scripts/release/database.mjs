// Checks the roles of the database, and restores a backup.

import { getJson, placeOrder, until } from './order.mjs';
import { podman } from './containers.mjs';

const PROCESSES = ['api', 'worker', 'relay', 'inspector'];
const BACKUP = ['sh', '/etc/trade-print/backup.sh'];

/** Runs SQL as a role, with the password of a secret. @returns the rows, with columns separated by `|` */
const query = (services, { role, secret, database }, sql) =>
  services.runOnce(
    'database-roles',
    'sh',
    '-ec',
    'PGPASSWORD="$(cat /run/secrets/$1)" psql --no-psqlrc -h postgres -U "$2" -d "$3" -v ON_ERROR_STOP=1 -Atc "$4"',
    'psql',
    secret,
    role,
    database,
    sql,
  );

async function checkRoles(check, services) {
  const superuser = { role: 'postgres', secret: 'postgres-password', database: 'trade_print' };
  const temporal = { role: 'temporal', secret: 'temporal-database-password', database: 'temporal_visibility' };
  await check("trade_print owns every table and is no superuser; Temporal's role neither", async () => {
    const roles = await query(
      services,
      superuser,
      "SELECT rolname, rolsuper FROM pg_roles WHERE rolname IN ('trade_print', 'trade_print_app', 'temporal') ORDER BY 1",
    );
    if (roles !== 'temporal|f\ntrade_print|f\ntrade_print_app|f') throw new Error(roles);
    const owners = await query(services, superuser, "SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public'");
    if (owners !== 'trade_print') throw new Error(`the owners are ${owners}`);
  });
  await check("Temporal's role creates the extension of its schema, and cannot open the service's database", async () => {
    await query(services, temporal, 'CREATE EXTENSION IF NOT EXISTS btree_gin');
    const opened = await query(services, { ...temporal, database: 'trade_print' }, 'SELECT 1').catch((error) => error);
    if (!(opened instanceof Error)) throw new Error('it opened the database');
  });
  await check('max_connections is that of docker-compose.yml', async () => {
    const actual = await query(services, superuser, 'SHOW max_connections');
    if (!services.compose.services.postgres.command.includes(`max_connections=${actual}`)) throw new Error(`it is ${actual}`);
  });
}

async function checkBackup(check, services, { tradeUrl, studioRoot, key, orderId, proxy }) {
  const list = async () => (await services.exec('backup', 'ls', '/backups')).split('\n').filter(Boolean);
  await check('a backup deletes those that are older than the retention, and keeps the others', async (note) => {
    const [first] = await list();
    await services.exec(
      'backup',
      'sh',
      '-c',
      "cp /backups/$0 /backups/trade_print-old.dump && touch -d '15 days ago' /backups/trade_print-old.dump",
      first,
    );
    await new Promise((resolve) => setTimeout(resolve, 1000)); // the name of a dump has its second
    note((await services.exec('backup', ...BACKUP, 'now')).replaceAll('\n', '; '));
    const kept = await list();
    if (kept.length !== 2 || !kept.includes(first)) throw new Error(kept.join());
  });
  await check('restore: the order of the backup is there, the later order is not, and all parts are ready', async (note) => {
    const dump = (await list()).at(-1);
    const later = await placeOrder(tradeUrl, key, proxy);
    for (const name of PROCESSES) await podman('stop', services.container(name));
    await services.runOnce('backup', 'restore', dump);
    await services.runJob('migrate');
    const output = await services.runOnce('api', 'trade-print', 'reconcile', '--restored');
    for (const name of PROCESSES) await podman('start', services.container(name));
    for (const name of PROCESSES) await until(`${name} is healthy`, 120, () => services.isHealthy(name));
    const found = await getJson(`${tradeUrl}/orders/${orderId}`, key);
    if (found.data.orderId !== orderId) throw new Error(JSON.stringify(found));
    const lost = await getJson(`${tradeUrl}/orders/${later.orderId}`, key).catch((error) => error);
    if (!(lost instanceof Error) || !lost.message.includes('404')) throw new Error('the later order is still there');
    await until('readiness', 60, async () =>
      Object.values((await getJson(new URL('/readyz', studioRoot))).data.checks).every((state) => state === 'ok'),
    );
    const next = await placeOrder(tradeUrl, key, proxy);
    if (next.orderNumber === later.orderNumber) throw new Error(`${next.orderNumber} was issued twice`);
    note(`${output.split('\n')[1]?.trim().replace(/ +/g, ' ')}; the next order is ${next.orderNumber}`);
  });
}

export async function checkDatabase(check, services, context) {
  await checkRoles(check, services);
  await checkBackup(check, services, context);
}
