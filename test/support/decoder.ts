import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from '@swc/core';
import { projectRoot } from '../../dev/project';

/**
 * The program that opens pictures, compiled as for a deployment, because plain Node runs it. It lies where it finds the packages it
 * imports.
 * @returns its path
 */
export function compiledDecoder(): string {
  const source = join(projectRoot, 'src', 'inspection', 'decoder.ts');
  const { code } = transformSync(readFileSync(source, 'utf8'), {
    filename: source,
    swcrc: false,
    jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
    module: { type: 'commonjs', ignoreDynamic: true },
  });
  const folder = join(projectRoot, 'node_modules', '.cache', 'trade-print');
  mkdirSync(folder, { recursive: true });
  const program = join(folder, 'decoder.js');
  writeFileSync(`${program}.${process.pid}`, code);
  renameSync(`${program}.${process.pid}`, program); // other tests may be starting it
  return program;
}
