import type { Middleware } from 'koa';
import { validationError } from '../../../domain/errors';
import { preflightHeaders } from '../../../http-server/preflight';
import { decodeJson } from '../../../temporal/codec';
import { readJsonBody } from '../../body';
import type { ServerDeps } from '../../deps';
import type { RequestState } from '../../types';
import { admitStudio } from './admission';

/** The maximum body size. A page of a history or list fits. */
const MAX_BYTES = 8 * 1024 * 1024;

const DECODE = { method: 'POST', path: '/codec/decode', name: 'studio codec decode', role: 'office' } as const;

/**
 * `POST /codec/decode` decrypts payloads for Temporal's Web UI and CLI. Only its errors use the envelope. Encoding is not offered, because
 * only the service writes payloads.
 */
export function codecEndpoint(deps: ServerDeps): Middleware<RequestState> {
  return async (ctx, next) => {
    if (ctx.path !== '/codec/decode' || !['POST', 'OPTIONS'].includes(ctx.method)) return next();
    ctx.state.route = ctx.state.httpRoute = 'codec decode';
    const origin = ctx.get('origin');
    ctx.vary('Origin');
    if (deps.config.codecOrigins.includes(origin)) {
      ctx.set({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Credentials': 'true' });
      if (ctx.method === 'OPTIONS') ctx.set(preflightHeaders(ctx.req, ['POST']));
    }
    if (ctx.method === 'OPTIONS') {
      ctx.status = 204;
      return;
    }
    await admitStudio(deps, ctx.req, DECODE, ctx.state.requestId);
    const { value } = await readJsonBody(ctx.req, { maxBytes: MAX_BYTES });
    if (!Array.isArray(value.payloads))
      throw validationError([{ path: 'payloads', message: "must be a list of payloads in Temporal's JSON format" }]);
    ctx.set('Cache-Control', 'no-store');
    ctx.type = 'application/json; charset=utf-8';
    ctx.body = JSON.stringify({ payloads: await decodeJson(deps.temporal.codecs, value.payloads) });
  };
}
