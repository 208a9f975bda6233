import { studioDocument } from '../../src/http/openapi/studio';
import { tradeDocument } from '../../src/http/openapi/trade';
import { inlineCode, toSentence, renderTable } from './markdown';

interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
}

interface Parameter {
  name?: string;
  in?: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
}

interface Body {
  description?: string;
  content: Record<string, { schema: Schema; examples?: Record<string, { summary: string }> }>;
}

interface Operation {
  tags: [string];
  summary: string;
  description: string;
  parameters: Parameter[];
  requestBody?: Body;
  responses: Record<string, Partial<Body>>;
  'x-needs': string;
  'x-requests-per-minute': number;
}

interface Endpoint extends Operation {
  /** Method and path, such as `GET /orders/{id}`. */
  title: string;
  codes: string[];
}

interface ApiDocument {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, { post: Required<Pick<Operation, 'summary' | 'description' | 'parameters' | 'requestBody'>> }>;
  components: { schemas: Record<string, Schema> };
}

/** Renders docs/trade-endpoints.md. */
export const renderTradePage = (): string =>
  renderEndpointsPage(tradeDocument() as unknown as ApiDocument, {
    title: 'Trade endpoints',
    needs: 'scope',
    intro:
      '`npm run docs` writes this page from the OpenAPI document of the trade API, which the service serves at `/openapi.json`.\n' +
      '[The specification](specification.md) has the rules: states, idempotency, artwork, events and limits.',
  });

/** Renders docs/studio-endpoints.md. */
export const renderStudioPage = (): string =>
  renderEndpointsPage(studioDocument() as unknown as ApiDocument, {
    title: 'Studio endpoints',
    needs: 'role',
    intro:
      '`npm run docs` writes this page from the OpenAPI document of the studio API, which the studio listener serves at `/openapi.json`.\n' +
      '[The studio API](studio-api.md) explains roles, signing in, documents, money and attention.',
  });

interface Texts {
  title: string;
  intro: string;
  /** The heading of the column with the required scope or role. */
  needs: string;
}

function renderEndpointsPage(api: ApiDocument, { title, intro, needs }: Texts): string {
  const endpoints = Object.entries(api.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      ...operation,
      title: `${method.toUpperCase()} ${path}`,
      codes: refusalsOf(operation).map(([, one]) => one),
    })),
  );
  const rules = deriveRefusalRules(endpoints);
  const tags = [...new Set(endpoints.map(({ tags: [tag] }) => tag))];
  const sections = tags.map((tag) => {
    const description = api.tags.find(({ name }) => name === tag)?.description;
    const endpointSections = endpoints.filter(({ tags: [own] }) => own === tag).map((endpoint) => renderSection(endpoint, rules, api));
    return [`## ${tag}`, ...(description === undefined ? [] : [description]), ...endpointSections].join('\n\n');
  });
  return `# ${title}

${intro}
A type such as "\`a\`, \`b\` or string" means that values may be added.

## Overview

${renderTable(['endpoint', needs, 'per minute', 'success', 'does'], endpoints.map(overviewRow))}

${sections.join('\n\n')}

${renderWebhooks(api)}## Objects

${renderObjects(api).join('\n\n')}

## Refusals

${rules.map(({ subject, codes }) => `- ${subject} can refuse with ${codes.map(inlineCode).join(', ')}.`).join('\n')}

The section of an endpoint names its other codes.

${renderTable(['code', 'status', 'when'], refusalRows(endpoints))}

### Details

These codes have \`error.details\`:

${renderTable(['code', 'field', 'type', 'meaning'], detailRows(api, endpoints))}
`;
}

const overviewRow = (endpoint: Endpoint): string[] => [
  linkTo(inlineCode(endpoint.title), endpoint.title),
  needOf(endpoint),
  String(endpoint['x-requests-per-minute']),
  successesOf(endpoint).join(', '),
  endpoint.summary,
];

const linkTo = (text: string, heading: string): string =>
  `[${text}](#${heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replaceAll(' ', '-')})`;

/** The required role or scope. */
const needOf = (operation: Operation): string => /(?:role|scope) `([\w:]+)`/.exec(operation['x-needs'])?.[1] ?? 'none';

const successesOf = ({ responses }: Operation): string[] =>
  Object.keys(responses)
    .filter((status) => Number(status) < 300)
    .toSorted((one, other) => Number(other) - Number(one));

function renderSection(endpoint: Endpoint, rules: readonly RefusalRule[], api: ApiDocument): string {
  const { title, summary, description, parameters, requestBody, codes } = endpoint;
  const sharedCodes = rules.filter(({ appliesTo }) => appliesTo(endpoint)).flatMap((rule) => rule.codes);
  const ownCodes = codes.filter((one) => !sharedCodes.includes(one));
  return [
    `### ${title}`,
    `${toSentence(summary)} ${description}`,
    ...renderParameters(parameters),
    ...(requestBody === undefined ? [] : [renderBody(requestBody)]),
    renderResponse(endpoint, api),
    ...(ownCodes.length === 0 ? [] : [`Refusals: ${ownCodes.map(inlineCode).join(', ')}.`]),
  ].join('\n\n');
}

function renderParameters(parameters: readonly Parameter[]): string[] {
  const rows = parameters.flatMap(({ name, in: place = '', required, schema, description = '' }) =>
    name === undefined || schema === undefined
      ? []
      : [[inlineCode(name), place, describeType(schema), required === true ? 'yes' : 'no', description]],
  );
  return rows.length === 0 ? [] : [renderTable(['parameter', 'in', 'type', 'required', 'meaning'], rows)];
}

function renderBody({ description, content }: Body): string {
  const { schema = {} } = content['application/json'] ?? {};
  const { anyOf, ...one } = schema;
  const limit = description === undefined ? [] : [description];
  if (schema.$ref !== undefined) return [...limit, `The body is ${describeType(schema)}.`].join(' ');
  if (one.properties !== undefined)
    return [...limit, renderTable(['body field', 'type', 'required', 'meaning'], fieldRows(one))].join('\n\n');
  const alternatives = (anyOf ?? []).map(
    (form) =>
      `- ${Object.keys(form.properties ?? {})
        .map(inlineCode)
        .join(', ')}`,
  );
  return [...limit, `The body has one of these sets of fields:\n\n${[...new Set(alternatives)].join('\n')}`].join('\n\n');
}

/** Describes `data` of the success response. */
function renderResponse(endpoint: Endpoint, { components }: ApiDocument): string {
  const [media, body] = Object.entries(endpoint.responses[successesOf(endpoint).at(-1) ?? '']?.content ?? {})[0] ?? [];
  if (body === undefined) return 'The response has no body.';
  if (media !== 'application/json') return `The response is ${inlineCode(media ?? '')}, outside the envelope.`;
  const { data = {} } = components.schemas[nameIn(body.schema) ?? '']?.properties ?? {};
  const fields = fieldRows(data.items ?? data);
  const about = `Response: ${describeType(data)}.`;
  return data.$ref !== undefined || fields.length === 0 ? about : `${about}\n\n${renderTable(FIELD_COLUMNS, withoutRequired(fields))}`;
}

const FIELD_COLUMNS = ['field', 'type', 'meaning'];

/** Removes the column `required` from rows of {@link fieldRows}. The type of an optional field then ends with "optional". */
const withoutRequired = (rows: string[][]): string[][] =>
  rows.map(([name = '', type = '', required, meaning = '']) => [name, required === 'no' ? `${type}, optional` : type, meaning]);

/** One row for each field, nested fields included: `lines[].quantity` is a field of each element of `lines`. */
function fieldRows(schema: Schema, prefix = ''): string[][] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([name, field]) => {
    const nested = nestedSchema(field);
    const path = `${prefix}${name}`;
    return [
      [inlineCode(path), describeType(field), required.includes(name) ? 'yes' : 'no', meaningOf(field)],
      ...fieldRows(nested.items ?? nested, `${path}${nested.items === undefined ? '' : '[]'}.`),
    ];
  });
}

const meaningOf = ({ description, anyOf = [] }: Schema): string => description ?? anyOf.find((one) => one.description)?.description ?? '';

/** The schema with the fields of an object or list, also of one that may be null. */
const nestedSchema = (field: Schema): Schema =>
  field.anyOf?.find(({ properties, items }) => properties !== undefined || items !== undefined) ?? field;

const nameIn = ({ $ref }: Schema): string | undefined => $ref?.split('/').at(-1);

function describeType(schema: Schema): string {
  const name = nameIn(schema);
  if (name !== undefined) return linkTo(name, headingOf(name));
  const { type = 'any', anyOf, items, additionalProperties } = schema;
  if (anyOf !== undefined) return nullLast([...new Set(anyOf.map(describeType))]).join(' or ');
  if (schema.enum !== undefined) return schema.enum.map((value) => inlineCode(String(value))).join(', ');
  const [main, ...orNull] = [type].flat();
  const kind =
    items !== undefined
      ? `list of ${inBrackets(describeType(items))}`
      : typeof additionalProperties === 'object'
        ? `map of ${inBrackets(describeType(additionalProperties))}`
        : (schema.format ?? main);
  return `${[kind, ...orNull].join(' or ')}${boundsOf(schema)}`;
}

const nullLast = (types: string[]): string[] => [...types.filter((one) => one !== 'null'), ...types.filter((one) => one === 'null')];

const inBrackets = (type: string): string => (type.includes(', ') ? `(${type})` : type);

/** `, 1 to 20 characters`. Empty for amounts and for unbounded values. */
function boundsOf({ minimum, maximum, minLength, maxLength, minItems, maxItems, propertyNames, maxProperties }: Schema): string {
  const isAmount = maximum === Number.MAX_SAFE_INTEGER;
  const keys = propertyNames === undefined ? '' : `, keys of ${rangeOf(propertyNames.minLength, propertyNames.maxLength)} characters`;
  const bounds = [
    isAmount ? '' : rangeOf(minimum, maximum),
    affix(rangeOf(minLength === 1 && maxLength === undefined ? undefined : minLength, maxLength), ' characters'),
    affix(rangeOf(minItems, maxItems), ' items'),
    affix(rangeOf(undefined, maxProperties), ' entries'),
  ];
  return `${bounds.map((bound) => affix(bound, '', ', ')).join('')}${keys}`;
}

const affix = (text: string, suffix: string, prefix = ''): string => (text === '' ? '' : `${prefix}${text}${suffix}`);

function rangeOf(least: number | undefined, most: number | undefined): string {
  if (most === undefined) return least === undefined ? '' : `at least ${least}`;
  return least === undefined ? `at most ${most}` : `${least} to ${most}`;
}

const headingOf = (component: string): string => `${component} object`;

/** Renders every component except envelopes and errors. */
function renderObjects({ components }: ApiDocument): string[] {
  const objects = Object.entries(components.schemas).filter(([name]) => !/Envelope\d*$|^Error[A-Z]/.test(name));
  return objects.map(([name, schema]) => {
    const fields = fieldRows(schema);
    return [
      `### ${headingOf(name)}`,
      ...(schema.description === undefined ? [] : [schema.description]),
      fields.length === 0 ? `${toSentence(describeType(schema))}` : renderTable(FIELD_COLUMNS, withoutRequired(fields)),
    ].join('\n\n');
  });
}

function renderWebhooks({ webhooks = {} }: ApiDocument): string {
  const webhookEntries = Object.entries(webhooks);
  const [[, first] = []] = webhookEntries;
  if (first === undefined) return '';
  const requestRows = webhookEntries.map(([type, { post }]) => [
    inlineCode(type),
    describeType(post.requestBody.content['application/json']?.schema ?? {}),
    post.summary,
  ]);
  return [
    '## Webhook requests',
    first.post.description,
    renderTable(['type', 'body', 'sent when'], requestRows),
    renderTable(
      ['header', 'meaning'],
      first.post.parameters.map(({ name = '', description = '' }) => [inlineCode(name), description]),
    ),
    '',
  ].join('\n\n');
}

/** Error codes that all endpoints of a kind share. */
interface RefusalRule {
  subject: string;
  appliesTo: (endpoint: Endpoint) => boolean;
  codes: string[];
}

const REFUSAL_SCOPES: readonly Omit<RefusalRule, 'codes'>[] = [
  { subject: 'Every endpoint', appliesTo: () => true },
  { subject: 'Every endpoint that needs a role', appliesTo: (endpoint) => needOf(endpoint) !== 'none' },
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
  return rules.filter(({ codes }) => codes.length > 0);
}

/** Every error code with its status and reason, sorted by status. */
function refusalRows(endpoints: readonly Endpoint[]): string[][] {
  const rows = new Map(endpoints.flatMap(refusalsOf).map(([status, one, when]) => [one, [inlineCode(one), status, when]]));
  return [...rows.values()].toSorted((one, other) => Number(one[1]) - Number(other[1]) || ((one[0] ?? '') < (other[0] ?? '') ? -1 : 1));
}

/** The fields of `error.details`, by code. */
function detailRows({ components }: ApiDocument, endpoints: readonly Endpoint[]): string[][] {
  const codes = [...new Set(endpoints.flatMap((endpoint) => endpoint.codes))].toSorted();
  return codes.flatMap((one) => {
    const error = Object.values(components.schemas).find(({ properties }) => properties?.['code']?.enum?.[0] === one);
    const details = error?.properties?.['details'];
    if (details === undefined) return [];
    if (details.$ref !== undefined) return [[inlineCode(one), '', describeType(details), '']];
    return withoutRequired(fieldRows(details)).map((row) => [inlineCode(one), ...row]);
  });
}

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
