'use strict';

// Lets plain Node run TypeScript: node --require <this file> <script>.ts
// It stores compiled files below node_modules, named by their content, because tests start some hundred processes.
// `npm ci` empties it.

const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { version } = require('@swc/core/package.json');

const CACHE = join(__dirname, '..', '..', '..', 'node_modules', '.cache', 'register-swc');
const OPTIONS = {
  jsc: { target: 'es2022', parser: { syntax: 'typescript' }, keepClassNames: true },
  module: { type: 'commonjs' },
  sourceMaps: 'inline',
  swcrc: false,
};

function compiled(filename) {
  const source = readFileSync(filename, 'utf8');
  const key = createHash('sha256')
    .update(JSON.stringify([version, OPTIONS, filename, source]))
    .digest('hex');
  return cached(key) ?? cache(key, require('@swc/core').transformSync(source, { ...OPTIONS, filename }).code);
}

function cached(key) {
  try {
    return readFileSync(join(CACHE, key), 'utf8');
  } catch {
    return null;
  }
}

/** Renaming publishes a complete file to other processes. If writing fails, the file is compiled again next time. */
function cache(key, code) {
  const partial = join(CACHE, `${key}.${process.pid}`);
  try {
    mkdirSync(CACHE, { recursive: true });
    writeFileSync(partial, code);
    renameSync(partial, join(CACHE, key));
  } catch {
    return code;
  }
  return code;
}

require.extensions['.ts'] = (module, filename) => {
  module._compile(compiled(filename), filename);
};
