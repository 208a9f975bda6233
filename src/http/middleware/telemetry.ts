import type { Middleware } from 'koa';
import { continueCaller, inSpan, SpanKind, SpanStatusCode, type Attributes } from '../../telemetry/tracing';
import type { ServerDeps } from '../deps';
import type { RequestState } from '../types';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Measures each request until its response is ready, and creates its span, by OpenTelemetry's conventions for HTTP servers. `error.type` is
 * the error code of the response. A span has no path, because paths contain ids that clients chose.
 */
export function measureRequests({ metrics }: Pick<ServerDeps, 'metrics'>): Middleware<RequestState> {
  return async (ctx, next) => {
    const method = METHODS.has(ctx.method) ? ctx.method : '_OTHER';
    const startedAtMs = performance.now();
    metrics.activeRequests.add(1);
    try {
      await inSpan(method, { kind: SpanKind.SERVER, parent: continueCaller(ctx.get('traceparent')) || null }, async (span) => {
        await next();
        const { httpRoute, errorCode, requestId } = ctx.state;
        const attributes: Attributes = {
          'http.request.method': method,
          'http.response.status_code': ctx.status,
          ...(httpRoute === undefined ? {} : { 'http.route': httpRoute }),
          ...(errorCode === undefined ? {} : { 'error.type': errorCode }),
        };
        metrics.requestDuration.record((performance.now() - startedAtMs) / 1000, attributes);
        if (method === 'POST' && httpRoute === '/v1/orders') metrics.countObjective('orders', ctx.status < 500);
        if (httpRoute !== undefined) span.updateName(`${method} ${httpRoute}`);
        if (ctx.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.setAttributes({ ...attributes, 'trade_print.request_id': requestId });
      });
    } finally {
      metrics.activeRequests.add(-1);
    }
  };
}
