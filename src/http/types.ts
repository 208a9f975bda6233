import type { Readable } from 'node:stream';
import type Joi from 'joi';
import type { ParameterizedContext } from 'koa';
import type { TradeDeps } from './deps';
import type { ApiError, ErrorCode, ValidationIssue } from '../domain/errors';
import type { Environment, Scope } from '../domain/limits';
import type { Logger } from '../platform/logger';
import type { Operation } from './openapi/operation';
import type { Deprecation } from './deprecation';

export interface RequestState {
  requestId: string;
  logger: Logger;
  /** The name of the endpoint, for the log. */
  route?: string;
  /** The path of the endpoint with its parameters' names, for telemetry. */
  httpRoute?: string;
  /** The error code of the response. */
  errorCode?: ErrorCode;
}

/** The caller of the trade API, from the stored key. */
export interface TradeCaller {
  keyId: string;
  accountId: string;
  environment: Environment;
}

/** The parts of a request that are known before authentication. */
export interface RequestHead {
  requestId: string;
  /** Path parameters, decoded. */
  params: Record<string, string>;
  query: URLSearchParams;
  headers: Record<string, string | string[] | undefined>;
}

export type JsonObject = Record<string, unknown>;

/** The input of a handler: dependencies, validated input and caller. */
export interface HandlerRequest<D, C, B = unknown> extends RequestHead {
  deps: D;
  logger: Logger;
  caller: C;
  /** The validated body. */
  body: B;
  /** The exact text of the body, for comparison; empty without a body. */
  bodyText: string;
}

export type TradeRequest<B = unknown> = HandlerRequest<TradeDeps, TradeCaller, B>;

/** A success: `data` in the envelope, `text` with a stored envelope, or `file` or `stream` without one. */
export interface HandlerResponse {
  data?: unknown;
  nextCursor?: string | null;
  text?: string;
  /** Bytes of a picture or document, or a stream that ends, outside the envelope. */
  file?: { contentType: string; bytes: Buffer | AsyncIterable<string | Buffer> | Iterable<string>; policy?: string };
  /** A stream until either side ends it, outside the envelope. */
  stream?: { contentType: string; body: Readable };
  /** Overrides the status of the endpoint, such as 304. */
  status?: number;
  headers?: Record<string, string | string[]>;
}

/** A row of an endpoint table. */
export interface ServedEndpoint<D, C> extends Operation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  /** The name in logs; in the trade API also the name of the rate limit. */
  name: string;
  status: 200 | 201 | 202;
  body?: Joi.Schema;
  /** The known query parameters. */
  query?: Readonly<Record<string, Joi.Schema>>;
  /** The largest body in bytes; the default is 2 MiB. */
  bodyBytes?: number;
  /** The handler waits for a receiver or the PDF renderer (`slow`), or for an order's workflow (`messages`), so it uses a separate queue. */
  queue?: 'slow' | 'messages';
  /** Set only if the endpoint is deprecated. */
  deprecated?: Deprecation;
  /** Checks headers before the body is read, so a missing header does not cost megabytes. */
  checkHeaders?: (headers: RequestHead['headers']) => void;
  // The schema in `body` guarantees the handler's body type.
  handler: (request: HandlerRequest<D, C, never>) => Promise<HandlerResponse>;
  /** The error for a body with these issues; the default is VALIDATION_ERROR. */
  refusal?: (request: HandlerRequest<D, C, JsonObject>, issues: ValidationIssue[]) => Promise<ApiError>;
}

/** One row of the trade API's table (specification "Endpoints"). */
export interface Endpoint extends ServedEndpoint<TradeDeps, TradeCaller> {
  scope: Scope;
  /** The rate limit of the endpoint. */
  perMinute: number;
  /** For test keys; a live key gets 404. */
  testOnly?: boolean;
}

/** An endpoint in the file of its resource; the endpoint table adds name, tag and the default status 200. */
export type EndpointRow = EndpointRowOf<Endpoint>;

export type EndpointRowOf<E extends ServedEndpoint<never, never>> = Omit<E, 'name' | 'tag' | 'status'> & { status?: 201 | 202 };

export type AppContext = ParameterizedContext<RequestState>;
