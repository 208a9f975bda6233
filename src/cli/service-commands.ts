import { Argument, Option, type Command } from 'commander';
import { addExamples, findOrAddGroup } from './program';
import { CommandFailure } from './errors';
import type { ReplayFlags } from './replay';
import type * as Actions from './service-actions';
import type { Terminal } from './terminal';
import { readPositiveInteger } from './values';

/** Loads the database modules only for commands that need them, so the others start quickly. */
async function runAction<T>(work: (actions: typeof Actions) => Promise<T>): Promise<T> {
  const actions = require('./service-actions') as typeof Actions;
  try {
    return await work(actions);
  } catch (error) {
    throw actions.isExpectedError(error) ? new CommandFailure(error.message) : error;
  }
}

export function addServiceCommands(program: Command, { out }: Terminal): void {
  const printLine = (line: string): void => out(`${line}\n`);
  addDatabaseCommands(program, printLine);
  addReconcile(program, printLine);
  addReplay(program, printLine);
  const demo = program.command('demo').description('run the demo against the running service and print each step');
  addExamples(demo, ['demo']);
  demo.action(() => runAction((actions) => actions.runDemo(printLine)));
  const openapi = program.command('openapi').description('print the OpenAPI document of an API, as served at /openapi.json');
  openapi.addArgument(new Argument('<api>', 'API').choices(['trade', 'studio']));
  addExamples(openapi, ['openapi trade > trade.json']);
  openapi.action((api: string) => runAction((actions) => actions.printOpenApiDocument(api, printLine)));
}

function addDatabaseCommands(program: Command, printLine: (line: string) => void): void {
  const migrate = program
    .command('migrate')
    .description('migrate the database, register the search attributes in Temporal, and make TEMPORAL_BUILD_ID the current build');
  migrate.option(
    '--app-role <name>',
    'create this role if it is missing, with only the permissions of the processes; DATABASE_APP_PASSWORD is its password',
  );
  addExamples(migrate, ['migrate', 'migrate --app-role trade_print']);
  migrate.action(({ appRole }: { appRole?: string }) => runAction((actions) => actions.migrate(appRole, printLine)));

  const seed = program.command('seed').description('create the first catalogue and price book if none exists');
  addExamples(seed, ['seed']);
  seed.action(() => runAction((actions) => actions.seedDatabase(printLine)));

  const secrets = program.command('secrets').description('manage the encrypted secrets in the database');
  const rotate = secrets
    .command('rotate')
    .description('encrypt all secrets with the first key of SECRETS_KEY; the service may keep running');
  addExamples(rotate, ['secrets rotate']);
  rotate.action(async () => failUnless(await runAction((actions) => actions.rotateSecrets(printLine))));

  const createAdmin = findOrAddGroup(program, 'tokens')
    .command('create-admin')
    .description('create the first admin token in the database and print it once; create others through the studio API')
    .requiredOption('--name <name>', 'name in the audit log')
    .option('--force', 'create it even if another admin token works, for example because that token is lost', false);
  addExamples(createAdmin, ['tokens create-admin --name Iris']);
  createAdmin.action((options: { name: string; force: boolean }) => runAction((actions) => actions.printAdminToken(options, printLine)));
}

function addReconcile(program: Command, printLine: (line: string) => void): void {
  const reconcile = program
    .command('reconcile')
    .description('compare PostgreSQL with Temporal and repair differences, after a restore of either')
    .option('--dry-run', 'only report, repair nothing', false)
    .option('--json', 'print all findings as JSON', false)
    .option('--restored', 'only advance the numbers of a restored database, before any process starts', false)
    .option(
      '--issued-live <number>',
      'highest number known to be issued: P-10250, P-10102-R2, INV-10250, CN-10013; repeat it for each',
      collectValue,
      [],
    )
    .option(
      '--issued-test <number>',
      'highest test number known to be issued: T-10020, T-10020-R2, TINV-10020, TCN-10013; repeat it for each',
      collectValue,
      [],
    );
  addExamples(reconcile, ['reconcile --restored', 'reconcile --dry-run', 'reconcile --issued-live P-10250 --issued-live CN-10013']);
  reconcile.action(async (flags: Actions.ReconcileFlags) =>
    failUnless(await runAction((actions) => actions.runReconcile(flags, printLine))),
  );
}

function addReplay(program: Command, printLine: (line: string) => void): void {
  const replay = program
    .command('replay')
    .description('replay workflow histories with this build before a deployment; the exit code is 1 if one fails')
    .option('--query <filter>', 'list filter of Temporal for the runs (default: running workflows)')
    .addOption(
      new Option('--limit <runs>', 'number of the newest runs of each workflow type')
        .default(1000)
        .argParser((text) => readPositiveInteger(text, '--limit')),
    );
  addExamples(replay, ['replay', `replay --query 'WorkflowType = "order" AND StartTime > "2026-03-01T00:00:00Z"' --limit 200`]);
  replay.action(async (flags: ReplayFlags) => failUnless(await runAction((actions) => actions.runReplay(flags, printLine))));
}

const collectValue = (value: string, before: readonly string[]): string[] => [...before, value];

/** Sets the exit code without a message, because the output has already listed the failures. */
function failUnless(isComplete: boolean): void {
  if (!isComplete) throw new CommandFailure('');
}
