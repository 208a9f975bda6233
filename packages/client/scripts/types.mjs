// src/generated/ of this package and of the console: the types of the trade and the studio API, from the OpenAPI documents that the
// service's sources make. The set-up runs it before it builds the packages. Type errors in the sources do not stop it.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTypes, { astToString, COMMENT_HEADER } from 'openapi-typescript';

const project = fileURLToPath(new URL('../../../', import.meta.url));
const requireSource = createRequire(join(project, 'package.json'));
requireSource('./test/support/runner/register-swc.cjs');

await write('packages/client/src/generated/trade.ts', requireSource('./src/http/openapi/trade.ts').tradeDocument());
await write('packages/console/src/generated/studio.ts', requireSource('./src/http/openapi/studio.ts').studioDocument());

/** A file that stays the same is not written, so that nothing is built again. */
async function write(path, document) {
  const file = join(project, path);
  const types = COMMENT_HEADER + astToString(await openapiTypes(JSON.parse(JSON.stringify(document))));
  if (existsSync(file) && readFileSync(file, 'utf8') === types) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, types);
}
