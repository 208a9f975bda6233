/** The parts of an OpenAPI document that a collection needs. */
interface Document {
  info: { title: string; description: string };
  tags?: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
}

interface Operation {
  operationId: string;
  tags?: string[];
  summary: string;
  description: string;
  /** Empty if the endpoint needs no credential. */
  security?: object[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { example?: unknown }> };
  responses?: Record<string, { content?: Record<string, { example?: { data?: object } }> }>;
}

/** A parameter. The only `$ref` is the request id, which Postman does not need. It has no `in`, so it is left out. */
interface Parameter {
  name?: string;
  in?: string;
  required?: boolean;
  description?: string;
  example?: unknown;
}

/** Ids and URLs of responses, by variable name. Later requests use them. */
type Variables = ReadonlyMap<string, string>;

/** The folder of endpoints without a tag. */
const OTHER_FOLDER = 'Others';

/** The operations of a first order, in this order. The picture is sent after the first. */
const FIRST_ORDER = ['createUpload', 'createQuote', 'createOrder', 'getOrder'];
/** A TIFF of one grey pixel. All its bytes are ASCII, because Postman sends a text as UTF-8. */
const PICTURE = Buffer.from(
  'SUkqAAgAAAAJAAABBAABAAAAAQAAAAEBBAABAAAAAQAAAAIBAwABAAAACAAAAAMBAwABAAAAAQAAAAYBAwABAAAAAQAAABEBBAABAAAAegAAABUBAwABAAAAAQAAABYBBAABAAAAAQAAABcBBAABAAAAAQAAAAAAAAB/',
  'base64',
).toString('latin1');
const PICTURE_UPLOAD = { filename: 'first-order.tif', contentType: 'image/tiff', sizeBytes: PICTURE.length };

/**
 * A Postman collection (v2.1) of all operations, in folders by tag, for the API at this URL. The user sets the variable `token` once. Requests
 * that create something store its ids in variables, and later requests use these.
 */
export function postmanCollection(document: object, address: string): object {
  const { info, tags, paths } = document as Document;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation, created: createdValues(path, operation) })),
  );
  const variables = new Map(operations.flatMap(({ created }) => created.map(({ variable, example }) => [variable, example] as const)));
  const requests = operations.map(({ method, path, operation, created }) => ({
    id: operation.operationId,
    tag: operation.tags?.[0] ?? OTHER_FOLDER,
    item: { ...toPostmanRequest(method, path, operation, variables), ...storeScript(created) },
  }));
  const folders = [...new Set(requests.map(({ tag }) => tag))].map((name) => ({
    name,
    description: tags?.find((tag) => tag.name === name)?.description ?? '',
    item: requests.filter(({ tag }) => tag === name).map((request) => request.item),
  }));
  const firstOrder = FIRST_ORDER.flatMap((id) => requests.filter((request) => request.id === id).map(({ item }) => item));
  return {
    info: {
      name: info.title,
      description: info.description,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    variable: [{ key: 'baseUrl', value: address }, { key: 'token', value: '' }, ...[...variables].map(([key, value]) => ({ key, value }))],
    item: [...(firstOrder.length === FIRST_ORDER.length ? [firstOrderFolder(firstOrder)] : []), ...folders],
  };
}

function firstOrderFolder([upload, ...others]: object[]): object {
  const { request } = upload as { request: object };
  return {
    name: 'First order',
    description: 'Run this folder to place an order. It sends a picture of one pixel; for your own, change the first two requests.',
    item: [{ ...upload, request: { ...request, body: toRawBody(PICTURE_UPLOAD) } }, sendPicture(), ...others],
  };
}

function sendPicture(): object {
  return {
    name: 'Send the artwork',
    request: {
      method: 'PUT',
      description:
        'Sends the bytes to the URL of the upload. The URL is signed, so no key is sent. For your own file choose the body "binary".',
      auth: { type: 'noauth' },
      header: [{ key: 'Content-Type', value: PICTURE_UPLOAD.contentType }],
      url: { raw: '{{uploadUrl}}', host: ['{{uploadUrl}}'] },
      body: { mode: 'raw', raw: PICTURE },
    },
  };
}

/** The id, and for an upload the URLs, in the response of an operation that creates something. */
function createdValues(path: string, { responses }: Operation): { key: string; variable: string; example: string }[] {
  const data: Record<string, unknown> = { ...responses?.['201']?.content?.['application/json']?.example?.data };
  const id = resourceVariable(path);
  const names: Record<string, string> = { id, [id]: id, ...(path === '/uploads' ? { url: 'imageUrl', uploadUrl: 'uploadUrl' } : {}) };
  return Object.entries(names).flatMap(([key, variable]) => {
    const example = data[key];
    return typeof example === 'string' ? [{ key, variable, example }] : [];
  });
}

/** `/webhook-endpoints` becomes `webhookEndpointId`. */
function resourceVariable(path: string): string {
  const resource =
    path
      .split('/')
      .filter((segment) => !segment.startsWith('{'))
      .at(-1) ?? '';
  return `${resource
    .replace(/ies$/, 'y')
    .replace(/s$/, '')
    .replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}Id`;
}

function storeScript(created: readonly { key: string; variable: string }[]): object {
  if (created.length === 0) return {};
  const exec = [
    'const { data: created } = pm.response.json();',
    ...created.map(({ key, variable }) => `if (created) pm.collectionVariables.set('${variable}', created.${key});`),
  ];
  return { event: [{ listen: 'test', script: { type: 'text/javascript', exec } }] };
}

function toPostmanRequest(
  method: string,
  path: string,
  { summary, description, security, parameters = [], requestBody }: Operation,
  variables: Variables,
): object {
  const parametersIn = (location: string): Parameter[] => parameters.filter((parameter) => parameter.in === location);
  const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const segments = path
    .replace(/\{(\w+)\}/g, ':$1')
    .split('/')
    .slice(1);
  const query = parametersIn('query').map(toHeaderOrQueryVariable);
  const sent = query.filter((one) => !('disabled' in one)).map(({ key, value }) => `${key}=${value}`);
  return {
    name: summary,
    request: {
      method: method.toUpperCase(),
      description,
      ...(security?.length === 0 ? { auth: { type: 'noauth' } } : {}),
      header: [
        ...parametersIn('header').map(toHeaderOrQueryVariable),
        ...(type === undefined ? [] : [{ key: 'Content-Type', value: type }]),
      ],
      url: {
        raw: `{{baseUrl}}/${segments.join('/')}${sent.length === 0 ? '' : `?${sent.join('&')}`}`,
        host: ['{{baseUrl}}'],
        path: segments,
        ...(query.length === 0 ? {} : { query }),
        ...(parametersIn('path').length === 0
          ? {}
          : { variable: parametersIn('path').map((parameter) => withPathSuffix(path, toPathVariable(path, parameter, variables))) }),
      },
      ...(body === undefined ? {} : { body: toRawBody(withVariables(body.example, variables)) }),
    },
  };
}

/** Postman replaces only complete segments, so the variable of `{id}.pdf` is named `id.pdf`. */
function withPathSuffix(path: string, variable: ReturnType<typeof toVariable>) {
  const suffix = path.split(`{${variable.key}}`)[1]?.split('/')[0] ?? '';
  return { ...variable, key: variable.key + suffix, value: variable.value + suffix };
}

/** Its value is the id of the resource that was created last, if the collection creates such resources. */
function toPathVariable(path: string, parameter: Parameter, variables: Variables) {
  const { name = '' } = parameter;
  const variable = name === 'id' ? resourceVariable(path.split('/{id}')[0] ?? '') : name;
  return { ...toVariable(parameter), ...(variables.has(variable) ? { value: `{{${variable}}}` } : {}) };
}

/** The example with variables in place of ids and URLs. */
const withVariables = (example: unknown, variables: Variables): unknown =>
  JSON.parse(JSON.stringify(example ?? {}), (key, value: unknown) => (variables.has(key) ? `{{${key}}}` : value));

/** Each request needs a new key, because a repeated key returns the first response. */
const GENERATED_VALUES: Readonly<Record<string, string>> = { 'Idempotency-Key': '{{$guid}}' };

function toVariable({ name = '', description = '', example = '' }: Parameter) {
  return { key: name, value: GENERATED_VALUES[name] ?? String(example), description };
}

/** Optional parameters are disabled until the user enables them. */
const toHeaderOrQueryVariable = (parameter: Parameter) => ({
  ...toVariable(parameter),
  ...(parameter.required === true ? {} : { disabled: true }),
});

const toRawBody = (example: unknown): object => ({
  mode: 'raw',
  raw: JSON.stringify(example ?? {}, null, 2),
  options: { raw: { language: 'json' } },
});
