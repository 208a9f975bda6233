/** The parts of our OpenAPI documents that a collection is made of. */
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
  /** Empty where the endpoint takes no credential. */
  security?: object[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { example?: unknown }> };
}

/** Without a name it is a reference: the request id, which Postman has no use for. */
interface Parameter {
  name?: string;
  in?: string;
  required?: boolean;
  description?: string;
  example?: unknown;
}

/** Endpoints without a tag of their own. */
const OTHERS = 'Others';

/**
 * A Postman collection (v2.1) of every operation of a document, in folders by tag, for the API at this address. Its reader fills in the
 * variable `token` once.
 */
export function postmanCollection(document: object, address: string): object {
  const { info, tags, paths } = document as Document;
  const requests = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ tag: operation.tags?.[0] ?? OTHERS, item: item(method, path, operation) })),
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

function item(method: string, path: string, { summary, description, security, parameters = [], requestBody }: Operation): object {
  const of = (place: string): Parameter[] => parameters.filter((parameter) => parameter.in === place);
  const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const segments = path
    .replace(/\{(\w+)\}/g, ':$1')
    .split('/')
    .slice(1);
  const query = of('query').map(optional);
  const asked = query.length === 0 ? '' : `?${query.map(({ key, value }) => `${key}=${value}`).join('&')}`;
  return {
    name: summary,
    request: {
      method: method.toUpperCase(),
      description,
      ...(security?.length === 0 ? { auth: { type: 'noauth' } } : {}),
      header: [...of('header').map(optional), ...(type === undefined ? [] : [{ key: 'Content-Type', value: type }])],
      url: {
        raw: `{{baseUrl}}/${segments.join('/')}${asked}`,
        host: ['{{baseUrl}}'],
        path: segments,
        ...(query.length === 0 ? {} : { query }),
        ...(of('path').length === 0 ? {} : { variable: of('path').map((parameter) => inPath(path, told(parameter))) }),
      },
      ...(body === undefined ? {} : { body: rawBody(body.example) }),
    },
  };
}

/** Postman replaces whole segments only: the variable of `{id}.pdf` is named `id.pdf`. */
function inPath(path: string, variable: ReturnType<typeof told>) {
  const ending = path.split(`{${variable.key}}`)[1]?.split('/')[0] ?? '';
  return { ...variable, key: variable.key + ending, value: variable.value + ending };
}

/** Each request is a purchase of its own: with the example's key the second would only bring the first one's answer. */
const FRESH: Readonly<Record<string, string>> = { 'Idempotency-Key': '{{$guid}}' };

function told({ name = '', description = '', example = '' }: Parameter) {
  return { key: name, value: FRESH[name] ?? String(example), description };
}

const optional = (parameter: Parameter) => ({ ...told(parameter), ...(parameter.required === true ? {} : { disabled: true }) });

const rawBody = (example: unknown): object => ({
  mode: 'raw',
  raw: JSON.stringify(example ?? {}, null, 2),
  options: { raw: { language: 'json' } },
});
