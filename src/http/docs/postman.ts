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
}

/** A parameter. The only `$ref` is the request id, which Postman does not need. It has no `in`, so it is left out. */
interface Parameter {
  name?: string;
  in?: string;
  required?: boolean;
  description?: string;
  example?: unknown;
}

/** The folder of endpoints without a tag. */
const OTHER_FOLDER = 'Others';

/**
 * A Postman collection (v2.1) of all operations, in folders by tag, for the API at this URL. The user sets the variable `token` once.
 */
export function postmanCollection(document: object, address: string): object {
  const { info, tags, paths } = document as Document;
  const requests = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      tag: operation.tags?.[0] ?? OTHER_FOLDER,
      item: toPostmanRequest(method, path, operation),
    })),
  );
  const folders = [...new Set(requests.map(({ tag }) => tag))].map((name) => ({
    name,
    description: tags?.find((tag) => tag.name === name)?.description ?? '',
    item: requests.filter(({ tag }) => tag === name).map((request) => request.item),
  }));
  return {
    info: {
      name: info.title,
      description: info.description,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: address },
      { key: 'token', value: '' },
    ],
    item: folders,
  };
}

function toPostmanRequest(
  method: string,
  path: string,
  { summary, description, security, parameters = [], requestBody }: Operation,
): object {
  const parametersIn = (location: string): Parameter[] => parameters.filter((parameter) => parameter.in === location);
  const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const segments = path
    .replace(/\{(\w+)\}/g, ':$1')
    .split('/')
    .slice(1);
  const query = parametersIn('query').map(toHeaderOrQueryVariable);
  const queryString = query.length === 0 ? '' : `?${query.map(({ key, value }) => `${key}=${value}`).join('&')}`;
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
        raw: `{{baseUrl}}/${segments.join('/')}${queryString}`,
        host: ['{{baseUrl}}'],
        path: segments,
        ...(query.length === 0 ? {} : { query }),
        ...(parametersIn('path').length === 0
          ? {}
          : { variable: parametersIn('path').map((parameter) => withPathSuffix(path, toVariable(parameter))) }),
      },
      ...(body === undefined ? {} : { body: toRawBody(body.example) }),
    },
  };
}

/** Postman replaces only complete segments, so the variable of `{id}.pdf` is named `id.pdf`. */
function withPathSuffix(path: string, variable: ReturnType<typeof toVariable>) {
  const suffix = path.split(`{${variable.key}}`)[1]?.split('/')[0] ?? '';
  return { ...variable, key: variable.key + suffix, value: variable.value + suffix };
}

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
