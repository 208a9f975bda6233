#!/usr/bin/env node
import { Argument, Command } from 'commander';
import { ConfigError, loadConfig, type Config } from '../config';
import { AppRoleProblem, grantAppRole } from '../db/app-role';
import type { Database } from '../db/database';
import { seed } from '../db/seed';
import { eraseCommand } from './erase';
import { CommandProblem } from './studio';
import { demoSettings, playDemo } from '../../demo';
import { DemoProblem } from '../../demo/http';
import { tradeDocument } from '../http/openapi';
import { studioDocument } from '../http/studio/openapi';
import { registerSearchAttributes } from '../temporal/search-attributes';
import { knownNumber, reconcileOnce, reconcileReport } from './reconcile';
import { ReconcileProblem } from '../reconcile';
import { createAdminToken, TokenProblem } from './tokens';
import { CannotReach, reachDatabase, reachTemporal } from './reaching';
import { rotate } from './secrets';

/** What a person at the terminal can act on; anything else keeps its stack. */
const PROBLEMS = [CommandProblem, ConfigError, DemoProblem, AppRoleProblem, TokenProblem, ReconcileProblem, CannotReach];

const program = new Command('trade-print').description('Command line of the trade print order service').showHelpAfterError();

program
  .command('migrate')
  .description('bring the database to this version and register the search attributes in Temporal')
  .option(
    '--app-role <name>',
    'also make this role, if need be, and give it what the processes need and no more; its password is DATABASE_APP_PASSWORD',
  )
  .action(({ appRole }: { appRole?: string }) =>
    withDatabase(async (database, config) => {
      const applied = await database.migrate();
      console.log(applied.length === 0 ? 'the database is up to date' : `applied ${applied.join(', ')}`);
      if (appRole !== undefined) {
        const { isNew } = await grantAppRole(database, appRole, config.databaseAppPassword);
        console.log(`the processes may work as ${appRole}`);
        if (isNew && config.databaseAppPassword === null)
          console.log(
            `${appRole} is new and has no password yet: set DATABASE_APP_PASSWORD and run this again, or give it one with psql: \\password ${appRole}`,
          );
      }
      const registered = await reachTemporal(config.temporal, () => registerSearchAttributes(config.temporal));
      console.log(`search attributes registered: ${registered.join(', ')}`);
    }),
  );

program
  .command('seed')
  .description('put the first catalogue and price book where there is none')
  .action(() =>
    withDatabase(async (database) => {
      await seed(database, new Date());
      console.log('catalogue, price book and settings are in place');
    }),
  );

program
  .command('secrets')
  .description('the secrets that the database keeps')
  .command('rotate')
  .description('bring them all under the first key of SECRETS_KEY; the service may run meanwhile')
  .action(() =>
    withDatabase(async (database, config) => {
      if (!(await rotate(database, config, (line) => console.log(line)))) process.exitCode = 1;
    }),
  );

program
  .command('tokens')
  .description('tokens of the studio API, made in the database itself; the studio API makes all but the first')
  .command('create-admin')
  .description('make an admin token and print it, this once')
  .requiredOption('--name <name>', 'whose it is, as the audit log will say')
  .option('--force', 'also where an admin token works already: for when nobody has it any more', false)
  .action(({ name, force }: { name: string; force: boolean }) =>
    withDatabase(async (database) => {
      console.log(await createAdminToken(database, { name, force, now: new Date() }));
    }),
  );

program
  .command('reconcile')
  .description('compare what PostgreSQL has stored with what Temporal runs, and make them agree: after a restore of either')
  .option('--dry-run', 'only tell', false)
  .option('--json', 'everything found, as JSON', false)
  .option('--given-out-live <number>', 'the highest order number that somebody knows to have been given out, such as P-10250')
  .option('--given-out-test <number>', 'the same of test orders, such as T-10020')
  .action(
    async ({
      dryRun,
      json,
      givenOutLive,
      givenOutTest,
    }: {
      dryRun: boolean;
      json: boolean;
      givenOutLive?: string;
      givenOutTest?: string;
    }) => {
      const givenOut = { live: knownNumber(givenOutLive, 'live'), test: knownNumber(givenOutTest, 'test') };
      const reconciled = await reconcileOnce(loadConfig(), { dryRun, givenOut });
      console.log(json ? JSON.stringify({ dryRun, ...reconciled }, null, 2) : reconcileReport(reconciled, dryRun));
      if (!dryRun && reconciled.findings.some(({ mended }) => !mended)) process.exitCode = 1;
    },
  );

program
  .command('demo')
  .description('play the main job against the running service and print each step')
  .action(() => playDemo(demoSettings(process.env, (line) => console.log(line))));

program
  .command('openapi')
  .description('print the OpenAPI document of an API, as the service has it at /openapi.json')
  .addArgument(new Argument('<api>', 'whose').choices(['trade', 'studio']))
  .action((api: string) => console.log(JSON.stringify(api === 'trade' ? tradeDocument() : studioDocument(), null, 2)));

program
  .command('erase')
  .description("erase personal data of an account's settled orders and expired quotes (asks the studio API: STUDIO_URL, STUDIO_TOKEN)")
  .argument('<accountId>')
  .requiredOption('--before <day>', 'placed, or expired unordered, before this day (UTC) or RFC 3339 time')
  .option('--dry-run', 'only count')
  .option('--json', 'print JSON')
  .action(async (accountId: string, options: { before: string; dryRun?: boolean; json?: boolean }) =>
    console.log(await eraseCommand(accountId, options)),
  );

async function withDatabase(work: (database: Database, config: Config) => Promise<void>): Promise<void> {
  const config = loadConfig();
  const database = await reachDatabase(config.databaseUrl, 2);
  try {
    await work(database, config);
  } finally {
    await database.close();
  }
}

program.parseAsync().catch((error: unknown) => {
  console.error(PROBLEMS.some((problem) => error instanceof problem) ? (error as Error).message : error);
  process.exitCode = 1;
});
