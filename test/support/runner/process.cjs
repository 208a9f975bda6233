'use strict';

// Every process that runs test files requires this first: TypeScript, and the console's modules, which import each other like in the browser
// (`./amount.js`).

// Jest's main process may be killed.
process.on('disconnect', () => process.exit(1));

const Module = require('node:module');
require('./register-swc.cjs');

const { _resolveFilename: resolve } = Module;
Module._resolveFilename = function (request, parent, ...rest) {
  const isBrowserName = /^\.{1,2}\/.*\.js$/.test(request) && `${parent?.filename} ${request}`.includes('/packages/console/src/');
  return resolve.call(this, isBrowserName ? request.replace(/\.js$/, '.ts') : request, parent, ...rest);
};
