'use strict';

// Lets a plain `node` of a test run our TypeScript as jest does: node --require <this file> <script>.ts
// What was made of a file is kept below node_modules by what it was made of, as jest does: tests start some hundred processes.

const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { transform } = require('../../../jest.config.cjs');
const { version } = require('@swc/core/package.json');

const [, options] = transform['^.+\\.ts$'];
const KEPT = join(__dirname, '..', '..', '..', 'node_modules', '.cache', 'register-swc');

function compiled(filename) {
  const source = readFileSync(filename, 'utf8');
  const key = createHash('sha256')
    .update(JSON.stringify([version, options, filename, source]))
    .digest('hex');
  return kept(key) ?? keep(key, require('@swc/core').transformSync(source, { ...options, filename, swcrc: false }).code);
}

function kept(key) {
  try {
    return readFileSync(join(KEPT, key), 'utf8');
  } catch {
    return null;
  }
}

/** Whole or not at all, as others read it meanwhile; where it cannot be kept, it is made again. */
function keep(key, code) {
  const own = join(KEPT, `${key}.${process.pid}`);
  try {
    mkdirSync(KEPT, { recursive: true });
    writeFileSync(own, code);
    renameSync(own, join(KEPT, key));
  } catch {
    return code;
  }
  return code;
}

require.extensions['.ts'] = (module, filename) => {
  module._compile(compiled(filename), filename);
};
