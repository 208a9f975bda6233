import { createInterface } from 'node:readline/promises';
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
    ask,
    readSecret: (question) => (isInteractive ? readHidden(question) : text(process.stdin)),
    readInput: () => text(process.stdin),
    stopSignal,
  };
}

async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(question);
  } finally {
    lines.close();
  }
}

async function readHidden(question: string): Promise<string> {
  process.stderr.write(question);
  process.stdin.setRawMode(true);
  try {
    return await readTypedLine();
  } finally {
    process.stdin.setRawMode(false);
    process.stdin.pause();
    process.stderr.write('\n');
  }
}

async function readTypedLine(): Promise<string> {
  let line = '';
  for await (const chunk of process.stdin.iterator({ destroyOnReturn: false })) {
    for (const key of String(chunk)) {
      if (key === '\u0003') process.exit(130); // raw mode reports Ctrl-C as a key
      if (key === '\r' || key === '\n' || key === '\u0004') return line;
      line = key === '\u007f' ? line.slice(0, -1) : line + key;
    }
  }
  return line;
}

function stopSignal(): AbortSignal {
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort());
  process.once('SIGTERM', () => controller.abort());
  return controller.signal;
}
