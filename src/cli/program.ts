import { Option, type Command } from 'commander';
import { ARGUMENTS, callOf, type ApiCommand, type CommandOption } from './api-command';
import { GROUPS } from './commands';
import { CommandProblem } from './problems';
import { runCommand, type Typed } from './run-command';
import { safeText } from './safe-text';
import { Refusal } from './studio-client';
import { readWholeFrom1 } from './values';
import type { Terminal } from './terminal';

export function addApiCommands(program: Command, commands: readonly ApiCommand[], terminal: Terminal): void {
  for (const command of commands) addCommand(program, command, terminal);
}

/** The group `orders` of `orders show`, made where it is not there yet. */
export function groupOf(program: Command, name: string): Command {
  return program.commands.find((each) => each.name() === name) ?? program.command(name).description(GROUPS[name] ?? '');
}

function addCommand(program: Command, command: ApiCommand, terminal: Terminal): void {
  const words = command.words.split(' ');
  const at = words.length === 1 ? program : groupOf(program, words[0] ?? '');
  const made = at.command(words.at(-1) ?? '').description(command.tells);
  for (const name of callOf(command).names) made.argument(`<${name}>`, ARGUMENTS[name] ?? '');
  if (command.file !== undefined) made.argument('<file>', command.file.tells);
  const options = new Map((command.options ?? []).map((option) => [option, optionOf(option)]));
  for (const option of options.values()) made.addOption(option);
  addCommonOptions(made, command);
  addExamples(made, command.examples);
  made.action(async () => {
    const values = new Map([...options].map(([spec, option]) => [spec, sentFor(made, option)]));
    requireNeeded(made, command, values);
    await runCommand(command, { args: made.args, values, flags: made.opts() }, terminal).catch((error: unknown) => {
      throw error instanceof Refusal ? inOptions(error, command) : error;
    });
  });
}

/** Once the others are known to be options at all: who mistypes one has not forgotten it. */
function requireNeeded(made: Command, { call, options = [], fixed, file }: ApiCommand, values: Typed['values']): void {
  const missing = options.filter((spec) => spec.needed === true && values.get(spec) === undefined).map(({ flags }) => `'${flags}'`);
  if (missing.length > 0) made.error(`error: required option ${missing.join(', ')} not specified`);
  const changes =
    options.length === 0 || fixed !== undefined || file !== undefined || [...values.values()].some((sent) => sent !== undefined);
  if (call.startsWith('PATCH ') && !changes) made.error('error: there is nothing to change without an option');
}

export function addExamples(command: Command, examples: readonly string[]): void {
  command.addHelpText('after', `\nExamples:\n${examples.map((example) => `  $ trade-print ${example}`).join('\n')}`);
}

/** What an option was read as, in a box: commander would take a null for no value at all. */
interface Read {
  sent: unknown;
}

export function sentFor(command: Command, option: Option): unknown {
  const read = command.getOptionValue(option.attributeName()) as Read | Read[] | undefined;
  return Array.isArray(read) ? read.map(({ sent }) => sent) : read?.sent;
}

export function optionOf({ flags, tells, read = (text) => text, many = false, means }: CommandOption): Option {
  const option = new Option(flags, tells);
  if (means !== undefined) return option.preset('').argParser((): Read => ({ sent: means }));
  const long = option.long ?? flags;
  if (!many) return option.argParser((text): Read => ({ sent: read(text, long) }));
  return option.argParser((text: string, before: Read[] | undefined): Read[] => [...(before ?? []), { sent: read(text, long) }]);
}

function addCommonOptions(made: Command, { shows = {}, ownId, asks, confirms }: ApiCommand): void {
  if (ownId !== undefined)
    made.option('--id <id>', `your own ${ownId}; the same again changes nothing (default: a fresh one, which is told)`);
  if (asks !== undefined) made.option('--dry-run', 'only count');
  if (asks !== undefined || confirms !== undefined) made.option('--yes', 'without being asked');
  if ('rows' in shows && shows.whole === undefined) {
    made.addOption(new Option('--limit <rows>', 'how many at most').default(25).argParser((text) => readWholeFrom1(text, '--limit')));
    made.option('--all', 'all of them');
  }
  if ('file' in shows)
    made.option('--out <file>', 'where to keep it; - is standard output').option('--force', 'also over a file that is there');
  else made.option('--json', 'the answer as JSON, exactly');
  made.option('--studio <url>', 'where the studio API is (else STUDIO_URL, else where you logged in)');
}

/** Fields that a message names and that are sent as they were typed, as they are typed: `skipPing` → `--skip-ping`. */
function withFlags(message: string, options: readonly CommandOption[]): string {
  const asTyped = options.filter(({ field, read }) => read === undefined && /[A-Z]/.test(field));
  return asTyped.reduce(
    (told, { field, flags }) => told.replaceAll(new RegExp(`\\b${field}\\b`, 'g'), flags.split(' ')[0] ?? field),
    message,
  );
}

/** The API's refusal, with each issue at the option that was typed. */
function inOptions({ code, message, issues, exitCode }: Refusal, { options = [], ownId }: ApiCommand): CommandProblem {
  if (issues.length === 0) return new CommandProblem(safeText(withFlags(message, options)), exitCode);
  const told = issues.map(({ path, message: what }) => `  ${safeText(path === '' ? what : inOption(path, what, options, ownId))}`);
  return new CommandProblem(`${code}\n${told.join('\n')}`, exitCode);
}

/** `studio.abn` and `is required` → `--studio-details: abn is required`. */
function inOption(path: string, message: string, options: readonly CommandOption[], ownId: string | undefined): string {
  const field = path.replace(/^query\./, '');
  if (field === ownId) return `--id: ${message}`;
  const whole = options.find((each) => each.field === field);
  const [first = '', ...rest] = field.split('.');
  const flag = (whole ?? options.find((each) => each.field === first))?.flags.split(' ')[0];
  if (flag === undefined) return `${path}: ${message}`;
  return `${flag}: ${whole === undefined && /^[a-z]/i.test(rest[0] ?? '') ? `${rest.join('.')} ` : ''}${message}`;
}
