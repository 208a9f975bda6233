// src/generated/ of this package and of the console: the types of the trade and the studio API, from the OpenAPI documents that the
// service's sources make. The set-up runs it before it builds the packages. Type errors in the sources do not stop it.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTypes, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import ts from 'typescript';

const project = fileURLToPath(new URL('../../../', import.meta.url));
const requireSource = createRequire(join(project, 'package.json'));
requireSource('./test/support/runner/register-swc.cjs');

await write('packages/client/src/generated/trade.ts', requireSource('./src/http/openapi/trade.ts').exactTradeDocument());
await write('packages/console/src/generated/studio.ts', requireSource('./src/http/openapi/studio.ts').exactStudioDocument());

/** `'a' | 'b' | (string & {})` instead of `'a' | 'b' | string`, which is `string`: editors would not offer the known values. */
function openEnum(type) {
  if (!ts.isUnionTypeNode(type) || !type.types.some(isEnum)) return undefined;
  return ts.factory.createUnionTypeNode(type.types.map((part) => (part.kind === ts.SyntaxKind.StringKeyword ? anyOtherString() : part)));
}

function isEnum(type) {
  if (ts.isParenthesizedTypeNode(type)) return isEnum(type.type);
  if (ts.isUnionTypeNode(type)) return type.types.every(isEnum);
  return ts.isIdentifier(type); // openapi-typescript writes a text as an identifier with quotes
}

function anyOtherString() {
  const { factory } = ts;
  const string = factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword);
  return factory.createParenthesizedType(factory.createIntersectionTypeNode([string, factory.createTypeLiteralNode([])]));
}

/** `{ … }` instead of `{ … } | unknown`, which takes anything: an `anyOf` that only says which fields are required has no type. */
function withoutUnknown(type) {
  if (!ts.isUnionTypeNode(type)) return undefined;
  const known = type.types.filter(({ kind }) => kind !== ts.SyntaxKind.UnknownKeyword);
  return known.length === 0 || known.length === type.types.length ? undefined : ts.factory.createUnionTypeNode(known);
}

function postTransform(type) {
  return openEnum(type) ?? withoutUnknown(type);
}

/** A file that stays the same is not written, so that nothing is built again. */
async function write(path, document) {
  const file = join(project, path);
  const types = COMMENT_HEADER + astToString(await openapiTypes(JSON.parse(JSON.stringify(document)), { postTransform }));
  if (existsSync(file) && readFileSync(file, 'utf8') === types) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, types);
}
