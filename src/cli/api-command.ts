import { callKey, loadContract, type Contract, type Endpoint, type Field } from './contract';
import { exampleText, flagOf, optionsOf, type CommandOption } from './options';
import type { Columns } from './tables';

/** A command for an endpoint of the studio API. Arguments, options and help come from the contract. */
export interface ApiCommand {
  /** Method and path as in the endpoint table; each `:name` is an argument of the command. */
  call: `${'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'} /${string}`;
  /** Replaces the summary of an endpoint with several commands. */
  description?: string;
  /** The columns of a list, or the fields of a record; without them, the command prints every field. */
  columns?: Columns;
  /** The columns of the lists in a record. */
  lists?: Readonly<Record<string, Columns>>;
  /** The list that prints `none` if it is empty. */
  emptyListField?: string;
  /** Asked after a dry run has counted the changes, because the command cannot be undone. */
  dryRunQuestion?: string;
  /** Asked before a command that cannot be undone and has no dry run. */
  confirmQuestion?: string;
  /** Body fields that the command always sends. */
  fixedFields?: Readonly<Record<string, unknown>>;
  /** Fields of the endpoint that the command does not have. */
  without?: readonly string[];
  /** Optional fields of the endpoint that the command needs. */
  required?: readonly string[];
  /** Other flags that send a value. */
  presets?: readonly Pick<CommandOption, 'flags' | 'field' | 'description' | 'presetValue'>[];
  /** A file argument that contains the body, or the value of `field`, which can be its bytes in Base64. */
  file?: { description: string; field?: string; isBase64?: true };
  /** Examples besides the one of the contract, without `trade-print`. */
  examples?: readonly string[];
}

/** A command with its arguments and options. */
export interface ResolvedCommand extends ApiCommand {
  /** The words of the command, such as `orders show`. */
  name: string;
  summary: string;
  description: string;
  args: readonly { name: string; description: string; example: string }[];
  options: readonly CommandOption[];
  endpoint: Endpoint;
  /** The field with the caller's id, which makes a repeated call safe. */
  ownIdField: string | undefined;
  examples: readonly string[];
}

/** The commands in their order, each list followed by its CSV export if the API has one. */
export function resolveCommands(commands: Readonly<Record<string, ApiCommand>>): ResolvedCommand[] {
  const contract = loadContract();
  return Object.entries(commands).flatMap(([name, command]) => {
    const csv: ApiCommand = { call: `${command.call}.csv` };
    const csvName = name.endsWith(' list') ? name.replace(/list$/, 'csv') : `${name}-csv`;
    const csvCommands = contract[callKey(csv.call)] === undefined ? [] : [resolveCommand(csvName, csv, contract)];
    return [resolveCommand(name, command, contract), ...csvCommands];
  });
}

/** Options that several endpoints share. */
const COMMON_FLAGS: Readonly<Record<string, string>> = { limit: '--limit', cursor: '--all', dryRun: '--dry-run' };

function resolveCommand(name: string, command: ApiCommand, contract: Contract): ResolvedCommand {
  const { call, presets = [], confirmQuestion, dryRunQuestion, examples = [] } = command;
  const endpoint = contract[callKey(call)];
  if (endpoint === undefined) throw new Error(`trade-print ${name} calls ${call}, which the studio API does not have`);
  const ownId = call.startsWith('POST') ? endpoint.fields.find((field) => field.name.endsWith('Id')) : undefined;
  const describe = describeWith(endpoint.fields, ownId);
  const args = [...call.matchAll(/:([a-z]+)/g)].map(([, argument = ''], index) =>
    resolveArgument(argument, endpoint.pathFields[index], describe),
  );
  const options = [...optionFields(command, endpoint.fields, ownId).flatMap((field) => optionsOf(field, describe)), ...presets];
  const summary = command.description ?? describe(endpoint.summary).replace(/^\w/, (letter) => letter.toLowerCase());
  const confirmation = confirmQuestion === undefined ? '' : ' Asks for confirmation.';
  const dryRun = dryRunQuestion === undefined ? '' : ' Counts first and asks for confirmation.';
  const description = `${summary}\n\n${describe(endpoint.description)}${confirmation}${dryRun}`;
  const ownExamples = [...contractExample([name, ...args.map(({ example }) => example)], command, options, ownId), ...examples];
  return { ...command, name, summary, description, args, options, endpoint, ownIdField: ownId?.name, examples: ownExamples };
}

function resolveArgument(name: string, field: Field | undefined, describe: (text?: string) => string): ResolvedCommand['args'][number] {
  const { description = '', schema = {}, example } = field ?? {};
  const hint = schema.enum === undefined ? `such as ${name === 'n' ? 1 : String(example)}` : `choices: ${schema.enum.join(', ')}`;
  const [, named] = /such as (\S+)$/.exec(description) ?? [];
  return {
    name,
    description: named === undefined ? `${describe(description)} (${hint})` : describe(description),
    example: name === 'n' ? '1' : (named ?? String(example)),
  };
}

/** The example of the contract, unless it lacks a required option or changes nothing. */
function contractExample(
  words: string[],
  { call, file, fixedFields }: ApiCommand,
  options: readonly CommandOption[],
  ownId?: Field,
): string[] {
  const texts = options.map(exampleText).join('');
  const isComplete = options.every(({ isRequired, example }) => isRequired !== true || example !== undefined);
  if (!isComplete || (call.startsWith('PATCH') && fixedFields === undefined && texts === '')) return [];
  const fileName = file === undefined ? '' : ` ${file.field ?? 'body'}.json`;
  return [`${words.join(' ')}${fileName}${texts}${typeof ownId?.example === 'string' ? ` --id ${ownId.example}` : ''}`];
}

function optionFields(command: ApiCommand, fields: readonly Field[], ownId: Field | undefined): Field[] {
  const { fixedFields = {}, file, without = [], required = [] } = command;
  if (file !== undefined && file.field === undefined) return [];
  const absent = new Set([...Object.keys(COMMON_FLAGS), ...Object.keys(fixedFields), ...without, ownId?.name, file?.field]);
  return fields
    .filter(({ name }) => !absent.has(name))
    .map((field) => (required.includes(field.name) ? { ...field, required: true } : field));
}

/** Texts of the API that name its units, null or its verbs, and the words of the command line. */
const REPLACEMENTS: readonly [string | RegExp, string][] = [
  [/from 0/g, 'from 1'],
  ['in hundredths of a percent', 'in percent, such as 12.5'],
  [' in cents', ', such as 120.50'],
  ['null is', 'none means'],
  ['null means', 'the default is'],
  ['null or left out', 'left out'],
  [/^Retrieve /, 'Show '],
  [/^(Download|Export) /, 'Save '],
];

/** Adapts texts of the API to the command line, with options instead of fields. */
function describeWith(fields: readonly Field[], ownId: Field | undefined): (text?: string) => string {
  const flags = new Map(fields.map((field) => [field.name, field === ownId ? '--id' : (COMMON_FLAGS[field.name] ?? flagOf(field))]));
  return (text = '') =>
    REPLACEMENTS.reduce(
      (result, [from, to]) => result.replace(from, to),
      text.replaceAll(/`([^`]+)`/g, (_, word: string) => flags.get(word) ?? word),
    );
}
