#!/usr/bin/env node
import { runCommandLine } from './command-line';
import { processTerminal } from './terminal';

runCommandLine(process.argv.slice(2), processTerminal())
  .then((code) => {
    process.exitCode = code;
  })
  .catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exitCode = 1;
  });
