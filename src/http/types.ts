import type { Readable } from 'node:stream';
import type Joi from 'joi';
import type { ParameterizedContext } from 'koa';
import type { HttpDeps } from './deps';
import type { ApiError, ErrorCode, ValidationIssue } from '../domain/errors';
import type { Environment, Scope } from '../domain/limits';
import type { Logger } from '../logger';
import type { Operation } from './openapi/operation';
import type { Deprecation } from './deprecation';

export interface RequestState {
  requestId: string;
  logger: Logger;
  /** Name of the endpoint that serves, for the log. */
  route?: string;
  /** Why the request was refused. */
  errorCode?: ErrorCode;
}

/** Who calls the trade API, from the stored key's row. */
export interface TradeCaller {
  keyId: string;
  accountId: string;
  environment: Environment;
}

/** What of a request is known before its caller is. */
export interface RequestHead {
  requestId: string;
  params: Record<string, string>;
  query: URLSearchParams;
  headers: Record<string, string | string[] | undefined>;
}

/** A body that was read. */
export type JsonObject = Record<string, unknown>;

/** What a handler of either API gets: its dependencies, the validated input and who asks. */
export interface HandlerRequest<C, B = unknown> {
  deps: HttpDeps;
  requestId: string;
  logger: Logger;
  caller: C;
  /** Path parameters, decoded. */
  params: Record<string, string>;
  query: URLSearchParams;
  headers: Record<string, string | string[] | undefined>;
  /** As the schema left it. */
  body: B;
  /** The body's text as it was sent, for comparing; empty where none is read. */
  bodyText: string;
}

export type TradeRequest<B = unknown> = HandlerRequest<TradeCaller, B>;

/** A success: `data` in the envelope, `text`, an envelope written before, or `file` or `stream`, which have none. */
export interface HandlerResponse {
  data?: unknown;
  nextCursor?: string | null;
  text?: string;
  /** Outside the envelope: the bytes of a picture or a document, or text that is sent as it comes (rulings 62 and 64). */
  file?: { contentType: string; bytes: Buffer | AsyncIterable<string> | Iterable<string>; policy?: string };
  /** What goes on until either side ends it, outside the envelope (ruling 62). */
  stream?: { contentType: string; body: Readable };
  /** Where it differs from the endpoint's status: 304. */
  status?: number;
  headers?: Record<string, string | string[]>;
}

/** One row of an API's endpoint table, for callers of one kind. */
export interface ServedEndpoint<C> extends Operation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  /** For the log; in the trade API also the budget's name. */
  name: string;
  status: 200 | 201;
  body?: Joi.Schema;
  /** The query parameters it takes; where the API refuses what it does not know, others are refused. */
  query?: Readonly<Record<string, Joi.Schema>>;
  /** The largest body it takes, in bytes; 2 MiB unless said otherwise (ruling 41). */
  bodyBytes?: number;
  /** It waits for a receiver or the PDF renderer, so it takes no place of the account's reads and writes. */
  isSlow?: true;
  /** On its way out; left out for all others. */
  deprecated?: Deprecation;
  /** Judges headers before the body is read, so that nobody sends megabytes for a missing header (ruling 2). */
  checkHeaders?: (headers: HandlerRequest<C>['headers']) => void;
  // The schema in `body` is what makes the handler's body type true.
  handler: (request: HandlerRequest<C, never>) => Promise<HandlerResponse>;
  /** The refusal of a body with these issues, where more of it can be judged; VALIDATION_ERROR unless given. */
  refusal?: (request: HandlerRequest<C, JsonObject>, issues: ValidationIssue[]) => Promise<ApiError>;
}

/** One row of the trade API's table (specification "Endpoints"). */
export interface Endpoint extends ServedEndpoint<TradeCaller> {
  scope: Scope;
  /** Each endpoint has its own budget. */
  perMinute: number;
  /** For test keys: a live one does not find it (ruling 61). */
  testOnly?: boolean;
}

/** An endpoint in the file of its resource; the endpoint table adds its name and tag, and status 200 unless the row has another. */
export type EndpointRow = EndpointRowOf<Endpoint>;

export type EndpointRowOf<E extends ServedEndpoint<never>> = Omit<E, 'name' | 'tag' | 'status'> & { status?: 201 };

export type AppContext = ParameterizedContext<RequestState>;
