#!/usr/bin/env node
import { runCommandLine } from './command-line';
import { processTerminal } from './terminal';

// A closed pipe, as from `head`, is not an error.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    if (stream === process.stdout) process.exit();
  });

runCommandLine(process.argv.slice(2), processTerminal())
  .then((code) => {
    process.exitCode = code;
  })
  .catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exitCode = 1;
  });
