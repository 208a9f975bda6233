import type { ErrorCode } from '../../domain/errors';
import { type JsonSchema, string } from './json';

/** The parts of an OpenAPI operation that do not follow from the path, method and schemas of its endpoint. */
export interface Operation {
  /** The operation id in the contract and in generated clients. */
  id: string;
  /** Groups operations on the reference page. */
  tag: string;
  /** An imperative phrase. */
  summary: string;
  /** Markdown, in full sentences. */
  description?: string;
  /** The schema of `data`. */
  response: JsonSchema;
  /** The content type of a file outside the envelope; `response` is then `FILE`. */
  mediaType?: string;
  /** True for lists, which have `nextCursor` beside `data`. */
  paged?: boolean;
  /** Request headers besides Authorization and Service-Request-Id. */
  headers?: Readonly<Record<string, Parameter & { required?: boolean }>>;
  /** Response headers on success besides Service-Request-Id. */
  responseHeaders?: Readonly<Record<string, JsonSchema>>;
  /** Error codes besides the common ones and those that follow from the endpoint's row. */
  errorCodes?: readonly ErrorCode[];
  /** The description of the 200 response to a repeated 201 request. */
  repeatDescription?: string;
  /** True if a client with a current copy gets 304 without a body. */
  notModified?: boolean;
  requestExample?: unknown;
  /** An example of `data`; the default is that of the resource. */
  example?: unknown;
  /** OpenAPI links: possible next operations and the sources of their parameters. */
  links?: Readonly<Record<string, Link>>;
  /** OpenAPI callbacks: requests that the service sends later. */
  callbacks?: Readonly<Record<string, JsonSchema>>;
}

export interface Parameter {
  schema: JsonSchema;
  description: string;
  example: unknown;
}

/** A path parameter of free text. */
export const textParameter = (description: string, example: string): Parameter => ({ schema: string(), description, example });

export interface Link {
  operationId: string;
  parameters?: Readonly<Record<string, string>>;
  requestBody?: unknown;
  description: string;
}
