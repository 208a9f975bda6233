import { Option, type Command } from 'commander';
import type { ResolvedCommand } from './api-command';
import { isPaged } from './contract';
import { GROUP_DESCRIPTIONS } from './commands';
import { CommandFailure } from './errors';
import type { CommandOption } from './options';
import { runCommand, type ParsedCommand } from './run-command';
import { safeText } from './safe-text';
import { Refusal } from './studio-client';
import { readPositiveInteger } from './values';
import type { Terminal } from './terminal';

export function addApiCommands(program: Command, commands: readonly ResolvedCommand[], terminal: Terminal): void {
  for (const command of commands) addCommand(program, command, terminal);
}

/** The group `orders` of `orders show`, created if it is missing. */
export function findOrAddGroup(program: Command, name: string): Command {
  return program.commands.find((each) => each.name() === name) ?? program.command(name).description(GROUP_DESCRIPTIONS[name] ?? '');
}

function addCommand(program: Command, command: ResolvedCommand, terminal: Terminal): void {
  const nameParts = command.name.split(' ');
  const parent = nameParts.length === 1 ? program : findOrAddGroup(program, nameParts[0] ?? '');
  const cliCommand = parent
    .command(nameParts.at(-1) ?? '')
    .summary(command.summary)
    .description(command.description);
  for (const { name, description } of command.args) cliCommand.argument(`<${name}>`, description);
  if (command.file !== undefined) cliCommand.argument('<file>', command.file.description);
  const options = new Map(command.options.map((option) => [option, toCommanderOption(option)]));
  for (const option of options.values()) cliCommand.addOption(option);
  addCommonOptions(cliCommand, command);
  addExamples(cliCommand, command.examples);
  cliCommand.action(async () => {
    const values = new Map([...options].map(([spec, option]) => [spec, optionValue(cliCommand, option)]));
    requireOptions(cliCommand, command, values);
    await runCommand(command, { args: cliCommand.args, values, flags: cliCommand.opts() }, terminal).catch((error: unknown) => {
      throw error instanceof Refusal ? toCommandFailure(error, command) : error;
    });
  });
}

/** Checked after commander has parsed the options, so a mistyped option is reported before a missing one. */
function requireOptions(cliCommand: Command, { call, options, fixedFields, file }: ResolvedCommand, values: ParsedCommand['values']): void {
  const missing = options.filter((spec) => spec.isRequired === true && values.get(spec) === undefined).map(({ flags }) => `'${flags}'`);
  if (missing.length > 0) cliCommand.error(`error: required option ${missing.join(', ')} not specified`);
  const hasChanges =
    options.length === 0 || fixedFields !== undefined || file !== undefined || [...values.values()].some((sent) => sent !== undefined);
  if (call.startsWith('PATCH ') && !hasChanges) cliCommand.error('error: no change given; add at least one option');
}

export function addExamples(command: Command, examples: readonly string[]): void {
  command.addHelpText('after', `\nExamples:\n${examples.map((example) => `  $ trade-print ${example}`).join('\n')}`);
}

/** Wraps a parsed value, because commander treats null as no value. */
interface ReadValue {
  value: unknown;
}

export function optionValue(command: Command, option: Option): unknown {
  const stored = command.getOptionValue(option.attributeName()) as ReadValue | ReadValue[] | undefined;
  return Array.isArray(stored) ? stored.map(({ value }) => value) : stored?.value;
}

export function toCommanderOption({ flags, description, read = (text) => text, isRepeatable, presetValue }: CommandOption): Option {
  const option = new Option(flags, description);
  if (presetValue !== undefined) return option.preset('').argParser((): ReadValue => ({ value: presetValue }));
  const long = option.long ?? flags;
  if (isRepeatable === undefined) return option.argParser((text): ReadValue => ({ value: read(text, long) }));
  return option.argParser((text: string, previous: ReadValue[] | undefined): ReadValue[] => [
    ...(previous ?? []),
    { value: read(text, long) },
  ]);
}

function addCommonOptions(cliCommand: Command, { endpoint, ownIdField, dryRunQuestion, confirmQuestion }: ResolvedCommand): void {
  if (ownIdField !== undefined)
    cliCommand.option('--id <id>', `your own ${ownIdField}, which makes repeating safe (default: a new id, printed before the request)`);
  if (dryRunQuestion !== undefined) cliCommand.option('--dry-run', 'only count, change nothing');
  if (dryRunQuestion !== undefined || confirmQuestion !== undefined) cliCommand.option('--yes', 'do not ask for confirmation');
  if (isPaged(endpoint)) {
    cliCommand.addOption(
      new Option('--limit <rows>', 'maximum number of rows').default(25).argParser((text) => readPositiveInteger(text, '--limit')),
    );
    cliCommand.option('--all', 'all rows');
  }
  if (endpoint.mediaType !== undefined)
    cliCommand.option('--out <file>', 'output file; - writes to standard output').option('--force', 'overwrite an existing file');
  else cliCommand.option('--json', 'print the response as JSON');
  cliCommand.option('--studio <url>', 'URL of the studio API (default: STUDIO_URL, else the URL of the login)');
}

/** Replaces field names in a message with their options: `skipPing` → `--skip-ping`. */
function fieldsToFlags(message: string, options: readonly CommandOption[]): string {
  const renamedFields = options.filter(({ field, read }) => read === undefined && /[A-Z]/.test(field));
  return renamedFields.reduce(
    (text, { field, flags }) => text.replaceAll(new RegExp(`\\b${field}\\b`, 'g'), flags.split(' ')[0] ?? field),
    message,
  );
}

/** Converts an API error to a failure that names the option of each issue. */
function toCommandFailure({ code, message, issues, exitCode }: Refusal, { options, ownIdField }: ResolvedCommand): CommandFailure {
  if (issues.length === 0) return new CommandFailure(safeText(fieldsToFlags(message, options)), exitCode);
  const lines = issues.map(
    ({ path, message: detail }) => `  ${safeText(path === '' ? detail : describeIssue(path, detail, options, ownIdField))}`,
  );
  return new CommandFailure(`${code}\n${lines.join('\n')}`, exitCode);
}

/** `studio.abn` and `is required` → `--studio-details: abn is required`. */
function describeIssue(path: string, message: string, options: readonly CommandOption[], ownIdField: string | undefined): string {
  const field = path.replace(/^query\./, '');
  if (field === ownIdField) return `--id: ${message}`;
  const exactOption = options.find((each) => each.field === field);
  const [first = '', ...rest] = field.split('.');
  const flag = (exactOption ?? options.find((each) => each.field === first))?.flags.split(' ')[0];
  if (flag === undefined) return `${path}: ${message}`;
  return `${flag}: ${exactOption === undefined && /^[a-z]/i.test(rest[0] ?? '') ? `${rest.join('.')} ` : ''}${message}`;
}
