import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import Router, { type RouterContext } from '@koa/router';
import Koa, { type Middleware } from 'koa';
import type { ServerDeps } from './deps';
import { ApiError, MethodNotAllowed, routeNotFoundError, validationError, type ValidationIssue } from '../domain/errors';
import { LIMITS } from '../domain/limits';
import { DEFAULT_UNSENT_LIMITS, UnsentResponses, type UnsentLimits } from '../http-server/unsent-responses';
import { readJsonBody } from './body';
import { setDeprecationHeaders } from './deprecation';
import { documentation, type DocumentationOptions } from './docs/documentation';
import { health } from './health';
import { cors } from './middleware/cors';
import { handleErrors } from './middleware/errors';
import { measureRequests } from './middleware/telemetry';
import { assignRequestId } from './middleware/request-id';
import { securityHeaders } from './middleware/security-headers';
import type { KeyedQueue } from '../runtime/keyed-queue';
import { overloadRefusal } from './overload';
import { respond } from './respond';
import { bodyIssues, assertKnownQuery, acceptsEmptyBody, type UnknownFieldPolicy } from './schemas/validate';
import type { HandlerResponse, AppContext, HandlerRequest, RequestHead, RequestState, ServedEndpoint } from './types';

/** The differences between the trade API and the studio API. */
export interface Api<D, C, E extends ServedEndpoint<D, C>> {
  prefix: string;
  endpoints: readonly E[];
  /** Whether unknown fields and query parameters are ignored or refused. */
  unknownFields: UnknownFieldPolicy;
  /** Origins whose pages may call the API. */
  corsOrigins: readonly string[];
  /** The checks that must pass for `/readyz`. */
  /** Whether `/readyz` lists the results of the checks, and `/healthz` the version. */
  hasReadinessDetails: boolean;
  /** The documentation pages. */
  documentation?: DocumentationOptions;
  /** Middleware that runs before the endpoints. */
  middleware?: readonly Middleware<RequestState>[];
  /** Resolves path parameters, such as order numbers to ids. */
  resolveParams?: (path: string, params: RequestHead['params']) => Promise<RequestHead['params']>;
  /** Admits the caller or throws. If `matched` is a routing error, throws it after authentication, to hide which paths exist. */
  admit: (request: IncomingMessage, matched: E | ApiError, head: RequestHead) => Promise<C>;
  /** Identifies the caller before authentication. Requests with the same value are admitted one after the other. */
  credentialOf: (request: IncomingMessage) => string;
  /** The queue in which a handler waits for others with the same key; null for a handler that does not wait. */
  queueOf?: (caller: C, endpoint: E) => { queue: KeyedQueue; key: string } | null;
  /** Removes the request from the rate limit, because it was refused for overload. */
  removeLatestHit: (caller: C, endpoint: E) => Promise<void>;
  /** Unsent responses with the same key share a limit; null without a credential. */
  callerKeyOf: (caller: C) => string | null;
  /** Tests use smaller limits. */
  unsentLimits?: UnsentLimits;
}

/** Serves an endpoint table behind request ids, error handling and admission. */
export function createApi<D, C, E extends ServedEndpoint<D, C>>(deps: D & ServerDeps, api: Api<D, C, E>): Koa<RequestState> {
  const app = new Koa<RequestState>();
  app.use(measureRequests(deps));
  app.use(assignRequestId(deps));
  app.use(securityHeaders(deps.trustedProxies));
  if (api.corsOrigins.length > 0) app.use(cors(api.corsOrigins, methodsOf(api.endpoints)));
  app.use(handleErrors(deps));
  app.use(health(deps, api));
  if (api.documentation !== undefined) app.use(documentation(api.documentation));
  for (const middleware of api.middleware ?? []) app.use(middleware);
  const unsentResponses = new UnsentResponses(api.unsentLimits ?? DEFAULT_UNSENT_LIMITS, (key, bytes) =>
    deps.logger.info({ key, bytes }, 'closed a connection whose client does not read the response while requests of its key wait'),
  );
  const router = new Router<RequestState>({ prefix: api.prefix });
  for (const endpoint of api.endpoints) {
    router.register(endpoint.path, [endpoint.method], async (ctx) =>
      serve({ deps, api, unsentResponses }, endpoint, ctx as unknown as AppContext),
    );
  }
  app.use(router.routes());
  app.use(async (ctx) => {
    await deps.admissionQueue.run(api.credentialOf(ctx.req), () =>
      api.admit(ctx.req, routeError(ctx as unknown as RouterContext), {
        requestId: ctx.state.requestId,
        params: {},
        query: new URLSearchParams(),
        headers: {},
      }),
    );
  });
  app.on('error', (error: NodeJS.ErrnoException) => {
    // A browser that leaves a page ends its event stream, which is normal.
    if (error.code === 'ERR_STREAM_PREMATURE_CLOSE') deps.logger.debug('the client closed a response early');
    else if (error instanceof ApiError) deps.logger.info({ code: error.code }, 'the service closed a response early');
    else deps.logger.error({ err: error }, 'connection error');
  });
  return app;
}

function methodsOf(endpoints: readonly { method: string }[]): string[] {
  return [...new Set(['HEAD', ...endpoints.map(({ method }) => method)])].toSorted();
}

/** The error of a request without an endpoint: 404, or 405 if the path has other methods. */
function routeError({ method, matched = [] }: RouterContext): ApiError {
  // A literal path of the table wins over a path with parameters.
  const exactMatches = matched.filter((layer) => !String(layer.path).includes(':'));
  const allow = [...new Set((exactMatches.length > 0 ? exactMatches : matched).flatMap((layer) => layer.methods))].toSorted();
  if (allow.length > 0) return new MethodNotAllowed(method, allow);
  return routeNotFoundError(method);
}

interface ServingContext<D, C, E extends ServedEndpoint<D, C>> {
  deps: D & ServerDeps;
  api: Api<D, C, E>;
  unsentResponses: UnsentResponses;
}

async function serve<D, C, E extends ServedEndpoint<D, C>>(context: ServingContext<D, C, E>, endpoint: E, ctx: AppContext): Promise<void> {
  const { deps, api } = context;
  ctx.state.route = endpoint.name;
  ctx.state.httpRoute = `${api.prefix}${endpoint.path}`;
  // Parses the query string itself, because ctx.URL throws for an invalid Host header.
  const head: RequestHead = {
    requestId: ctx.state.requestId,
    params: ctx.params as Record<string, string>,
    query: new URLSearchParams(ctx.querystring),
    headers: distinctHeaders(ctx.req),
  };
  const caller = await deps.admissionQueue.run(api.credentialOf(ctx.req), () => api.admit(ctx.req, endpoint, head));
  try {
    await serveAdmitted(context, endpoint, ctx, head, caller);
  } catch (error) {
    const isUnavailable = error instanceof ApiError ? error.status === 503 : overloadRefusal(error) !== null;
    if (isUnavailable) await api.removeLatestHit(caller, endpoint).catch(() => undefined);
    throw error;
  }
}

async function serveAdmitted<D, C, E extends ServedEndpoint<D, C>>(
  { deps, api, unsentResponses }: ServingContext<D, C, E>,
  endpoint: E,
  ctx: AppContext,
  head: RequestHead,
  caller: C,
): Promise<void> {
  const queueSlot = api.queueOf?.(caller, endpoint) ?? undefined;
  queueSlot?.queue.assertCapacity(queueSlot.key); // before the body is read
  const { request, issues } = await readRequest(deps, api, endpoint, ctx, head, caller);
  const key = api.callerKeyOf(caller);
  const responseSlot =
    key === null ? null : await unsentResponses.acquireSlot(key, ctx.res, endpoint.paged === true ? LIMITS.pageBytes : 0);
  if (key !== null && responseSlot === null) {
    ctx.respond = false; // the client disconnected while its request waited
    return;
  }
  try {
    const handle = async (): Promise<HandlerResponse> => {
      if (issues.length > 0 && endpoint.refusal !== undefined) throw await endpoint.refusal(request, issues);
      return endpoint.handler(request);
    };
    await respond(ctx, endpoint.status, await (queueSlot === undefined ? handle() : queueSlot.queue.run(queueSlot.key, handle)));
  } finally {
    responseSlot?.end(ctx.body instanceof Readable ? ctx.body : undefined);
  }
}

/** Validates headers, query and body. Returns the handler's request and the issues of its body. */
async function readRequest<D, C, E extends ServedEndpoint<D, C>>(
  deps: D,
  api: Api<D, C, E>,
  endpoint: E,
  ctx: AppContext,
  head: RequestHead,
  caller: C,
): Promise<{ request: HandlerRequest<D, C, never>; issues: ValidationIssue[] }> {
  if (endpoint.deprecated !== undefined) setDeprecationHeaders(ctx, endpoint.deprecated);
  endpoint.checkHeaders?.(head.headers);
  if (api.unknownFields === 'refused') assertKnownQuery(head.query, Object.keys(endpoint.query ?? {}));
  const jsonBody =
    endpoint.body === undefined
      ? undefined
      : await readJsonBody(ctx.req, { maxBytes: endpoint.bodyBytes, mayBeAbsent: acceptsEmptyBody(endpoint.body) });
  const issues = endpoint.body === undefined ? [] : bodyIssues(endpoint.body, jsonBody?.value, api.unknownFields);
  if (issues.length > 0 && endpoint.refusal === undefined) throw validationError(issues);
  const request = {
    deps,
    logger: ctx.state.logger,
    caller,
    ...head,
    ...(api.resolveParams === undefined ? {} : { params: await api.resolveParams(endpoint.path, head.params) }),
    body: jsonBody?.value as never,
    bodyText: jsonBody?.text ?? '',
  };
  return { request, issues };
}

/** Returns a repeated header as a list, so handlers can refuse it; Node joins most of them. */
function distinctHeaders({ headersDistinct }: IncomingMessage): RequestHead['headers'] {
  return Object.fromEntries(Object.entries(headersDistinct).map(([name, values]) => [name, values?.length === 1 ? values[0] : values]));
}
