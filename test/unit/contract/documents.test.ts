import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import { ERROR_STATUS } from '../../../src/domain/errors';
import { EVENT_TYPES } from '../../../src/domain/events';
import { ORDERABLE_PRODUCTS } from '../../../src/domain/products';
import { SCOPES } from '../../../src/domain/limits';
import { studioDocument } from '../../../src/http/openapi/studio';
import { tradeDocument } from '../../../src/http/openapi/trade';
import { ENDPOINTS } from '../../../src/http/trade/endpoints';
import { STUDIO_ENDPOINTS } from '../../../src/http/studio/endpoints';
import { type Contract, contractOf } from '../../support/contract';

type JsonObject = Record<string, any>;

const APIS = [
  ['trade', contractOf('trade'), ENDPOINTS, tradeDocument() as JsonObject],
  ['studio', contractOf('studio'), STUDIO_ENDPOINTS, studioDocument() as JsonObject],
] as const;

interface DocumentedOperation {
  method: string;
  path: string;
  operation: JsonObject;
}

const operationsOf = ({ document }: Contract): DocumentedOperation[] =>
  Object.entries(document.paths as JsonObject).flatMap(([path, methods]) =>
    Object.entries(methods as JsonObject).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation: operation as JsonObject,
    })),
  );

describe.each(APIS)('the document of the %s API', (_api, contract, endpoints, served) => {
  const operations = operationsOf(contract);

  it('lists exactly the existing endpoints, each once', () => {
    const told = operations.map(({ method, path }) => `${method} ${path}`);
    expect(told.toSorted()).toEqual(endpoints.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`).toSorted());
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
  });

  it('has examples that match its schemas', () => {
    const faults = operations.flatMap(({ method, path, operation }) =>
      examplesOf(operation).flatMap(({ at, schema, value }) => {
        const fault = contract.findValueFault(`${method} ${path} ${at}`, schema, value);
        return fault === null ? [] : [`${method} ${path} ${at}: ${fault}`];
      }),
    );
    expect(faults).toEqual([]);
    expect(operations.filter(({ operation }) => operation.requestBody !== undefined && examplesOf(operation)[0]?.at !== 'request')).toEqual(
      [],
    );
  });

  it('gives every error code its status, and each error status its codes', () => {
    for (const { operation } of operations) {
      const codes = Object.entries(operation.responses as JsonObject).flatMap(([status, { content }]) =>
        Object.keys((content?.['application/json']?.examples ?? {}) as JsonObject).map((code) => [code, Number(status)]),
      );
      for (const [code, status] of codes) expect([code, ERROR_STATUS[code as keyof typeof ERROR_STATUS]]).toEqual([code, status]);
      // An operation without a credential says so itself.
      const admission = operation.security === undefined ? ['UNAUTHORIZED', 'FORBIDDEN'] : [];
      expect(codes.map(([code]) => code)).toEqual(expect.arrayContaining([...admission, 'RATE_LIMITED', 'INTERNAL_ERROR']));
    }
  });

  it('allows each example, later values, fields and error codes in the served document', () => {
    const read = createReader(served);
    const faults = operations.flatMap(({ method, path, operation }) => {
      const { responses, requestBody } = served.paths[path][method.toLowerCase()] as JsonObject;
      return examplesOf(operation).flatMap(({ at, schema, value }) => {
        const { content } = (at === 'request' ? requestBody : responses[at]) as JsonObject;
        const later =
          at === 'request'
            ? []
            : [Number(at) < 400 ? withFutureValues(schema, value, contract.document) : withFutureCode(value as JsonObject)];
        return [value, ...later].flatMap((one) =>
          read(content['application/json'].schema as JsonObject, one).map((fault) => `${path} ${at}: ${fault}`),
        );
      });
    });
    expect(faults).toEqual([]);
  });

  it('uses closed enums in responses only as discriminators, and no open enums in requests', () => {
    const closed = new Set<string>();
    const open = new Set<string>();
    walkSchemas(contract.document, contract.document.paths, (at, part, inRequest) => {
      if (at.includes('.callbacks.')) return; // the service sends these bodies
      if (isOpenEnum(part) && inRequest) open.add(at);
      if (part.enum !== undefined && !inRequest && !at.endsWith('anyOf')) closed.add(at.split('.').at(-1) ?? at);
    });
    expect([...open]).toEqual([]);
    expect([...closed].filter((name) => !['environment', 'code'].includes(name))).toEqual([]);
  });

  it('has one served error, with the codes and details of all errors', () => {
    const { ApiError, ErrorDetails, ...others } = served.components.schemas as JsonObject;
    const errors = Object.entries(contract.document.components.schemas as JsonObject).filter(([name]) => name.startsWith('Error'));
    expect(ApiError.properties.code).toEqual(
      expect.objectContaining({ type: 'string', examples: errors.map(([, { properties }]) => properties.code.enum[0] as string) }),
    );
    const details = errors.flatMap(([, { properties }]) => propertiesOf((properties.details ?? {}) as JsonObject, contract.document));
    const shown = propertiesOf(ErrorDetails as JsonObject, served);
    expect(new Set(shown.map(([name]) => name))).toEqual(new Set(details.map(([name]) => name)));
    expect(Object.keys(others).filter((name) => /^Error|OtherError/.test(name))).toEqual(['ErrorEnvelope']);
  });

  it('names every envelope', () => {
    for (const { operation } of operations)
      for (const { content } of Object.values(operation.responses as JsonObject) as JsonObject[])
        expect(content?.['application/json']?.schema?.$ref ?? '#/components/schemas/').toMatch(
          /^#\/components\/schemas\/(\w+Envelope\w*)?$/,
        );
  });

  it('has a version that depends on the document and not on its address', () => {
    const { info } = served;
    expect(info.version).toMatch(/^1\.\d+\.\d+\+[0-9a-f]{8}$/);
    expect(tradeDocument('https://api.example/v1')).toMatchObject({
      info: { version: (tradeDocument() as JsonObject).info.version },
      servers: [{ url: 'https://api.example/v1' }],
    });
    expect((studioDocument() as JsonObject).info.version).not.toBe((tradeDocument() as JsonObject).info.version);
  });

  it('describes every property of requests and has no broken reference', () => {
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
  it('describes every property', () => {
    const { document } = contractOf('trade');
    const bare: string[] = [];
    walkSchemas(document, document.paths, (at, part) => {
      for (const [name, property] of Object.entries((part.properties ?? {}) as Record<string, JsonObject>))
        if (descriptionOf(property, document) === undefined) bare.push(`${at}.${name}`);
    });
    expect(bare).toEqual([]);
  });

  it('names the scope and rate limit of each operation', () => {
    for (const { method, path, scope, perMinute } of ENDPOINTS) {
      const { operation } = operationsOf(contractOf('trade')).find(
        (told) => told.method === method && told.path === path.replace(/:(\w+)/g, '{$1}'),
      ) as DocumentedOperation;
      expect(operation.description).toContain(`\`${scope}\``);
      expect(operation.description).toContain(`${perMinute} requests a minute`);
    }
    expect(SCOPES.length).toBeGreaterThan(0);
  });

  it('gives bounds, nullability and formats of a quote request', () => {
    const { LineItem, ShippingAddress } = contractOf('trade').document.components.schemas as JsonObject;
    expect(LineItem.properties.quantity).toEqual(expect.objectContaining({ type: 'integer', minimum: 1, maximum: 990 }));
    expect(LineItem.properties.imageUrl).toEqual(expect.objectContaining({ type: ['string', 'null'], format: 'uri', maxLength: 2000 }));
    expect(LineItem.required.toSorted()).toEqual(['productSlug', 'quantity', 'variantSelections']);
    expect(ShippingAddress.properties.email).toEqual(expect.objectContaining({ type: 'string', format: 'email', maxLength: 320 }));
    expect(LineItem.additionalProperties).toBeUndefined(); // unknown fields are ignored
  });

  it('lists exactly the variant keys of every product', () => {
    const { LineItem } = contractOf('trade').document.components.schemas as JsonObject;
    const known = [...ORDERABLE_PRODUCTS.values()].flatMap(({ keys }) => [...keys]);
    expect(Object.keys(LineItem.properties.variantSelections.properties as JsonObject).toSorted()).toEqual([...new Set(known)].toSorted());
  });

  it('describes every webhook with its headers and body', () => {
    const { callbacks } = contractOf('trade').document.paths['/webhook-endpoints/{id}'].patch as JsonObject;
    expect(Object.keys(callbacks as JsonObject)).toEqual(EVENT_TYPES);
    for (const [type, requests] of Object.entries(callbacks as JsonObject)) {
      const { post } = Object.values(requests as JsonObject)[0];
      const { schema, example } = post.requestBody.content['application/json'];
      expect(contractOf('trade').findValueFault(`webhook ${type}`, schema as JsonObject, example)).toBeNull();
      expect(example.type).toBe(type);
      expect(post.parameters.map(({ name }: JsonObject) => name)).toEqual(
        expect.arrayContaining(['Service-Signature', 'Service-Event-Id']),
      );
    }
  });
});

const componentIn = (document: JsonObject, ref: string): JsonObject =>
  document.components.schemas[ref.split('/').at(-1) ?? ''] as JsonObject;

/** If null is allowed too, joi moves the description to the other alternative. */
const descriptionOf = (property: JsonObject, document: JsonObject): unknown =>
  property.description ??
  property.anyOf?.find((one: JsonObject) => one.description !== undefined)?.description ??
  (typeof property.$ref === 'string' ? componentIn(document, property.$ref).description : undefined);

const isOpenEnum = ({ anyOf = [] }: JsonObject): boolean => Array.isArray(anyOf) && anyOf.some((one: JsonObject) => one.enum !== undefined);

/** Every schema below this one, with each component at its first reference. `at` ends with the property's name. */
function walkSchemas(document: JsonObject, from: JsonObject, visit: (at: string, part: JsonObject, inRequest: boolean) => void): void {
  const seen = new Set<string>();
  const visitPart = (part: unknown, at: string, inRequest: boolean): void => {
    if (Array.isArray(part)) for (const one of part) visitPart(one, at, inRequest);
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return;
    visit(at, part, inRequest);
    const { $ref } = part as JsonObject;
    if (typeof $ref === 'string' && $ref.startsWith('#/components/schemas/') && !seen.has(`${$ref} ${inRequest}`)) {
      seen.add(`${$ref} ${inRequest}`);
      visitPart(componentIn(document, $ref), at, inRequest);
    }
    for (const [key, inside] of Object.entries(part)) {
      if (['example', 'examples', 'enum'].includes(key)) continue;
      const isName = !['items', 'schema', 'content', 'properties', 'responses'].includes(key);
      visitPart(inside, isName ? `${at}.${key}` : at, inRequest || key === 'requestBody' || key === 'parameters');
    }
  };
  visitPart(from, '', false);
}

/** Differences between a value and its schema in the document. */
function createReader(document: JsonObject): (schema: JsonObject, value: unknown) => string[] {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'read', components: { schemas: document.components.schemas } }, 'read');
  const validators = new Map<string, ValidateFunction>();
  return (schema, value) => {
    const text = JSON.stringify(schema).replaceAll('"#/components', '"read#/components');
    const validate = validators.get(text) ?? ajv.compile(JSON.parse(text) as JsonObject);
    validators.set(text, validate);
    return validate(value) ? [] : [ajv.errorsText(validate.errors)];
  };
}

const withFutureCode = ({ error, ...rest }: JsonObject): JsonObject => ({
  ...rest,
  error: { ...error, code: 'CAME_LATER', details: { any: 'thing' } },
});

/** The same response with another string for each open enum of its schema. */
function withFutureValues(schema: JsonObject, value: unknown, document: JsonObject): unknown {
  if (value === null || value === undefined) return value;
  if (typeof schema.$ref === 'string') return withFutureValues(componentIn(document, schema.$ref), value, document);
  if (isOpenEnum(schema)) return 'came_later';
  if (Array.isArray(value)) return value.map((one) => withFutureValues((schema.items ?? {}) as JsonObject, one, document));
  if (typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, withFutureValues((schema.properties?.[name] ?? {}) as JsonObject, one, document)]),
  );
}

function examplesOf({ requestBody, responses }: JsonObject): { at: string; schema: JsonObject; value: unknown }[] {
  const request = requestBody?.content['application/json'] as JsonObject | undefined;
  const answers = Object.entries(responses as JsonObject).flatMap(([status, { content }]) => {
    const { schema, example, examples = {} } = (content?.['application/json'] ?? {}) as JsonObject;
    const values = example === undefined ? Object.values(examples as JsonObject).map(({ value }) => value as unknown) : [example];
    return values.map((value) => ({ at: status, schema: schema as JsonObject, value }));
  });
  return [
    ...(request?.example === undefined ? [] : [{ at: 'request', schema: request.schema as JsonObject, value: request.example as unknown }]),
    ...answers,
  ];
}

function propertiesOf(schema: JsonObject, document: JsonObject): [string, JsonObject][] {
  if (typeof schema.$ref === 'string')
    return propertiesOf(document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] as JsonObject, document);
  const own = Object.entries((schema.properties ?? {}) as Record<string, JsonObject>);
  return own.flatMap(([name, property]) => [
    [name, property] as [string, JsonObject],
    ...propertiesOf((property.items as JsonObject) ?? property, document),
  ]);
}
