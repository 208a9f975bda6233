import { listOpenAttention, resolveAttention, type AttentionFilter, type OpenAttentionRow } from '../../../db/repositories/attention';
import { ATTENTION_CODES, codesAbout, type AttentionAbout } from '../../../domain/attention';
import { noSuch } from '../../../domain/errors';
import type { Environment } from '../../../domain/limits';
import { presentOpenAttention } from '../../../presenters/order-records';
import { presentStudioOrder } from '../../../presenters/studio-orders';
import { ATTENTION_CSV } from '../../../presenters/csv-columns';
import type { Answer } from '../../types';
import { answerCsv } from '../csv';
import { audited } from '../audited';
import { loadStudioOrder, viewOrder } from '../order-view';
import { answerFiltered, type FilteredList, type Filters } from '../filters';
import { timesOf } from '../period';
import type { ResolveRequest } from '../schemas/attention';
import { ATTENTION_FILTERS } from '../schemas/filters';
import type { StudioRequest } from '../types';

/** `GET /attention`: what needs a person, of live orders unless test ones are asked for, oldest first (ruling 58). */
export async function listAttention(request: StudioRequest): Promise<Answer> {
  return answerFiltered(request, attentionList(request));
}

/** `GET /attention.csv` (ruling 64). */
export async function exportAttention(request: StudioRequest): Promise<Answer> {
  return answerCsv(request, attentionList(request), ATTENTION_CSV);
}

function attentionList(
  request: StudioRequest,
): FilteredList<OpenAttentionRow, typeof ATTENTION_FILTERS, ReturnType<typeof presentOpenAttention>> {
  return {
    name: 'attention',
    schemas: ATTENTION_FILTERS,
    find: async (asked, page) => listOpenAttention(request.deps.database, await filterOf(request, asked), page),
    mark: ({ raised_at, id }) => ({ createdAt: raised_at, id: String(id) }),
    present: presentOpenAttention,
  };
}

async function filterOf(request: StudioRequest, asked: Filters<typeof ATTENTION_FILTERS>): Promise<AttentionFilter> {
  const { from = null, to = null } = await timesOf(request, asked);
  return {
    environment: (asked.environment ?? 'live') as Environment,
    codes: codesOf(asked),
    accountId: asked.accountId ?? null,
    from,
    to,
    newestFirst: asked.sort === 'newest',
  };
}

/** Null where any will do. */
function codesOf({ code, about }: Filters<typeof ATTENTION_FILTERS>): AttentionFilter['codes'] {
  if (code === undefined && about === undefined) return null;
  const codes = about === undefined ? ATTENTION_CODES : codesAbout(about as AttentionAbout);
  return codes.filter((each) => code === undefined || each === code);
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
