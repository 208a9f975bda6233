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
  const [name = '', group] = command.name.split(' ').toReversed();
  const parent = group === undefined ? program : findOrAddGroup(program, group);
  const cliCommand = parent.command(name).summary(command.summary).description(command.description);
  for (const argument of command.args) cliCommand.argument(`<${argument.name}>`, argument.description);
  if (command.file !== undefined) cliCommand.argument('<file>', command.file.description);
  const fields = addFieldOptions(cliCommand, command.options);
  addCommonOptions(cliCommand, command);
  addExamples(cliCommand, command.examples);
  cliCommand.action(async () => {
    requireOptions(cliCommand, command, fields);
    await runCommand(command, { args: cliCommand.args, fields, flags: cliCommand.opts() }, terminal).catch((error: unknown) => {
      throw error instanceof Refusal ? toCommandFailure(error, command) : error;
    });
  });
}

/** Checked after commander has parsed the options, so a mistyped option is reported before a missing one. */
function requireOptions(cliCommand: Command, { call, options, fixedFields }: ResolvedCommand, fields: ParsedCommand['fields']): void {
  const missing = options.filter(({ isRequired, field }) => isRequired === true && !fields.has(field)).map(({ flags }) => `'${flags}'`);
  if (missing.length > 0) cliCommand.error(`error: required option ${missing.join(', ')} not specified`);
  if (call.startsWith('PATCH ') && fixedFields === undefined && fields.size === 0)
    cliCommand.error('error: no change given; add at least one option');
}

export function addExamples(command: Command, examples: readonly string[]): void {
  command.addHelpText('after', `\nExamples:\n${examples.map((example) => `  $ trade-print ${example}`).join('\n')}`);
}

/** Returns the sent values by field, which fill when commander parses the options. */
export function addFieldOptions(command: Command, options: readonly CommandOption[]): Map<string, unknown> {
  const fields = new Map<string, unknown>();
  for (const { flags, description, field, read = String, isRepeatable, presetValue } of options) {
    const option = new Option(flags, description);
    if (presetValue !== undefined) option.preset('');
    option.argParser((text: string) => {
      const value = presetValue === undefined ? read(text, option.long ?? flags) : presetValue;
      fields.set(field, isRepeatable === true && presetValue === undefined ? [...((fields.get(field) ?? []) as unknown[]), value] : value);
    });
    command.addOption(option);
  }
  return fields;
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

/** Converts an API error to a failure that names the option of each issue. */
function toCommandFailure({ code, message, issues, exitCode }: Refusal, { options, ownIdField }: ResolvedCommand): CommandFailure {
  const lines = issues.map((issue) => `\n  ${safeText(issue.path === '' ? issue.message : describeIssue(issue, options, ownIdField))}`);
  if (lines.length > 0) return new CommandFailure(`${code}${lines.join('')}`, exitCode);
  const renamed = options.filter(({ field, read }) => read === undefined && /[A-Z]/.test(field));
  const text = renamed.reduce((result, { field, flags }) => result.replaceAll(new RegExp(`\\b${field}\\b`, 'g'), flagIn(flags)), message);
  return new CommandFailure(safeText(text), exitCode);
}

const flagIn = (flags: string): string => flags.replace(/ .*/, '');

/** `studio.abn` and `is required` → `--studio-details: abn is required`. */
function describeIssue({ path, message }: Refusal['issues'][number], options: readonly CommandOption[], ownIdField?: string): string {
  const field = path.replace(/^query\./, '');
  if (field === ownIdField) return `--id: ${message}`;
  const [first = '', ...rest] = field.split('.');
  const option = options.find((each) => each.field === first);
  if (option === undefined) return `${path}: ${message}`;
  return `${flagIn(option.flags)}: ${/^[a-z]/i.test(rest[0] ?? '') ? `${rest.join('.')} ` : ''}${message}`;
}
