import { Argument, type Command } from 'commander';
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

export function addServiceCommands(program: Command, { env, out }: Terminal): void {
  const context: Actions.CommandContext = { env, printLine: (line) => out(`${line}\n`) };
  addCommand(
    program,
    'migrate',
    'migrate the database, register the search attributes in Temporal, and make TEMPORAL_BUILD_ID the current build',
    ['migrate', 'migrate --app-role trade_print'],
  )
    .option(
      '--app-role <name>',
      'create this role if it is missing, with only the permissions of the processes; DATABASE_APP_PASSWORD is its password',
    )
    .action(({ appRole }: { appRole?: string }) => runAction((actions) => actions.migrate(appRole, context)));
  addCommand(program, 'seed', 'create the first catalogue and price book if none exists', ['seed']).action(() =>
    runAction((actions) => actions.seedDatabase(context)),
  );
  const secrets = program.command('secrets').description('manage the encrypted secrets in the database');
  addCommand(secrets, 'rotate', 'encrypt all secrets with the first key of SECRETS_KEY; the service may keep running', [
    'secrets rotate',
  ]).action(async () => failUnless(await runAction((actions) => actions.rotateSecrets(context))));
  addCommand(
    findOrAddGroup(program, 'tokens'),
    'create-admin',
    'create the first admin token in the database and print it once; create others through the studio API',
    ['tokens create-admin --name Iris'],
  )
    .requiredOption('--name <name>', 'name in the audit log')
    .option('--force', 'create it even if another admin token works, for example because that token is lost', false)
    .action((options: { name: string; force: boolean }) => runAction((actions) => actions.createAndPrintAdminToken(options, context)));
  addCommand(program, 'reconcile', 'compare PostgreSQL with Temporal and repair differences, after a restore of either', [
    'reconcile --restored',
    'reconcile --dry-run',
    'reconcile --issued-live P-10250 --issued-live CN-10013',
  ])
    .option('--dry-run', 'only report, repair nothing', false)
    .option('--json', 'print all findings as JSON', false)
    .option('--restored', 'only advance the numbers of a restored database, before any process starts', false)
    .option('--issued-live <number>', issuedDescription('number', 'P-10250, P-10102-R2, INV-10250, CN-10013'), collectValue, [])
    .option('--issued-test <number>', issuedDescription('test number', 'T-10020, T-10020-R2, TINV-10020, TCN-10013'), collectValue, [])
    .action(async (flags: Actions.ReconcileFlags) => failUnless(await runAction((actions) => actions.runReconcile(flags, context))));
  addCommand(program, 'replay', 'replay workflow histories with this build before a deployment; the exit code is 1 if one fails', [
    'replay',
    `replay --query 'WorkflowType = "order" AND StartTime > "2026-03-01T00:00:00Z"' --limit 200`,
  ])
    .option('--query <filter>', 'list filter of Temporal for the runs (default: running workflows)')
    .option('--limit <runs>', 'number of the newest runs of each workflow type', (text) => readPositiveInteger(text, '--limit'), 1000)
    .action(async (flags: ReplayFlags) => failUnless(await runAction((actions) => actions.runReplay(flags, context))));
  addCommand(program, 'demo', 'run the demo against the running service and print each step', ['demo']).action(() =>
    runAction((actions) => actions.runDemo(context)),
  );
  addCommand(program, 'openapi', 'print the OpenAPI document of an API, as served at /openapi.json', ['openapi trade > trade.json'])
    .addArgument(new Argument('<api>', 'API').choices(['trade', 'studio']))
    .action((api: string) => runAction((actions) => actions.printOpenApiDocument(api, context)));
}

function addCommand(parent: Command, name: string, description: string, examples: readonly string[]): Command {
  const command = parent.command(name).description(description);
  addExamples(command, examples);
  return command;
}

const issuedDescription = (number: string, examples: string): string =>
  `highest ${number} known to be issued: ${examples}; repeat it for each`;

const collectValue = (value: string, before: readonly string[]): string[] => [...before, value];

/** Sets the exit code without a message, because the output has already listed the failures. */
function failUnless(isComplete: boolean): void {
  if (!isComplete) throw new CommandFailure('');
}
