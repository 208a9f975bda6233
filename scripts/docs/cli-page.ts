import type { Argument, Command, Option } from 'commander';
import { callOf } from '../../src/cli/api-command';
import { programFor } from '../../src/cli/command-line';
import { API_COMMANDS } from '../../src/cli/commands';
import { code, sentence, tableOf } from './markdown';

/** An option that this many commands share is explained once. */
const COMMON = 10;

/** A command that runs, such as `orders show`. */
interface Leaf {
  words: string;
  command: Command;
}

/** docs/cli-commands.md. */
export function cliPage(): string {
  const program = describedProgram();
  const common = commonOptions(leavesOf(program));
  const groups = program.commands.filter(({ commands }) => commands.length > 0);
  const others = program.commands.filter(({ commands }) => commands.length === 0);
  const sections = [
    ...groups.map((group) => [
      group.name(),
      sentence(group.description()),
      ...leavesOf(group, [group.name()]).map((leaf) => sectionOf(leaf, common)),
    ]),
    ['Other commands', ...others.map((command) => sectionOf({ words: command.name(), command }, common))],
  ];
  return `# Commands

\`npm run docs\` writes this page from the program. [The command line](cli.md) explains logging in, values and exit codes.

## Common options

${tableOf(
  ['option', 'meaning'],
  [...common.values()].map((option) => optionRow(option)),
)}

${sections.map((parts) => `## ${parts.join('\n\n')}\n`).join('\n')}`;
}

/** Every command that runs, below this one. */
export function leavesOf(command: Command, words: readonly string[] = []): Leaf[] {
  if (command.commands.length === 0) return [{ words: words.join(' '), command }];
  return command.commands.flatMap((each) => leavesOf(each, [...words, each.name()]));
}

/** The program without a terminal, which describes its commands and runs none. */
export function describedProgram(): Command {
  const refuse = (): Promise<string> => Promise.reject(new Error('this program runs no command'));
  return programFor({
    env: {},
    out: () => undefined,
    err: () => undefined,
    isInteractive: false,
    isScreen: false,
    ask: refuse,
    secret: refuse,
    input: refuse,
    stopped: () => new AbortController().signal,
  });
}

function commonOptions(leaves: readonly Leaf[]): ReadonlyMap<string, Option> {
  const options = leaves.flatMap(({ command }) => command.options).map((option) => [keyOf(option), option] as const);
  return new Map(options.filter(([key]) => options.filter(([other]) => other === key).length >= COMMON));
}

const keyOf = ({ flags, description }: Option): string => `${flags} ${description}`;

function sectionOf({ words, command }: Leaf, common: ReadonlyMap<string, Option>): string {
  const api = API_COMMANDS.find((each) => each.words === words);
  const needed = api?.options?.filter((option) => option.needed === true).map(({ flags }) => flags) ?? [];
  const shared = command.options.filter((option) => common.has(keyOf(option)));
  const own = command.options.filter((option) => !shared.includes(option));
  const rows = [
    ...command.registeredArguments.map((argument) => [code(`<${argument.name()}>`), argumentMeaning(argument)]),
    ...own.map((option) => optionRow(option, needed.includes(option.flags))),
  ];
  return [
    `### ${words}`,
    `${sentence(command.description())}${api === undefined ? '' : ` Calls ${code(endpointOf(api))}.`}`,
    ...(rows.length === 0 ? [] : [tableOf(['argument or option', 'meaning'], rows)]),
    ...(shared.length === 0 ? [] : [`Common options: ${shared.map(({ flags }) => code(flags.replace(/ .*/, ''))).join(', ')}.`]),
  ].join('\n\n');
}

const argumentMeaning = ({ description, argChoices }: Argument): string =>
  argChoices === undefined ? description : `${description}: ${argChoices.join(', ')}`;

function endpointOf(api: (typeof API_COMMANDS)[number]): string {
  const { method, path } = callOf(api);
  return `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`;
}

function optionRow({ flags, description, mandatory, defaultValue }: Option, isNeeded = false): string[] {
  const required = mandatory || isNeeded ? '; required' : '';
  const standard = ['string', 'number'].includes(typeof defaultValue) ? `; ${String(defaultValue)} by default` : '';
  return [code(flags), `${description}${required}${standard}`];
}
