import { ERROR_STATUS } from '../../../src/domain/errors';
import { ORDERABLE_PRODUCTS } from '../../../src/domain/products';
import { SCOPES } from '../../../src/domain/limits';
import { ENDPOINTS } from '../../../src/http/trade/endpoints';
import { STUDIO_ENDPOINTS } from '../../../src/http/studio/endpoints';
import { type Contract, contractOf } from '../../support/contract';

type Part = Record<string, any>;

const APIS = [
  ['trade', contractOf('trade'), ENDPOINTS],
  ['studio', contractOf('studio'), STUDIO_ENDPOINTS],
] as const;

interface Told {
  method: string;
  path: string;
  operation: Part;
}

const operationsOf = ({ document }: Contract): Told[] =>
  Object.entries(document.paths as Part).flatMap(([path, methods]) =>
    Object.entries(methods as Part).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation: operation as Part })),
  );

describe.each(APIS)('the document of the %s API', (_api, contract, endpoints) => {
  const operations = operationsOf(contract);

  it('tells of every endpoint once, and of nothing else', () => {
    const told = operations.map(({ method, path }) => `${method} ${path}`);
    expect(told.toSorted()).toEqual(endpoints.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`).toSorted());
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
  });

  it('has examples that are what its schemas say', () => {
    const faults = operations.flatMap(({ method, path, operation }) =>
      examplesOf(operation).flatMap(({ at, schema, value }) => {
        const fault = contract.faultOfValue(`${method} ${path} ${at}`, schema, value);
        return fault === null ? [] : [`${method} ${path} ${at}: ${fault}`];
      }),
    );
    expect(faults).toEqual([]);
    expect(operations.filter(({ operation }) => operation.requestBody !== undefined && examplesOf(operation)[0]?.at !== 'request')).toEqual(
      [],
    );
  });

  it('gives every code its status, and each status of a refusal its codes', () => {
    for (const { operation } of operations) {
      const codes = Object.entries(operation.responses as Part).flatMap(([status, { content }]) =>
        Object.keys((content?.['application/json']?.examples ?? {}) as Part).map((code) => [code, Number(status)]),
      );
      for (const [code, status] of codes) expect([code, ERROR_STATUS[code as keyof typeof ERROR_STATUS]]).toEqual([code, status]);
      // An operation says so itself where it takes no credential.
      const admission = operation.security === undefined ? ['UNAUTHORIZED', 'FORBIDDEN'] : [];
      expect(codes.map(([code]) => code)).toEqual(expect.arrayContaining([...admission, 'RATE_LIMITED', 'INTERNAL_ERROR']));
    }
  });

  it('describes every property of a request and refers only to what it tells of', () => {
    const empty = operations.flatMap(({ method, path, operation }) =>
      propertiesOf(operation.requestBody?.content['application/json'].schema ?? {}, contract.document).flatMap(([name, property]) =>
        ['type', '$ref', 'anyOf', 'description', 'properties'].some((key) => property[key] !== undefined)
          ? []
          : [`${method} ${path} ${name}`],
      ),
    );
    expect(empty).toEqual([]);
  });
});

describe('the document of the trade API', () => {
  it('says of each operation which scope it needs and how often it may be called', () => {
    for (const { method, path, scope, perMinute } of ENDPOINTS) {
      const { operation } = operationsOf(contractOf('trade')).find(
        (told) => told.method === method && told.path === path.replace(/:(\w+)/g, '{$1}'),
      ) as Told;
      expect(operation.description).toContain(`\`${scope}\``);
      expect(operation.description).toContain(`${perMinute} requests a minute`);
    }
    expect(SCOPES.length).toBeGreaterThan(0);
  });

  it('tells of a quote request what its schema takes: bounds, null, formats', () => {
    const { LineItem, ShippingAddress } = contractOf('trade').document.components.schemas as Part;
    expect(LineItem.properties.quantity).toEqual(expect.objectContaining({ type: 'integer', minimum: 1, maximum: 990 }));
    expect(LineItem.properties.imageUrl).toEqual(expect.objectContaining({ type: ['string', 'null'], format: 'uri', maxLength: 2000 }));
    expect(LineItem.required.toSorted()).toEqual(['productSlug', 'quantity', 'variantSelections']);
    expect(ShippingAddress.properties.email).toEqual(expect.objectContaining({ type: 'string', format: 'email', maxLength: 320 }));
    expect(LineItem.additionalProperties).toBeUndefined(); // fields that are not known are ignored
  });

  it('tells of the variant keys of every product, and of no other', () => {
    const { LineItem } = contractOf('trade').document.components.schemas as Part;
    const known = [...ORDERABLE_PRODUCTS.values()].flatMap(({ keys }) => [...keys]);
    expect(Object.keys(LineItem.properties.variantSelections.properties as Part).toSorted()).toEqual([...new Set(known)].toSorted());
  });

  it('tells of every webhook with its headers and body', () => {
    const { webhooks } = contractOf('trade').document as Part;
    for (const [type, { post }] of Object.entries(webhooks as Part)) {
      const { schema, example } = post.requestBody.content['application/json'];
      expect(contractOf('trade').faultOfValue(`webhook ${type}`, schema as Part, example)).toBeNull();
      expect(example.type).toBe(type);
      expect(post.parameters.map(({ name }: Part) => name)).toEqual(expect.arrayContaining(['Service-Signature', 'Service-Event-Id']));
    }
  });
});

function examplesOf({ requestBody, responses }: Part): { at: string; schema: Part; value: unknown }[] {
  const request = requestBody?.content['application/json'] as Part | undefined;
  const answers = Object.entries(responses as Part).flatMap(([status, { content }]) => {
    const { schema, example, examples = {} } = (content?.['application/json'] ?? {}) as Part;
    const values = example === undefined ? Object.values(examples as Part).map(({ value }) => value as unknown) : [example];
    return values.map((value) => ({ at: status, schema: schema as Part, value }));
  });
  return [
    ...(request?.example === undefined ? [] : [{ at: 'request', schema: request.schema as Part, value: request.example as unknown }]),
    ...answers,
  ];
}

function propertiesOf(schema: Part, document: Part): [string, Part][] {
  if (typeof schema.$ref === 'string')
    return propertiesOf(document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] as Part, document);
  const own = Object.entries((schema.properties ?? {}) as Record<string, Part>);
  return own.flatMap(([name, property]) => [
    [name, property] as [string, Part],
    ...propertiesOf((property.items as Part) ?? property, document),
  ]);
}
