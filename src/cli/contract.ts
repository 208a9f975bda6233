import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as StudioDocument from '../http/openapi/studio';
import type * as StudioEndpoints from '../http/studio/endpoints';

export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  format?: string;
  pattern?: string;
  enum?: readonly string[];
  anyOf?: readonly Schema[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema & { description?: string }>>;
  required?: readonly string[];
}

/** A parameter as OpenAPI has it, or a field of the body in the same form. */
export interface Field {
  name: string;
  in: string;
  description?: string;
  schema: Schema;
  required: boolean;
  example?: unknown;
}

/** The parts of an endpoint row that its commands need. */
export interface Endpoint {
  summary: string;
  description: string;
  pathFields: readonly Field[];
  /** The fields of the query, or of the body. */
  fields: readonly Field[];
  hasBody: boolean;
  /** The content type of a file outside the envelope. */
  mediaType?: string | undefined;
  isList: boolean;
}

export const isPaged = ({ fields }: Endpoint): boolean => fields.some(({ name }) => name === 'cursor');

/** The endpoints of the studio API by `callKey`. */
export type Contract = Readonly<Record<string, Endpoint>>;

/** `GET /orders/:order` and `GET /orders/:id` are the same endpoint. */
export const callKey = (call: string): string => call.replaceAll(/:\w+/g, ':');

const CONTRACT_FILE = join(__dirname, 'contract.json');

/** Reads the file of the build, because loading the endpoint rows takes longer than a command. The sources have no such file. */
export function loadContract(): Contract {
  return __filename.endsWith('.js') ? (JSON.parse(readFileSync(CONTRACT_FILE, 'utf8')) as Contract) : createContract();
}

interface Body {
  schema: Schema;
  example?: Readonly<Record<string, unknown>>;
}
type Operation = { parameters: readonly Field[]; requestBody?: { content: { 'application/json': Body } } } | undefined;

function createContract(): Contract {
  const { exactStudioDocument } = require('../http/openapi/studio') as typeof StudioDocument;
  const { STUDIO_ENDPOINTS } = require('../http/studio/endpoints') as typeof StudioEndpoints;
  const paths = exactStudioDocument().paths as Record<string, Record<string, Operation>>;
  return Object.fromEntries(
    STUDIO_ENDPOINTS.map(({ method, path, summary, description = '', role, mediaType, response }): [string, Endpoint] => {
      const { parameters = [], requestBody } = paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] ?? {};
      const body = requestBody?.content['application/json'];
      const endpoint = {
        summary,
        description: `${description} Needs a token with the role ${role}${role === 'admin' ? '' : ' or higher'}.`.trim(),
        pathFields: parameters.filter((parameter) => parameter.in === 'path'),
        fields: body === undefined ? parameters.filter((parameter) => parameter.in === 'query') : bodyFields(body),
        hasBody: body !== undefined,
        mediaType,
        isList: response.type === 'array',
      };
      return [callKey(`${method} ${path}`), endpoint];
    }),
  );
}

const bodyFields = ({ schema: { properties = {}, required = [] }, example = {} }: Body): Field[] =>
  Object.entries(properties).map(([name, { description = '', ...schema }]) => ({
    name,
    in: 'body',
    description,
    schema,
    required: required.includes(name),
    example: example[name],
  }));

// A step of the build: `node dist/src/cli/contract.js`.
if (require.main === module) writeFileSync(CONTRACT_FILE, JSON.stringify(createContract()));
