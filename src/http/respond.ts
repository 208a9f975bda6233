import type { ParameterizedContext } from 'koa';
import { successBody } from '../presenters/envelope';
import type { Answer } from './types';

/** Writes a success. Only the catalogue may be cached: everything is `no-store` unless the answer says otherwise (ruling 12). */
export function respond(ctx: ParameterizedContext, status: number, answer: Answer): void {
  ctx.status = answer.status ?? status;
  ctx.set('Cache-Control', 'no-store');
  for (const [name, value] of Object.entries(answer.headers ?? {})) ctx.set(name, value);
  if (ctx.status === 304) return;
  ctx.type = 'application/json; charset=utf-8';
  ctx.body = answer.text ?? successBody(answer.data, answer.nextCursor);
}
