import { Argument, Option, type Command } from 'commander';
import { addExamples, findOrAddGroup } from './program';
import { CommandFailure } from './errors';
import type { ReplayFlags } from './replay';
import type * as Actions from './service-actions';
import type { Terminal } from './terminal';
import { readPositiveInteger } from './values';

/** What opens the database is loaded once a command needs it: the others start at once. */
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
  const demo = program.command('demo').description('play the main job against the running service and print each step');
  addExamples(demo, ['demo']);
  demo.action(() => runAction((actions) => actions.runDemo(printLine)));
  const openapi = program.command('openapi').description('print the OpenAPI document of an API, as the service has it at /openapi.json');
  openapi.addArgument(new Argument('<api>', 'whose').choices(['trade', 'studio']));
  addExamples(openapi, ['openapi trade > trade.json']);
  openapi.action((api: string) => runAction((actions) => actions.printOpenApiDocument(api, printLine)));
}

function addDatabaseCommands(program: Command, printLine: (line: string) => void): void {
  const migrate = program
    .command('migrate')
    .description(
      'bring the database to this version, register the search attributes in Temporal, and make TEMPORAL_BUILD_ID the current build',
    );
  migrate.option(
    '--app-role <name>',
    'also make this role, if need be, and give it what the processes need and no more; its password is DATABASE_APP_PASSWORD',
  );
  addExamples(migrate, ['migrate', 'migrate --app-role trade_print']);
  migrate.action(({ appRole }: { appRole?: string }) => runAction((actions) => actions.migrate(appRole, printLine)));

  const seed = program.command('seed').description('put the first catalogue and price book where there is none');
  addExamples(seed, ['seed']);
  seed.action(() => runAction((actions) => actions.seedDatabase(printLine)));

  const secrets = program.command('secrets').description('the secrets that the database keeps');
  const rotate = secrets.command('rotate').description('bring them all under the first key of SECRETS_KEY; the service may run meanwhile');
  addExamples(rotate, ['secrets rotate']);
  rotate.action(async () => failUnless(await runAction((actions) => actions.rotateSecrets(printLine))));

  const createAdmin = findOrAddGroup(program, 'tokens')
    .command('create-admin')
    .description('make an admin token in the database itself and print it, this once; the studio API makes all but the first')
    .requiredOption('--name <name>', 'whose it is, as the audit log will say')
    .option('--force', 'also where an admin token works already: for when nobody has it any more', false);
  addExamples(createAdmin, ['tokens create-admin --name Iris']);
  createAdmin.action((options: { name: string; force: boolean }) => runAction((actions) => actions.printAdminToken(options, printLine)));
}

function addReconcile(program: Command, printLine: (line: string) => void): void {
  const reconcile = program
    .command('reconcile')
    .description('compare what PostgreSQL has stored with what Temporal runs, and make them agree: after a restore of either')
    .option('--dry-run', 'only tell', false)
    .option('--json', 'everything found, as JSON', false)
    .option(
      '--restored',
      'the database was just put back to an earlier state: move its numbers on, before any process is started, and nothing else',
      false,
    )
    .option(
      '--given-out-live <number>',
      'the highest number that somebody knows to have been given out: P-10250, P-10102-R2, INV-10250, CN-10013; once for each',
      collectValue,
      [],
    )
    .option('--given-out-test <number>', 'the same for test: T-10020, T-10020-R2, TINV-10020, TCN-10013', collectValue, []);
  addExamples(reconcile, ['reconcile --restored', 'reconcile --dry-run', 'reconcile --given-out-live P-10250 --given-out-live CN-10013']);
  reconcile.action(async (flags: Actions.ReconcileFlags) =>
    failUnless(await runAction((actions) => actions.runReconcile(flags, printLine))),
  );
}

function addReplay(program: Command, printLine: (line: string) => void): void {
  const replay = program
    .command('replay')
    .description("replay Temporal's histories with the workflows of this build, before a deployment; code 1 where one does not replay")
    .option('--query <filter>', "which runs, as a list filter of Temporal's; the running ones by default")
    .addOption(
      new Option('--limit <runs>', 'how many of each workflow type, the newest')
        .default(1000)
        .argParser((text) => readPositiveInteger(text, '--limit')),
    );
  addExamples(replay, ['replay', `replay --query 'WorkflowType = "order" AND StartTime > "2026-03-01T00:00:00Z"' --limit 200`]);
  replay.action(async (flags: ReplayFlags) => failUnless(await runAction((actions) => actions.runReplay(flags, printLine))));
}

const collectValue = (value: string, before: readonly string[]): string[] => [...before, value];

/** What is left undone has been told line by line. */
function failUnless(isComplete: boolean): void {
  if (!isComplete) throw new CommandFailure('');
}
