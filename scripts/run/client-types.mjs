// `npm run client:types`: writes the types of the client package and of the console anew, from the OpenAPI documents of the trade and the
// studio API as the code makes them. Compiles what makes the documents and nothing else: who uses the types may be wrong until then.

import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { inProject } from '../set-up/project.mjs';

const require = createRequire(import.meta.url);
const compiled = inProject('node_modules', '.cache', 'contract');
const contract = inProject('node_modules', '.cache', 'tsconfig.contract.json');

mkdirSync(dirname(contract), { recursive: true });
rmSync(compiled, { recursive: true, force: true });
writeTsconfig();
execFileSync(process.execPath, [inProject('node_modules', 'typescript', 'bin', 'tsc'), '-p', contract], { stdio: 'inherit' });
writeTypes('src/http/openapi.js', 'tradeDocument', ['packages', 'client', 'src', 'generated', 'trade.ts']);
writeTypes('src/http/studio/openapi.js', 'studioDocument', ['packages', 'console', 'src', 'generated', 'studio.ts']);

function writeTypes(module, document, file) {
  const types = execFileSync(process.execPath, [inProject('packages', 'client', 'scripts', 'types.mjs')], {
    input: JSON.stringify(require(`${compiled}/${module}`)[document]()),
    maxBuffer: 64 << 20,
  });
  mkdirSync(dirname(inProject(...file)), { recursive: true });
  writeFileSync(inProject(...file), types);
}

function writeTsconfig() {
  const options = {
    rootDir: inProject(),
    outDir: compiled,
    sourceMap: false,
    noEmitOnError: true,
    types: ['node'],
    typeRoots: [inProject('node_modules', '@types')],
  };
  const config = {
    extends: inProject('tsconfig.json'),
    compilerOptions: options,
    include: [],
    files: [inProject('src', 'http', 'openapi.ts'), inProject('src', 'http', 'studio', 'openapi.ts')],
  };
  writeFileSync(contract, JSON.stringify(config));
}
