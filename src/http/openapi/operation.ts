import type { ErrorCode } from '../../domain/errors';
import { type JsonSchema, string } from './json';

/** How the OpenAPI document describes an endpoint, besides its method, path, status, body, query, scope or role, and budget. */
export interface Operation {
  /** Names the operation in the contract and in generated clients. */
  id: string;
  /** Groups operations on the reference page. */
  tag: string;
  /** What it does, in a line. */
  summary: string;
  /** What else a caller should know; Markdown. */
  description?: string;
  /** What `data` holds. */
  response: JsonSchema;
  /** Where the answer is a file outside the envelope: its content type. Then `answer` is `FILE`. */
  mediaType?: string;
  /** True of lists: `nextCursor` stands beside `data` (ruling 10). */
  paged?: boolean;
  /** Request headers besides Authorization and Service-Request-Id. */
  headers?: Readonly<Record<string, Parameter & { required?: boolean }>>;
  /** Headers of a success besides Service-Request-Id. */
  responseHeaders?: Readonly<Record<string, JsonSchema>>;
  /** The codes it gives besides those that every endpoint gives and those that follow from its row. */
  errorCodes?: readonly ErrorCode[];
  /** Of what answers 201 once: what a repeat with the same id and content is answered, with 200. */
  repeatDescription?: string;
  /** True: a client that has the answer already gets 304 without a body. */
  notModified?: boolean;
  requestExample?: unknown;
  /** An example of `data`; that of the resource unless given. */
  example?: unknown;
  /** What can be done next with what was answered: the operation, and where its path parameters or body come from. */
  links?: Readonly<Record<string, Link>>;
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
