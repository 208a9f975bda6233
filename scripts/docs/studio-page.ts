import { studioDocument } from '../../src/http/openapi/studio';
import { code, sentence, tableOf } from './markdown';

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
  /** As in `GET /orders/{id}`. */
  title: string;
  codes: string[];
}

const DOCUMENT = studioDocument() as {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/** docs/studio-endpoints.md. */
export function studioPage(): string {
  const endpoints = Object.entries(DOCUMENT.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      ...operation,
      title: `${method.toUpperCase()} ${path}`,
      codes: codesOf(operation),
    })),
  );
  const rules = refusalRules(endpoints);
  const tags = [...new Set(endpoints.map(({ tags: [tag] }) => tag))];
  const sections = tags.map((tag) => {
    const about = DOCUMENT.tags.find(({ name }) => name === tag)?.description;
    const some = endpoints.filter(({ tags: [own] }) => own === tag).map((endpoint) => sectionOf(endpoint, rules));
    return [`## ${tag}`, ...(about === undefined ? [] : [about]), ...some].join('\n\n');
  });
  return `# Studio endpoints

\`npm run docs\` writes this page from the OpenAPI document of the studio API. The studio listener serves that document at \`/openapi.json\`, and with answers and examples at \`/docs\`.
[The studio API](studio-api.md) explains roles, signing in, documents, money and attention.

## Overview

${tableOf(['endpoint', 'role', 'success', 'does'], endpoints.map(overviewRow))}

${sections.join('\n\n')}

## Refusals

${rules.map(({ subject, codes }) => `- ${subject} can refuse with ${codes.map(code).join(', ')}.`).join('\n')}

The section of an endpoint names its other codes.

${tableOf(['code', 'status', 'when'], refusals())}
`;
}

const overviewRow = (endpoint: Endpoint): string[] => [
  `[${code(endpoint.title)}](#${endpoint.title
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

function sectionOf(endpoint: Endpoint, rules: readonly RefusalRule[]): string {
  const { title, summary, description, parameters, requestBody, codes } = endpoint;
  const taken = parameters.flatMap(({ name, in: place, schema, description: about = '' }) =>
    name === undefined || schema === undefined ? [] : [[code(name), place ?? '', typeOf(schema), about]],
  );
  const ruled = rules.filter(({ covers }) => covers(endpoint)).flatMap((rule) => rule.codes);
  const own = codes.filter((one) => !ruled.includes(one));
  return [
    `### ${title}`,
    `${sentence(summary)} ${description}`,
    ...(taken.length === 0 ? [] : [tableOf(['parameter', 'in', 'type', 'meaning'], taken)]),
    ...(requestBody === undefined ? [] : [bodyOf(requestBody.content['application/json'].schema)]),
    ...(own.length === 0 ? [] : [`Refusals: ${own.map(code).join(', ')}.`]),
  ].join('\n\n');
}

function bodyOf(schema: Schema): string {
  const { anyOf, ...one } = resolved(schema);
  if (anyOf === undefined) return tableOf(['body field', 'type', 'required', 'meaning'], fieldsOf(one));
  const forms = anyOf.map(
    (form) =>
      `- ${Object.keys(resolved(form).properties ?? {})
        .map(code)
        .join(', ')}`,
  );
  return `The body has one of these sets of fields:\n\n${[...new Set(forms)].join('\n')}`;
}

/** `lines[].quantity` is a field of each element of `lines`. */
function fieldsOf(schema: Schema, prefix = ''): string[][] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([name, written]) => {
    const field = resolved(written);
    const inside = field.items === undefined ? field : resolved(field.items);
    const path = `${prefix}${name}`;
    return [
      [code(path), typeOf(written), required.includes(name) ? 'yes' : 'no', field.description ?? ''],
      ...fieldsOf(inside, `${path}${field.items === undefined ? '' : '[]'}.`),
    ];
  });
}

/** A schema with the component that it names. */
function resolved({ $ref, ...own }: Schema): Schema {
  const component = DOCUMENT.components.schemas[$ref?.replace('#/components/schemas/', '') ?? ''];
  return { ...component, ...own };
}

function typeOf(written: Schema): string {
  const { type = 'any', anyOf, items, ...schema } = resolved(written);
  if (anyOf !== undefined) return [...new Set(anyOf.map(typeOf))].join(' or ');
  if (schema.enum !== undefined) return schema.enum.map((value) => code(String(value))).join(', ');
  if (items !== undefined) return `list of ${typeOf(items)}${schema.maxItems === undefined ? '' : `, at most ${schema.maxItems}`}`;
  const { minimum, maximum, maxLength, format } = schema;
  const [main, ...orNull] = [type].flat();
  const bounds =
    maximum === undefined ? (maxLength === undefined ? '' : `, at most ${maxLength} characters`) : `, ${minimum} to ${maximum}`;
  return `${[format ?? main, ...orNull].join(' or ')}${bounds}`;
}

/** Codes that all endpoints of a kind share. */
interface RefusalRule {
  subject: string;
  covers: (endpoint: Endpoint) => boolean;
  codes: string[];
}

const KINDS: readonly Omit<RefusalRule, 'codes'>[] = [
  { subject: 'Every endpoint', covers: () => true },
  { subject: 'Every endpoint that needs a role', covers: (endpoint) => roleOf(endpoint) !== 'none' },
  { subject: 'Every endpoint but GET', covers: ({ title }) => !title.startsWith('GET ') },
  { subject: 'Every endpoint with an id or name in its path', covers: ({ title }) => title.includes('{') },
];

function refusalRules(endpoints: readonly Endpoint[]): RefusalRule[] {
  const rules: RefusalRule[] = [];
  for (const kind of KINDS) {
    const known = rules.flatMap(({ codes }) => codes);
    const [first, ...rest] = endpoints.filter(kind.covers);
    const shared = first?.codes.filter((one) => rest.every(({ codes }) => codes.includes(one))) ?? [];
    rules.push({ ...kind, codes: shared.filter((one) => !known.includes(one)) });
  }
  return rules;
}

/** Every code with its status and reason, by status. */
function refusals(): string[][] {
  const told = new Map<string, string[]>();
  for (const operation of Object.values(DOCUMENT.paths).flatMap((operations) => Object.values(operations)))
    for (const [status, one, when] of refusalsOf(operation)) told.set(one, [code(one), status, when]);
  return [...told.values()].toSorted((one, other) => Number(one[1]) - Number(other[1]) || ((one[0] ?? '') < (other[0] ?? '') ? -1 : 1));
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
