import type { Command } from 'commander';
import { createProgram } from '../../../src/cli/command-line';
import { API_COMMANDS } from '../../../src/cli/commands';
import { EXIT } from '../../../src/cli/errors';
import { STUDIO_ENDPOINTS } from '../../../src/http/studio/endpoints';
import { readPage } from './markdown';

const PAGE = readPage('docs/cli.md');
const rejectCall = (): Promise<string> => Promise.reject(new Error('this program runs no command'));
/** The program without a terminal, only to read the descriptions of its commands. */
const PROGRAM = createProgram({
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
const COMMANDS = leafCommandsOf(PROGRAM);
/** Commands without subcommands, such as `orders show`. */
function leafCommandsOf(command: Command, words: readonly string[] = []): { words: string; command: Command }[] {
  if (command.commands.length === 0) return [{ words: words.join(' '), command }];
  return command.commands.flatMap((child) => leafCommandsOf(child, [...words, child.name()]));
}

/** Makes `/orders/:id` and `/orders/:order` equal. */
const normalizeParameters = (call: string): string => call.replaceAll(/:\w+/g, ':');

it('docs/cli.md has every exit code', () => {
  expect(PAGE.table('Exit codes').map(([code]) => Number(code))).toEqual(Object.values(EXIT));
});

it('every argument and option of a command has a description', () => {
  const described = COMMANDS.flatMap(({ words, command }) =>
    [...command.registeredArguments, ...command.options].map((part) => [words, part.description] as const),
  );
  expect(described.filter(([, description]) => !/^\w/.test(description))).toEqual([]);
});

it('every command has valid examples and help', () => {
  const without = COMMANDS.filter(({ words, command }) => {
    let help = '';
    command.configureOutput({ writeOut: (text) => void (help += text) }).outputHelp();
    return !help.includes(`$ trade-print ${words}`);
  });
  expect(without.map(({ words }) => words)).toEqual([]);
});

const NOT_IN_CLI = [
  // Sessions are for browsers. The command line sends the token itself.
  'POST /session',
  'POST /session/reauthenticate',
  'GET /session',
  'DELETE /session',
  'GET /sessions',
  'DELETE /sessions/:id',
  // A station calls it after the scan of a badge.
  'GET /badge-holders/:code',
  // Covered by a list of all of them with `--account`.
  'GET /accounts/:id/webhook-endpoints',
  // `orders artwork` lists and fetches the files of lines, verified.
  'GET /orders/artwork',
  'GET /orders/:id/artwork.zip',
  'GET /orders/:id/lines/:n/artwork',
  // The event stream is for browsers. `orders watch` polls instead, which also works through proxies that buffer streams.
  'GET /events/stream',
];

it('commands and endpoints of the studio API correspond one to one', () => {
  const served = new Set(STUDIO_ENDPOINTS.map(({ method, path }) => normalizeParameters(`${method} ${path}`)));
  const called = new Set(API_COMMANDS.map(({ call }) => normalizeParameters(call)));
  expect([...called].filter((call) => !served.has(call))).toEqual([]);
  expect([...served].filter((call) => !called.has(call))).toEqual(NOT_IN_CLI.map(normalizeParameters));
});
