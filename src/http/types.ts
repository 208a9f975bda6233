import type Joi from 'joi';
import type { ParameterizedContext } from 'koa';
import type { Dependencies } from '../dependencies';
import type { Environment, Scope } from '../domain/limits';
import type { Logger } from '../logger';

export interface RequestState {
  requestId: string;
  logger: Logger;
  /** Name of the endpoint that serves, for the log. */
  route?: string;
}

/** Who calls the trade API, from the stored key's row. */
export interface TradeCaller {
  keyId: string;
  accountId: string;
  environment: Environment;
}

/** What a handler gets: its dependencies, the validated input and who asks. */
export interface TradeRequest<B = unknown> {
  deps: Dependencies;
  requestId: string;
  logger: Logger;
  caller: TradeCaller;
  /** Path parameters, decoded. */
  params: Record<string, string>;
  query: URLSearchParams;
  headers: Record<string, string | string[] | undefined>;
  /** As the schema left it. */
  body: B;
  /** The body as it was sent, for comparing. */
  sentBody: unknown;
}

/** A success: `data` in the envelope, or `text`, an envelope written before. */
export interface Answer {
  data?: unknown;
  nextCursor?: string | null;
  text?: string;
  /** Where it differs from the endpoint's status: 304. */
  status?: number;
  headers?: Record<string, string>;
}

/** One row of the specification's endpoint table. */
export interface Endpoint {
  method: 'GET' | 'POST';
  path: string;
  /** The budget's name; each endpoint has its own. */
  name: string;
  scope: Scope;
  perMinute: number;
  status: 200 | 201;
  body?: Joi.Schema;
  /** Runs before the body is read: header rules come before body rules (ruling 2). */
  checkHeaders?: (headers: TradeRequest['headers']) => void;
  // The schema in `body` is what makes the handler's body type true.
  handler: (request: TradeRequest<never>) => Promise<Answer>;
}

export type AppContext = ParameterizedContext<RequestState>;
