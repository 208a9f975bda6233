// dist/: the package as it is published, once as ECMAScript modules and once as CommonJS, each with its types.

import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(dirname(fileURLToPath(import.meta.url)));
// The project's compiler, not the one that openapi-typescript needs.
const compiler = createRequire(join(here, '..', '..', 'package.json')).resolve('typescript/package.json');
const tsc = join(dirname(compiler), 'bin', 'tsc');

const dist = join(here, 'dist');
const partial = join(dist, '.partial');

function compile(format, ...options) {
  const outDir = join(partial, format);
  const { status } = spawnSync(process.execPath, [tsc, '-p', here, '--outDir', outDir, ...options], { stdio: 'inherit' });
  if (status === 0) return;
  // A mistake in the sources leaves the last build whole.
  rmSync(partial, { recursive: true, force: true });
  process.exit(1);
}

rmSync(partial, { recursive: true, force: true });
compile('esm');
compile('cjs', '--module', 'commonjs');
// The package as a whole is of modules; this folder is not.
writeFileSync(join(partial, 'cjs', 'package.json'), '{ "type": "commonjs" }\n');
for (const format of ['esm', 'cjs']) {
  rmSync(join(dist, format), { recursive: true, force: true });
  renameSync(join(partial, format), join(dist, format));
}
rmSync(partial, { recursive: true });
