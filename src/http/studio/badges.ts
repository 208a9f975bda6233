import { findBadge, findBadgeById, insertBadge, listBadges, revokeBadge, type BadgeRow } from '../../db/repositories/badges';
import { createBadgeContent } from '../../documents/badge';
import { readBadge } from '../../domain/badges';
import { fieldsOf } from '../../presenters/fields';
import { newBadgeCode, newId } from '../../security/ids';
import * as json from '../openapi/json';
import { cursorByAge } from '../paging';
import { pathId, requireFound } from '../path-id';
import { PDF_RESPONSE, respondWithPdf } from '../pdf';
import { bodySchema, singleLineTextField, type BodyOf } from '../schemas/text';
import type { HandlerResponse } from '../types';
import { audited } from './support/audited';
import { EXAMPLE_TIME } from './support/examples';
import { defineList } from './support/lists';
import type { StudioEndpointRow, StudioRequest } from './support/types';

const badgeRequest = bodySchema({ name: singleLineTextField(1, 100).description('the name of the person in timelines and the audit log') });

const presentBadge = (badge: BadgeRow) => fieldsOf(badge, 'id', 'name', 'code', 'created_at', 'revoked_at');
const presentHolder = (badge: BadgeRow) => fieldsOf(badge, 'id', 'name');

const BADGE_ID = 'bdg_51c2';
const CODE = 'BADGE-7K3M9QTX2A';

const BADGE = json.resource<ReturnType<typeof presentBadge>>('Badge', {
  id: [json.id('bdg'), BADGE_ID],
  name: [json.string('the person'), 'Mia Chen'],
  code: [json.string('the text of its barcode. It gives no rights.'), CODE],
  createdAt: [json.time(), EXAMPLE_TIME],
  revokedAt: json.nullable(json.time()),
});

const BADGE_HOLDER = json.resource<ReturnType<typeof presentHolder>>('BadgeHolder', {
  id: [json.id('bdg', 'the badge'), BADGE_ID],
  name: [json.string('the person'), 'Mia Chen'],
});

export const BADGES_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'POST',
    path: '/badges',
    role: 'admin',
    body: badgeRequest,
    status: 201,
    id: 'createBadge',
    summary: 'Create a badge',
    description:
      'A badge says who works at a station. It gives no rights. The station sends its code in the header `Studio-Badge` of each request. Timelines and the audit log then name the station and the person.',
    response: BADGE,
    requestExample: { name: 'Mia Chen' },
    handler: createBadge,
  },
  ...defineList({
    path: '/badges',
    role: 'admin',
    filters: {},
    id: 'listBadges',
    summary: 'List badges',
    entry: BADGE,
    list: ({ deps }) => ({
      find: (_filters, page) => listBadges(deps.database, page),
      cursorOf: cursorByAge,
      present: presentBadge,
    }),
  }),
  {
    method: 'DELETE',
    path: '/badges/:id',
    role: 'admin',
    id: 'revokeBadge',
    summary: 'Revoke a badge',
    description: 'Stations refuse it from now on. Timelines and the audit log keep the name. Repeating the request changes nothing.',
    response: BADGE,
    handler: deleteBadge,
  },
  {
    method: 'GET',
    path: '/badges/:id/badge.pdf',
    role: 'admin',
    ...PDF_RESPONSE,
    id: 'printBadge',
    summary: 'Download a badge as PDF',
    description: 'A card of 85.6 mm × 54 mm with the name and the code as a Code 128 barcode.',
    handler: getBadgePdf,
  },
  {
    method: 'GET',
    path: '/badge-holders/:code',
    role: 'floor',
    id: 'readBadgeHolder',
    summary: 'Retrieve the holder of a badge',
    description: 'A station calls it after the scan of a badge. For an unknown or revoked badge the response is 404.',
    response: BADGE_HOLDER,
    handler: getBadgeHolder,
  },
];

async function createBadge(request: StudioRequest<BodyOf<typeof badgeRequest>>): Promise<HandlerResponse> {
  const { body, deps } = request;
  const badge = await audited(request, async (sql, record) => {
    const row = await insertBadge(sql, { id: newId('bdg'), name: body.name, code: newBadgeCode() }, deps.clock.now());
    await record({ action: 'badge.create', subject: row.id, before: null, after: { name: row.name } });
    return row;
  });
  return { data: presentBadge(badge) };
}

async function deleteBadge(request: StudioRequest): Promise<HandlerResponse> {
  const id = pathId(request, 'bdg');
  const badge = await audited(request, async (sql, record) => {
    const revoked = requireFound(request, 'bdg', await revokeBadge(sql, id, request.deps.clock.now()));
    if (!revoked.wasRevoked) await record({ action: 'badge.revoke', subject: id, before: { name: revoked.badge.name }, after: null });
    return revoked.badge;
  });
  return { data: presentBadge(badge) };
}

async function getBadgePdf(request: StudioRequest): Promise<HandlerResponse> {
  const badge = requireFound(request, 'bdg', await findBadgeById(request.deps.database, pathId(request, 'bdg')));
  return respondWithPdf(request, `badge-${badge.id}`, createBadgeContent(badge));
}

async function getBadgeHolder(request: StudioRequest): Promise<HandlerResponse> {
  const code = readBadge(request.params.code ?? '');
  const badge = code === null ? null : await findBadge(request.deps.database, code);
  return { data: presentHolder(requireFound(request, 'bdg', badge)) };
}
