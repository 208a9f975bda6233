'use strict';

// Lets a plain `node` of a test run our TypeScript as jest does: node --require <this file> <script>.ts

const { readFileSync } = require('node:fs');
const { transformSync } = require('@swc/core');
const { transform } = require('../../../jest.config.cjs');

const [, options] = transform['^.+\\.ts$'];

require.extensions['.ts'] = (module, filename) => {
  const { code } = transformSync(readFileSync(filename, 'utf8'), { ...options, filename, swcrc: false });
  module._compile(code, filename);
};
