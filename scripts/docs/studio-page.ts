import { studioDocument } from '../../src/http/openapi/studio';
import { inlineCode, toSentence, renderTable } from './markdown';

interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  format?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
}

interface Operation {
  tags: [string];
  summary: string;
  description: string;
  parameters: { name?: string; in?: string; description?: string; schema?: Schema }[];
  requestBody?: { required: boolean; content: { 'application/json': { schema: Schema } } };
  responses: Record<string, { content?: Record<string, { examples?: Record<string, { summary: string }> }> }>;
  'x-needs': string;
}

interface Endpoint extends Operation {
  /** Method and path, such as `GET /orders/{id}`. */
  title: string;
  codes: string[];
}

const DOCUMENT = studioDocument() as {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/** docs/studio-endpoints.md. */
export function renderStudioPage(): string {
  const endpoints = Object.entries(DOCUMENT.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      ...operation,
      title: `${method.toUpperCase()} ${path}`,
      codes: codesOf(operation),
    })),
  );
  const rules = deriveRefusalRules(endpoints);
  const tags = [...new Set(endpoints.map(({ tags: [tag] }) => tag))];
  const sections = tags.map((tag) => {
    const description = DOCUMENT.tags.find(({ name }) => name === tag)?.description;
    const endpointSections = endpoints.filter(({ tags: [own] }) => own === tag).map((endpoint) => renderSection(endpoint, rules));
    return [`## ${tag}`, ...(description === undefined ? [] : [description]), ...endpointSections].join('\n\n');
  });
  return `# Studio endpoints

\`npm run docs\` writes this page from the OpenAPI document of the studio API. The studio listener serves that document at \`/openapi.json\`, and with answers and examples at \`/docs\`.
[The studio API](studio-api.md) explains roles, signing in, documents, money and attention.

## Overview

${renderTable(['endpoint', 'role', 'success', 'does'], endpoints.map(overviewRow))}

${sections.join('\n\n')}

## Refusals

${rules.map(({ subject, codes }) => `- ${subject} can refuse with ${codes.map(inlineCode).join(', ')}.`).join('\n')}

The section of an endpoint names its other codes.

${renderTable(['code', 'status', 'when'], refusalRows())}
`;
}

const overviewRow = (endpoint: Endpoint): string[] => [
  `[${inlineCode(endpoint.title)}](#${endpoint.title
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replaceAll(' ', '-')})`,
  roleOf(endpoint),
  successOf(endpoint),
  endpoint.summary,
];

const roleOf = (operation: Operation): string => /role `(\w+)`/.exec(operation['x-needs'])?.[1] ?? 'none';

const successOf = ({ responses }: Operation): string =>
  Object.keys(responses)
    .filter((status) => Number(status) < 400)
    .toSorted((one, other) => Number(other) - Number(one))
    .join(', ');

function renderSection(endpoint: Endpoint, rules: readonly RefusalRule[]): string {
  const { title, summary, description, parameters, requestBody, codes } = endpoint;
  const parameterRows = parameters.flatMap(({ name, in: place, schema, description: about = '' }) =>
    name === undefined || schema === undefined ? [] : [[inlineCode(name), place ?? '', describeType(schema), about]],
  );
  const sharedCodes = rules.filter(({ appliesTo: covers }) => covers(endpoint)).flatMap((rule) => rule.codes);
  const ownCodes = codes.filter((one) => !sharedCodes.includes(one));
  return [
    `### ${title}`,
    `${toSentence(summary)} ${description}`,
    ...(parameterRows.length === 0 ? [] : [renderTable(['parameter', 'in', 'type', 'meaning'], parameterRows)]),
    ...(requestBody === undefined ? [] : [renderBody(requestBody.content['application/json'].schema)]),
    ...(ownCodes.length === 0 ? [] : [`Refusals: ${ownCodes.map(inlineCode).join(', ')}.`]),
  ].join('\n\n');
}

function renderBody(schema: Schema): string {
  const { anyOf, ...one } = resolveSchema(schema);
  if (anyOf === undefined) return renderTable(['body field', 'type', 'required', 'meaning'], fieldRows(one));
  const alternatives = anyOf.map(
    (alternative) =>
      `- ${Object.keys(resolveSchema(alternative).properties ?? {})
        .map(inlineCode)
        .join(', ')}`,
  );
  return `The body has one of these sets of fields:\n\n${[...new Set(alternatives)].join('\n')}`;
}

/** `lines[].quantity` is a field of each element of `lines`. */
function fieldRows(schema: Schema, prefix = ''): string[][] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([name, fieldSchema]) => {
    const field = resolveSchema(fieldSchema);
    const nested = field.items === undefined ? field : resolveSchema(field.items);
    const path = `${prefix}${name}`;
    return [
      [inlineCode(path), describeType(fieldSchema), required.includes(name) ? 'yes' : 'no', field.description ?? ''],
      ...fieldRows(nested, `${path}${field.items === undefined ? '' : '[]'}.`),
    ];
  });
}

/** Merges a schema with the component that it references. */
function resolveSchema({ $ref, ...own }: Schema): Schema {
  const component = DOCUMENT.components.schemas[$ref?.replace('#/components/schemas/', '') ?? ''];
  return { ...component, ...own };
}

function describeType(unresolved: Schema): string {
  const { type = 'any', anyOf, items, ...schema } = resolveSchema(unresolved);
  if (anyOf !== undefined) return [...new Set(anyOf.map(describeType))].join(' or ');
  if (schema.enum !== undefined) return schema.enum.map((value) => inlineCode(String(value))).join(', ');
  if (items !== undefined) return `list of ${describeType(items)}${schema.maxItems === undefined ? '' : `, at most ${schema.maxItems}`}`;
  const { minimum, maximum, maxLength, format } = schema;
  const [main, ...orNull] = [type].flat();
  const bounds =
    maximum === undefined ? (maxLength === undefined ? '' : `, at most ${maxLength} characters`) : `, ${minimum} to ${maximum}`;
  return `${[format ?? main, ...orNull].join(' or ')}${bounds}`;
}

/** Codes that all endpoints of a group share. */
interface RefusalRule {
  subject: string;
  appliesTo: (endpoint: Endpoint) => boolean;
  codes: string[];
}

const REFUSAL_SCOPES: readonly Omit<RefusalRule, 'codes'>[] = [
  { subject: 'Every endpoint', appliesTo: () => true },
  { subject: 'Every endpoint that needs a role', appliesTo: (endpoint) => roleOf(endpoint) !== 'none' },
  { subject: 'Every endpoint but GET', appliesTo: ({ title }) => !title.startsWith('GET ') },
  { subject: 'Every endpoint with an id or name in its path', appliesTo: ({ title }) => title.includes('{') },
];

function deriveRefusalRules(endpoints: readonly Endpoint[]): RefusalRule[] {
  const rules: RefusalRule[] = [];
  for (const scope of REFUSAL_SCOPES) {
    const listedCodes = rules.flatMap(({ codes }) => codes);
    const [first, ...rest] = endpoints.filter(scope.appliesTo);
    const shared = first?.codes.filter((one) => rest.every(({ codes }) => codes.includes(one))) ?? [];
    rules.push({ ...scope, codes: shared.filter((one) => !listedCodes.includes(one)) });
  }
  return rules;
}

/** Every code with its status and reason, by status. */
function refusalRows(): string[][] {
  const rowByCode = new Map<string, string[]>();
  for (const operation of Object.values(DOCUMENT.paths).flatMap((operations) => Object.values(operations)))
    for (const [status, one, when] of refusalsOf(operation)) rowByCode.set(one, [inlineCode(one), status, when]);
  return [...rowByCode.values()].toSorted(
    (one, other) => Number(one[1]) - Number(other[1]) || ((one[0] ?? '') < (other[0] ?? '') ? -1 : 1),
  );
}

const codesOf = (operation: Operation): string[] => refusalsOf(operation).map(([, one]) => one);

function refusalsOf({ responses }: Operation): [status: string, code: string, when: string][] {
  return Object.entries(responses).flatMap(([status, { content = {} }]) =>
    Number(status) < 400
      ? []
      : Object.entries(content['application/json']?.examples ?? {}).map(([one, { summary }]): [string, string, string] => [
          status,
          one,
          summary,
        ]),
  );
}
