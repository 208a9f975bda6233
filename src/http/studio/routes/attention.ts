import { listOpenAttention, resolveAttention, type AttentionFilter, type OpenAttentionRow } from '../../../db/repositories/attention';
import { ATTENTION_CODES } from '../../../domain/attention';
import { noSuch } from '../../../domain/errors';
import { ENVIRONMENTS } from '../../../domain/limits';
import { presentOpenAttention } from '../../../presenters/order-records';
import { presentStudioOrder } from '../../../presenters/studio-orders';
import type { Answer } from '../../types';
import { audited } from '../audited';
import { loadStudioOrder, viewOrder } from '../order-view';
import { answerPage } from '../paging';
import { idOf, oneOf, timeOf } from '../query';
import type { ResolveRequest } from '../schemas/attention';
import type { StudioRequest } from '../types';

/** `GET /attention`: what needs a person, of live orders unless test ones are asked for, oldest first (ruling 58). */
export async function listAttention(request: StudioRequest): Promise<Answer> {
  const filter = readFilter(request.query);
  return answerPage(request, {
    name: `attention/${JSON.stringify(filter)}`,
    find: (limit, after) => listOpenAttention(request.deps.database, filter, { limit, after }),
    mark: ({ raised_at, id }: OpenAttentionRow) => ({ createdAt: raised_at, id: String(id) }),
    present: presentOpenAttention,
  });
}

function readFilter(query: URLSearchParams): AttentionFilter {
  return {
    environment: oneOf(query, 'environment', ENVIRONMENTS) ?? 'live',
    code: oneOf(query, 'code', ATTENTION_CODES),
    accountId: idOf(query, 'accountId', 'acc', 'an account'),
    from: timeOf(query, 'from'),
    to: timeOf(query, 'to'),
  };
}

/** `POST /orders/{id}/attention/{code}/resolve`. @throws ApiError NOT_FOUND where nothing is open under the code (ruling 58) */
export async function postResolution(request: StudioRequest<ResolveRequest>): Promise<Answer> {
  const { deps, caller, body, params } = request;
  const { id: orderId } = await loadStudioOrder(deps.database, request);
  const code = ATTENTION_CODES.find((known) => known === params.code);
  if (code === undefined) throw noSuch(`code of attention; there are ${ATTENTION_CODES.join(', ')}`);
  await audited(request, async (sql, record) => {
    const open = await resolveAttention(sql, { orderId, code }, { name: caller.name, note: body.note, at: deps.clock.now() });
    if (open.length === 0) throw noSuch(`open attention: nothing under ${code} needs a person on this order`);
    const before = { code, open: open.map(({ subject, raised_at: since }) => ({ subject, since: since.toISOString() })) };
    await record({ action: 'attention.resolve', subject: orderId, before, after: { code, open: [], note: body.note } });
  });
  return { data: presentStudioOrder(await viewOrder(request)) };
}
