import type { Middleware, ParameterizedContext } from 'koa';
import { MethodNotAllowed, RoleRefused, type ApiError } from '../../domain/errors';
import { errorBody } from '../../presenters/envelope';
import { identityOf } from '../caller-identity';
import type { ServerDeps } from '../deps';
import type { FailureAudit } from '../failure-audit';
import { sendBody } from '../compression';
import { overloadCause } from '../overload';
import { toRefusal } from '../refusal';
import type { RequestState } from '../types';

/** Sends errors (specification "Errors"). Unexpected errors become INTERNAL_ERROR and are logged. */
export function handleErrors({ failureAudit, metrics }: Pick<ServerDeps, 'failureAudit' | 'metrics'>): Middleware<RequestState> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const cause = overloadCause(error);
      if (cause !== null) metrics.overloads.add(1, { cause });
      const refusal = toRefusal(error, ctx.state);
      ctx.state.errorCode = refusal.code;
      await recordRefusedWrite(failureAudit, ctx, refusal);
      ctx.status = refusal.status;
      ctx.set('Cache-Control', 'no-store');
      if (refusal.retryAfterSeconds !== undefined) ctx.set('Retry-After', String(refusal.retryAfterSeconds));
      if (refusal.status === 401) ctx.set('WWW-Authenticate', 'Bearer');
      if (refusal instanceof MethodNotAllowed) ctx.set('Allow', refusal.allow.join(', '));
      ctx.type = 'application/json; charset=utf-8';
      await sendBody(ctx, errorBody(refusal));
    }
  };
}

const READ_METHODS = ['GET', 'HEAD'];

/** Records a refused write of the studio API in the audit log. Refused roles have their own entry there; 5xx responses are in the log. */
async function recordRefusedWrite(failureAudit: FailureAudit, ctx: ParameterizedContext<RequestState>, refusal: ApiError): Promise<void> {
  const { requestId, route } = ctx.state;
  const identity = identityOf(ctx.req);
  if (identity === undefined || !('tokenId' in identity) || route === undefined || READ_METHODS.includes(ctx.method)) return;
  if (refusal instanceof RoleRefused || refusal.status >= 500) return;
  const actor = { id: identity.tokenId, name: identity.name, badgeId: identity.badgeId ?? null };
  await failureAudit.record({
    action: 'write.refused',
    subject: route.replace('studio ', ''),
    actor,
    after: { code: refusal.code },
    requestId,
  });
}
