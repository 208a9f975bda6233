import { postmanCollection } from '../../../src/http/docs/postman';
import { studioDocument } from '../../../src/http/openapi/studio';
import { tradeDocument } from '../../../src/http/openapi/trade';

interface Item {
  name: string;
  request: {
    method: string;
    auth?: { type: string };
    header: { key: string; value: string; disabled?: true }[];
    url: { raw: string; path?: string[]; query?: { key: string; disabled?: true }[]; variable?: { key: string; value: string }[] };
    body?: { raw: string };
  };
}

interface Operation {
  security?: object[];
  parameters?: { name?: string; in?: string; required?: boolean }[];
  requestBody?: { content: { 'application/json': { example?: unknown } } };
}

interface Paths {
  paths: Record<string, Record<string, Operation>>;
}

describe.each([
  ['trade', tradeDocument()],
  ['studio', studioDocument()],
])('the Postman collection of the %s API', (_api, document) => {
  const operations = Object.entries((document as unknown as Paths).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const collection = postmanCollection(document, 'https://print.example/v1') as {
    auth: { type: string };
    variable: { key: string; value: string }[];
    item: { name: string; item: Item[] }[];
  };
  const items = collection.item.filter(({ name }) => name !== 'First order').flatMap((folder) => folder.item);
  const itemOf = (method: string, path: string) =>
    items.filter(({ request }) => request.method === method && request.url.path?.join('/') === path.slice(1).replace(/\{(\w+)\}/g, ':$1'));

  it('has exactly the existing operations, each once', () => {
    expect(operations.length).toBeGreaterThan(10);
    expect(operations.filter(({ method, path }) => itemOf(method, path).length !== 1)).toEqual([]);
    expect(items).toHaveLength(operations.length);
  });

  it('has the parameters, body and credential of each operation', () => {
    for (const { method, path, operation } of operations) {
      const [{ request } = items[0] as Item] = itemOf(method, path);
      const { url, header, body } = request;
      const named = (operation.parameters ?? []).filter(({ name }) => name !== undefined);
      const sent = [...header, ...(url.query ?? []), ...(url.variable ?? [])].map(({ key }) => key);
      const inSegments = (name = ''): string =>
        [...path.matchAll(/\{(\w+)\}([^/]*)/g)]
          .find(([, key]) => key === name)
          ?.slice(1)
          .join('') ?? name;
      expect(sent).toEqual(expect.arrayContaining(named.map(({ name }) => inSegments(name))));
      const variables = (url.variable ?? []).map(({ key, value }) => [`:${key}`, value !== '']);
      expect([path, variables]).toEqual([
        path,
        (url.path ?? []).filter((segment) => segment.startsWith(':')).map((segment) => [segment, true]),
      ]);
      const disabled = named.filter(({ in: place, required }) => place !== 'path' && required !== true).map(({ name }) => name);
      expect([...header, ...(url.query ?? [])].filter((one) => one.disabled).map(({ key }) => key)).toEqual(disabled);
      const inQuery = named.filter(({ in: place, required }) => place === 'query' && required === true).map(({ name }) => name);
      expect([...new URLSearchParams(url.raw.split('?')[1] ?? '').keys()]).toEqual(inQuery);
      const example = operation.requestBody?.content['application/json'].example;
      const examples = collection.variable.reduce((raw, { key, value }) => raw?.replaceAll(`{{${key}}}`, value), body?.raw);
      expect(examples === undefined ? undefined : JSON.parse(examples)).toEqual(
        operation.requestBody === undefined ? undefined : JSON.parse(JSON.stringify(example ?? {})),
      );
      expect(request.auth?.type).toBe(operation.security?.length === 0 ? 'noauth' : undefined);
    }
    expect(collection.auth.type).toBe('bearer');
    expect(collection.variable).toEqual(
      expect.arrayContaining([
        { key: 'baseUrl', value: 'https://print.example/v1' },
        { key: 'token', value: '' },
      ]),
    );
  });
});

it('the Postman collection places a new order with every request', () => {
  const { item } = postmanCollection(tradeDocument(), 'https://print.example/v1') as { item: { name: string; item: Item[] }[] };
  const order = item.flatMap((folder) => folder.item).find(({ request }) => request.url.raw === '{{baseUrl}}/orders' && request.body);
  expect(order?.request.header).toContainEqual(expect.objectContaining({ key: 'Idempotency-Key', value: '{{$guid}}' }));
});
