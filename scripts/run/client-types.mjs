// `npm run client:types`: writes the client package's types anew, from the OpenAPI document of the trade API as the code makes it. Compiles
// what makes the document and nothing else: the client and the demo may be wrong until their types are new.

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
const document = JSON.stringify(require(`${compiled}/src/http/openapi.js`).tradeDocument());
const types = execFileSync(process.execPath, [inProject('packages', 'client', 'scripts', 'types.mjs')], {
  input: document,
  maxBuffer: 64 << 20,
});
writeFileSync(inProject('packages', 'client', 'src', 'generated', 'trade.ts'), types);

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
    files: [inProject('src', 'http', 'openapi.ts')],
  };
  writeFileSync(contract, JSON.stringify(config));
}
