import type { Argument, Command, Option } from 'commander';
import { parseCall } from '../../src/cli/api-command';
import { createProgram } from '../../src/cli/command-line';
import { API_COMMANDS } from '../../src/cli/commands';
import { inlineCode, toSentence, renderTable } from './markdown';

/** The page explains an option only once, as a common option, if at least this many commands have it. */
const MIN_COMMON_USES = 10;

/** A command without subcommands, such as `orders show`. */
interface LeafCommand {
  words: string;
  command: Command;
}

/** Renders docs/cli-commands.md. */
export function renderCliPage(): string {
  const program = createDescribedProgram();
  const common = commonOptions(leafCommandsOf(program));
  const groups = program.commands.filter(({ commands }) => commands.length > 0);
  const others = program.commands.filter(({ commands }) => commands.length === 0);
  const sections = [
    ...groups.map((group) => [
      group.name(),
      toSentence(group.description()),
      ...leafCommandsOf(group, [group.name()]).map((leaf) => renderSection(leaf, common)),
    ]),
    ['Other commands', ...others.map((command) => renderSection({ words: command.name(), command }, common))],
  ];
  return `# Commands

\`npm run docs\` writes this page from the program. [The command line](cli.md) explains logging in, values and exit codes.

## Common options

${renderTable(
  ['option', 'meaning'],
  [...common.values()].map((option) => optionRow(option)),
)}

${sections.map((parts) => `## ${parts.join('\n\n')}\n`).join('\n')}`;
}

/** All leaf commands below this one. */
export function leafCommandsOf(command: Command, words: readonly string[] = []): LeafCommand[] {
  if (command.commands.length === 0) return [{ words: words.join(' '), command }];
  return command.commands.flatMap((child) => leafCommandsOf(child, [...words, child.name()]));
}

/** Creates the program without a terminal, only to read the descriptions of its commands. */
export function createDescribedProgram(): Command {
  const rejectCall = (): Promise<string> => Promise.reject(new Error('this program runs no command'));
  return createProgram({
    env: {},
    out: () => undefined,
    err: () => undefined,
    isInteractive: false,
    isOutputTty: false,
    ask: rejectCall,
    readSecret: rejectCall,
    readInput: rejectCall,
    stopSignal: () => new AbortController().signal,
  });
}

function commonOptions(leaves: readonly LeafCommand[]): ReadonlyMap<string, Option> {
  const options = leaves.flatMap(({ command }) => command.options).map((option) => [optionKey(option), option] as const);
  return new Map(options.filter(([key]) => options.filter(([other]) => other === key).length >= MIN_COMMON_USES));
}

const optionKey = ({ flags, description }: Option): string => `${flags} ${description}`;

function renderSection({ words, command }: LeafCommand, common: ReadonlyMap<string, Option>): string {
  const api = API_COMMANDS.find((each) => each.name === words);
  const requiredFlags = api?.options?.filter((option) => option.isRequired === true).map(({ flags }) => flags) ?? [];
  const shared = command.options.filter((option) => common.has(optionKey(option)));
  const own = command.options.filter((option) => !shared.includes(option));
  const rows = [
    ...command.registeredArguments.map((argument) => [inlineCode(`<${argument.name()}>`), describeArgument(argument)]),
    ...own.map((option) => optionRow(option, requiredFlags.includes(option.flags))),
  ];
  return [
    `### ${words}`,
    `${toSentence(command.description())}${api === undefined ? '' : ` Calls ${inlineCode(endpointOfCommand(api))}.`}`,
    ...(rows.length === 0 ? [] : [renderTable(['argument or option', 'meaning'], rows)]),
    ...(shared.length === 0 ? [] : [`Common options: ${shared.map(({ flags }) => inlineCode(flags.replace(/ .*/, ''))).join(', ')}.`]),
  ].join('\n\n');
}

const describeArgument = ({ description, argChoices }: Argument): string =>
  argChoices === undefined ? description : `${description}: ${argChoices.join(', ')}`;

function endpointOfCommand(api: (typeof API_COMMANDS)[number]): string {
  const { method, path } = parseCall(api);
  return `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`;
}

function optionRow({ flags, description, mandatory, defaultValue }: Option, isRequired = false): string[] {
  const required = mandatory || isRequired ? '; required' : '';
  const defaultText = ['string', 'number'].includes(typeof defaultValue) ? `; ${String(defaultValue)} by default` : '';
  return [inlineCode(flags), `${description}${required}${defaultText}`];
}
