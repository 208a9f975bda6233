import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../../scripts/start/project';
import { studioDocument } from '../../../src/http/openapi/studio';
import { tradeDocument } from '../../../src/http/openapi/trade';

type JsonObject = Record<string, any>;

const REDOCLY = join(projectRoot, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js');

interface Problem {
  ruleId: string;
  message: string;
  location: { pointer: string }[];
}

/** Every problem that Redocly's linter has with a document by redocly.yaml, warnings included. */
function problemsOf(document: unknown): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'trade-print-lint-'));
  try {
    const file = join(folder, 'openapi.json');
    writeFileSync(file, JSON.stringify(document));
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [REDOCLY, 'lint', '--config', join(projectRoot, 'redocly.yaml'), '--format', 'json', '--max-problems', '1000', file],
      // Disables the update check and telemetry.
      { encoding: 'utf8', env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
    );
    if (!stdout.startsWith('{')) throw new Error(`the linter said no JSON: ${stdout.slice(0, 500)}${stderr.slice(0, 2000)}`);
    const { problems } = JSON.parse(stdout) as { problems: Problem[] };
    return problems.map(({ ruleId, message, location }) => `${ruleId} at ${location[0]?.pointer}: ${message}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Constructs that common code generators refuse or misread, and that no rule in redocly.yaml can name (ruling 74). */
function findUnsupported(document: JsonObject): string[] {
  const faults: string[] = [];
  walk(document, '', (at, part) => {
    const { type, anyOf, properties, additionalProperties, format, maximum } = part;
    const types = [type].flat();
    if (type === 'null' && !/\/anyOf\/\d+$/.test(at)) faults.push(`${at}: null is the only type`);
    if (types.filter((one) => one !== 'null').length > 1) faults.push(`${at}: several types`);
    if (Array.isArray(anyOf) && !isNullableReference(anyOf)) faults.push(`${at}: more than one type or null`);
    if (type === 'object' && properties !== undefined && additionalProperties === undefined) faults.push(`${at}: no later fields`);
    if (types.includes('integer') && format !== 'int64' && !(maximum < 2 ** 31)) faults.push(`${at}: no room for 64 bits`);
    if (/\/headers\/[^/]+\/schema$/.test(at) && part.enum !== undefined) faults.push(`${at}: an enum in a header`);
  });
  return [...faults, ...findClashes(document)];
}

const isNullableReference = (alternatives: JsonObject[]): boolean =>
  alternatives.length === 2 && alternatives.some(({ $ref }) => $ref !== undefined) && alternatives.some(({ type }) => type === 'null');

/** Suffixes with which generators name the parts of an operation. */
const SUFFIXES = ['Request', 'Req', 'Body', 'JSONBody', 'Params', 'Response', 'Res'];

/** Names that differ only in case or punctuation, because some language writes them alike. */
function findClashes({ paths, components }: JsonObject): string[] {
  const operations = Object.values(paths as JsonObject).flatMap((methods) => Object.values(methods as JsonObject)) as JsonObject[];
  const ids = operations.map(({ operationId }) => operationId as string);
  const types = [...Object.keys(components.schemas as JsonObject), ...ids.flatMap((id) => SUFFIXES.map((suffix) => id + suffix))];
  return [ids, types].flatMap((names) => {
    const plain = names.map((name) => name.replaceAll(/[^a-z\d]/gi, '').toLowerCase());
    return names.filter((_name, index) => plain.indexOf(plain[index] ?? '') !== index).map((name) => `${name}: a name like another`);
  });
}

/** Visits every object of a document except for examples. */
function walk(part: unknown, at: string, visit: (at: string, part: JsonObject) => void): void {
  if (typeof part !== 'object' || part === null) return;
  if (!Array.isArray(part) && !at.endsWith('/properties')) visit(at, part);
  for (const [key, inside] of Object.entries(part)) if (!['example', 'examples', 'enum'].includes(key)) walk(inside, `${at}/${key}`, visit);
}

it.each([
  ['trade', tradeDocument],
  ['studio', studioDocument],
])('every common generator supports the served document of the %s API', (_api, createDocument) => {
  expect(problemsOf(createDocument())).toEqual([]);
  expect(findUnsupported(createDocument())).toEqual([]);
});

/** The trade document with a fault. */
function documentWith(plant: (schemas: JsonObject, document: JsonObject) => void): JsonObject {
  const document = structuredClone(tradeDocument()) as JsonObject;
  plant(document.components.schemas as JsonObject, document);
  return document;
}

it('the linter finds planted problems', () => {
  const problems = problemsOf(
    documentWith(({ Order: { properties: order } }, document) => {
      delete document.paths['/quotes'].post.operationId;
      document.webhooks = { later: { post: document.paths['/quotes'].post } };
      document.paths['/uploads'].post.responses[201].links.quoteIt.requestBody = { quoteId: 'quo_1' };
      document.components.headers.RequestId = { content: { 'text/plain': { schema: { type: 'string' } } } };
      order.isTest.const = true;
      order.remakes.oneOf = [{ required: ['status'] }, { required: ['shipments'] }];
      order.metadata.propertyNames = { pattern: '^[a-z]+$' };
      order.orderNumber.format = 'uri';
      order.createdAt.pattern = 'Z$';
      order.status.pattern = String.raw`^[^\u0000]*$`;
    }),
  ).join('\n');
  for (const found of [
    'operation-operationId at #/',
    'generators-webhooks at #/webhooks',
    'generators-link-body at #/',
    'generators-header-content at #/components/headers/RequestId',
    'generators-keywords at #/components/schemas/Order/properties/isTest/const',
    'generators-keywords at #/components/schemas/Order/properties/remakes/oneOf',
    'generators-keywords at #/components/schemas/Order/properties/metadata/propertyNames',
    'generators-formats at #/components/schemas/Order/properties/orderNumber/format',
    'generators-pattern-with-format at #/components/schemas/Order/properties/createdAt',
    'generators-pattern-dialect at #/components/schemas/Order/properties/status/pattern',
  ])
    expect(problems).toContain(found);
});

it.each<[string, (schemas: JsonObject, document: JsonObject) => void]>([
  ['/error: null is the only type', ({ OrderEnvelope }) => (OrderEnvelope.properties.error.type = 'null')],
  ['/status: several types', ({ Order }) => (Order.properties.status.type = ['string', 'integer'])],
  ['/status: more than one type or null', ({ Order }) => (Order.properties.status.anyOf = [{ enum: ['received'] }, { type: 'string' }])],
  ['/Order: no later fields', ({ Order }) => delete Order.additionalProperties],
  ['/totalCents: no room for 64 bits', ({ Order }) => delete Order.properties.totalCents.format],
  ['getorder: a name like another', (_schemas, { paths }) => (paths['/quotes'].post.operationId = 'getorder')],
  ['createQuoteRequest: a name like another', (schemas) => (schemas.CreateQuote_Request = schemas.Line)],
  [
    '/schema: an enum in a header',
    (_schemas, { paths }) => (paths['/orders'].post.responses[201].headers['Idempotent-Replayed'].schema.enum = ['true']),
  ],
])('finds the planted %s', (fault, plant) => {
  expect(findUnsupported(documentWith(plant)).join('\n')).toContain(fault);
});
