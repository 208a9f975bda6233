import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import Router, { type RouterContext } from '@koa/router';
import Koa, { type Middleware } from 'koa';
import type { HttpDeps } from './deps';
import { ApiError, MethodNotAllowed, noRoute, validationError, type ValidationIssue } from '../domain/errors';
import { LIMITS } from '../domain/limits';
import { UNSENT_BOUNDS, UnsentAnswers, type UnsentBounds } from '../http-server/unsent-answers';
import { readJsonBody } from './body';
import { announce } from './deprecation';
import { documentation, type Documented } from './docs/documentation';
import { health, type Part } from './health';
import { cors } from './middleware/cors';
import { errors } from './middleware/errors';
import { requestId } from './middleware/request-id';
import { securityHeaders } from './middleware/security-headers';
import type { KeyedQueue } from '../runtime/keyed-queue';
import { overloadRefusal } from './overload';
import { respond } from './respond';
import { bodyIssues, refuseUnknownQuery, takesNothing, type Unknown } from './schemas/validate';
import type { Answer, AppContext, HandlerRequest, RequestHead, RequestState, ServedEndpoint } from './types';

/** How the trade API and the studio API differ: where each is, what it offers and whom it lets in. */
export interface Api<C, E extends ServedEndpoint<C>> {
  prefix: string;
  endpoints: readonly E[];
  /** What becomes of fields and query parameters it does not know. */
  unknown: Unknown;
  /** Whose pages may call it; none for what no browser calls. */
  corsOrigins: readonly string[];
  /** Without these parts it is not ready. */
  needs: readonly Part[];
  /** Whether `/readyz` names the parts that are not ready. */
  hasReadinessDetails: boolean;
  /** What it tells of itself, on pages of its own. */
  documented?: Documented;
  /** What stands on the listener besides the endpoints. */
  beside?: readonly Middleware<RequestState>[];
  /** What the names in a path mean, where there is more than one way to name a thing. */
  named?: (path: string, params: RequestHead['params']) => Promise<RequestHead['params']>;
  /** Lets the caller in or throws; where nothing is served, what it is given: who has no key must not learn even that (ruling 2). */
  admit: (request: IncomingMessage, asked: E | ApiError, head: RequestHead) => Promise<C>;
  /** Whose requests are admitted one after the other. */
  credentialOf: (request: IncomingMessage) => string;
  /** The queue in which the caller's handlers run, and their key in it. Without it they do not wait. */
  queueOf?: (caller: C, endpoint: E) => { queue: KeyedQueue; key: string } | null;
  /** Takes back the hit that the admission counted. */
  takeHitBack: (caller: C, endpoint: E) => Promise<void>;
  /** Whose unsent answers are bounded together; null for callers without a credential. */
  keyOf: (caller: C) => string | null;
  /** Smaller in tests. */
  unsentBounds?: UnsentBounds;
}

/** An endpoint table behind request ids, the error writer and admission. */
export function createApi<C, E extends ServedEndpoint<C>>(deps: HttpDeps, api: Api<C, E>): Koa<RequestState> {
  const app = new Koa<RequestState>();
  app.use(requestId(deps));
  app.use(securityHeaders(deps.trustedProxies));
  if (api.corsOrigins.length > 0) app.use(cors(api.corsOrigins, methodsOf(api.endpoints)));
  app.use(errors(deps));
  app.use(health(deps, api));
  if (api.documented !== undefined) app.use(documentation(api.documented));
  for (const middleware of api.beside ?? []) app.use(middleware);
  const unsent = new UnsentAnswers(api.unsentBounds ?? UNSENT_BOUNDS, (key, bytes) =>
    deps.logger.info({ key, bytes }, 'a connection is closed: its client does not read the answer, and further requests of its key wait'),
  );
  const router = new Router<RequestState>({ prefix: api.prefix });
  for (const endpoint of api.endpoints) {
    router.register(endpoint.path, [endpoint.method], async (ctx) => serve({ deps, api, unsent }, endpoint, ctx as unknown as AppContext));
  }
  app.use(router.routes());
  app.use(async (ctx) => {
    await deps.admissions.run(api.credentialOf(ctx.req), () =>
      api.admit(ctx.req, unserved(ctx as unknown as RouterContext), {
        requestId: ctx.state.requestId,
        params: {},
        query: new URLSearchParams(),
        headers: {},
      }),
    );
  });
  app.on('error', (error: NodeJS.ErrnoException) => {
    // Closing a page with an event stream breaks its answer off.
    if (error.code === 'ERR_STREAM_PREMATURE_CLOSE') deps.logger.debug('an answer was broken off');
    else if (error instanceof ApiError) deps.logger.info({ code: error.code }, 'an answer was cut off');
    else deps.logger.error({ err: error }, 'connection error');
  });
  return app;
}

function methodsOf(endpoints: readonly { method: string }[]): string[] {
  return [...new Set(['HEAD', ...endpoints.map(({ method }) => method)])].toSorted();
}

/** The error of a request without an endpoint: 404, or 405 if the path has other methods (ruling 62). */
function unserved({ method, matched = [] }: RouterContext): ApiError {
  // A literal path of the table wins over a path with parameters.
  const written = matched.filter((layer) => !String(layer.path).includes(':'));
  const allow = [...new Set((written.length > 0 ? written : matched).flatMap((layer) => layer.methods))].toSorted();
  if (allow.length > 0) return new MethodNotAllowed(method, allow);
  return noRoute(method);
}

/** What serving an endpoint needs. */
interface Service<C, E extends ServedEndpoint<C>> {
  deps: HttpDeps;
  api: Api<C, E>;
  unsent: UnsentAnswers;
}

async function serve<C, E extends ServedEndpoint<C>>(service: Service<C, E>, endpoint: E, ctx: AppContext): Promise<void> {
  const { deps, api } = service;
  ctx.state.route = endpoint.name;
  // Not ctx.URL, which fails where the Host header does not make a URL.
  const head: RequestHead = {
    requestId: ctx.state.requestId,
    params: ctx.params as Record<string, string>,
    query: new URLSearchParams(ctx.querystring),
    headers: distinctHeaders(ctx.req),
  };
  const caller = await deps.admissions.run(api.credentialOf(ctx.req), () => api.admit(ctx.req, endpoint, head));
  try {
    await serveAdmitted(service, endpoint, ctx, head, caller);
  } catch (error) {
    if (overloadRefusal(error) !== null) await api.takeHitBack(caller, endpoint).catch(() => undefined);
    throw error;
  }
}

async function serveAdmitted<C, E extends ServedEndpoint<C>>(
  { deps, api, unsent }: Service<C, E>,
  endpoint: E,
  ctx: AppContext,
  head: RequestHead,
  caller: C,
): Promise<void> {
  const lane = api.queueOf?.(caller, endpoint) ?? undefined;
  lane?.queue.assertRoom(lane.key); // before the body is read
  const { request, issues } = await requestOf(deps, api, endpoint, ctx, head, caller);
  const key = api.keyOf(caller);
  const turn = key === null ? null : await unsent.begin(key, ctx.res, endpoint.paged === true ? LIMITS.pageBytes : 0);
  if (key !== null && turn === null) {
    ctx.respond = false; // the client hung up while its request waited
    return;
  }
  try {
    const handle = async (): Promise<Answer> => {
      if (issues.length > 0 && endpoint.refusal !== undefined) throw await endpoint.refusal(request, issues);
      return endpoint.handler(request);
    };
    await respond(ctx, endpoint.status, await (lane === undefined ? handle() : lane.queue.run(lane.key, handle)));
  } finally {
    turn?.end(ctx.body instanceof Readable ? ctx.body : undefined);
  }
}

/** Judges headers, query and body, and gives the handler's request, with what is wrong with its body. */
async function requestOf<C, E extends ServedEndpoint<C>>(
  deps: HttpDeps,
  api: Api<C, E>,
  endpoint: E,
  ctx: AppContext,
  head: RequestHead,
  caller: C,
): Promise<{ request: HandlerRequest<C, never>; issues: ValidationIssue[] }> {
  if (endpoint.deprecated !== undefined) announce(ctx, endpoint.deprecated);
  endpoint.checkHeaders?.(head.headers);
  if (api.unknown === 'refused') refuseUnknownQuery(head.query, Object.keys(endpoint.query ?? {}));
  const sent =
    endpoint.body === undefined
      ? undefined
      : await readJsonBody(ctx.req, { maxBytes: endpoint.bodyBytes, mayBeAbsent: takesNothing(endpoint.body) });
  const issues = endpoint.body === undefined ? [] : bodyIssues(endpoint.body, sent?.value, api.unknown);
  if (issues.length > 0 && endpoint.refusal === undefined) throw validationError(issues);
  const request = {
    deps,
    logger: ctx.state.logger,
    caller,
    ...head,
    ...(api.named === undefined ? {} : { params: await api.named(endpoint.path, head.params) }),
    body: sent?.value as never,
    sentText: sent?.text ?? '',
  };
  return { request, issues };
}

/** A header that was sent once is its text, one sent several times a list, so that this can be refused; Node would join most of them. */
function distinctHeaders({ headersDistinct }: IncomingMessage): RequestHead['headers'] {
  return Object.fromEntries(Object.entries(headersDistinct).map(([name, values]) => [name, values?.length === 1 ? values[0] : values]));
}
