import Koa from 'koa';
import type { Dependencies } from '../../dependencies';
import { health } from '../health';
import { unknownRoute } from '../middleware/admission';
import { errors } from '../middleware/errors';
import { requestId } from '../middleware/request-id';
import type { RequestState } from '../types';

/** The studio API, on a listener of its own. */
export function createStudioApp(deps: Dependencies): Koa<RequestState> {
  const app = new Koa<RequestState>();
  app.use(requestId(deps.logger));
  app.use(errors());
  app.use(health(deps));
  app.use(async (ctx) => {
    throw unknownRoute(ctx.req);
  });
  return app;
}
