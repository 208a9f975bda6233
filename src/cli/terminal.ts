import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

export interface Terminal {
  env: Readonly<Record<string, string | undefined>>;
  /** Standard output, for results. */
  out(text: string | Uint8Array): void;
  /** Standard error, for problems and hints. */
  err(text: string): void;
  /** True if a person can answer questions. */
  isInteractive: boolean;
  /** True if standard output is a screen. */
  isOutputTty: boolean;
  ask(question: string): Promise<string>;
  /** Reads a line without showing it; without a person, reads all of standard input. */
  readSecret(question: string): Promise<string>;
  readInput(): Promise<string>;
  /** Aborted by Ctrl-C or SIGTERM. */
  stopSignal(): AbortSignal;
}

export function processTerminal(): Terminal {
  const isInteractive = process.stdin.isTTY && process.stderr.isTTY;
  return {
    env: process.env,
    out: (line) => void process.stdout.write(line),
    err: (line) => void process.stderr.write(line),
    isInteractive,
    isOutputTty: process.stdout.isTTY,
    ask: (question) => ask(question),
    readSecret: (question) => (isInteractive ? ask(question, true) : text(process.stdin)),
    readInput: () => text(process.stdin),
    stopSignal,
  };
}

async function ask(question: string, isHidden = false): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  // The terminal stops showing what is typed before the question appears.
  const lines = createInterface({ input: process.stdin, output: isHidden ? nowhere : process.stderr, terminal: true });
  lines.once('SIGINT', () => process.exit(130)); // the terminal reports Ctrl-C as a key
  if (isHidden) process.stderr.write(question);
  try {
    return await lines.question(question).catch(() => ''); // Ctrl-D
  } finally {
    lines.close();
    if (isHidden) process.stderr.write('\n');
  }
}

function stopSignal(): AbortSignal {
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort());
  process.once('SIGTERM', () => controller.abort());
  return controller.signal;
}
