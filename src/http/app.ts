import Router from '@koa/router';
import Koa from 'koa';
import type { Dependencies } from '../dependencies';
import { readJsonBody } from './body';
import { health } from './health';
import { admitTrade } from './middleware/admission';
import { errors } from './middleware/errors';
import { requestId } from './middleware/request-id';
import { respond } from './respond';
import { ENDPOINTS } from './routes';
import { validateBody } from './schemas/validate';
import type { AppContext, Endpoint, RequestState } from './types';

/** The trade API: the endpoint table behind request ids, the error writer and admission. */
export function createTradeApp(deps: Dependencies): Koa<RequestState> {
  const app = new Koa<RequestState>();
  app.use(requestId(deps.logger));
  app.use(errors());
  app.use(health(deps));
  const router = new Router<RequestState>({ prefix: '/v1' });
  for (const endpoint of ENDPOINTS) {
    router.register(endpoint.path, [endpoint.method], async (ctx) => serve(deps, endpoint, ctx as unknown as AppContext));
  }
  app.use(router.routes());
  app.use(async (ctx) => {
    await admitTrade(deps, ctx.req, null);
  });
  app.on('error', (error) => deps.logger.error({ err: error }, 'connection error'));
  return app;
}

async function serve(deps: Dependencies, endpoint: Endpoint, ctx: AppContext): Promise<void> {
  ctx.state.route = endpoint.name;
  const caller = await admitTrade(deps, ctx.req, endpoint);
  endpoint.checkHeaders?.(ctx.headers);
  const sentBody = endpoint.body === undefined ? undefined : await readJsonBody(ctx.req);
  const body = endpoint.body === undefined ? undefined : validateBody(endpoint.body, sentBody);
  const answer = await endpoint.handler({
    deps,
    requestId: ctx.state.requestId,
    logger: ctx.state.logger,
    caller,
    params: ctx.params as Record<string, string>,
    query: ctx.URL.searchParams,
    headers: ctx.headers,
    body: body as never,
    sentBody,
  });
  respond(ctx, endpoint.status, answer);
}
