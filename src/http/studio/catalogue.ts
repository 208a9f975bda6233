import Joi from 'joi';
import type { Sql } from '../../db/database';
import {
  type CatalogueEntry,
  type MaterialNeed,
  findExistingTierIds,
  findMaterialNeeds,
  listEntries,
  lockEntry,
  putEntry,
  findSectionsWithId,
} from '../../db/repositories/catalogue-admin';
import { MEDIA_SECTIONS, STORED_SECTIONS, type StoredCatalogueSection } from '../../domain/catalogue';
import { ApiError, notFoundError, validationError, type ValidationIssue } from '../../domain/errors';
import { currentStockDay, isMaterialSection, MATERIAL_SECTIONS, type MaterialSection } from '../../domain/materials';
import { textIssue } from '../../domain/field-formats';
import { LIMITS } from '../../domain/limits';
import { CATALOGUE_ROW, STUDIO_CATALOGUE_ROWS, presentCatalogueRow, SECTION_FIELDS } from '../catalogue-rows';
import * as json from '../openapi/json';
import { withJsonSchema } from '../schemas/json-schema';
import type { JsonSchema } from '../schemas/field-kinds';
import { type BodyOf, bodySchema, booleanField, nullable } from '../schemas/text';
import { validateBody } from '../schemas/validate';
import type { HandlerResponse } from '../types';
import { studioToday } from './support/book-in-force';
import { dayField } from './support/fields';
import { audited } from './support/audited';
import type { StudioEndpointRow, StudioRequest } from './support/types';

/** The rows as request bodies. The id is optional, because the path contains it. */
const ROW_SCHEMAS = Object.values(CATALOGUE_ROW).map((row) =>
  row.fork(['id', 'slug', 'sizeCode'].filter((field) => hasField(row, field)).slice(0, 1), (field) => field.optional()),
);

function hasField(row: Joi.ObjectSchema, field: string): boolean {
  return Object.hasOwn((row.describe() as { keys: object }).keys, field);
}

/** Any object; the handler checks the fields of the section. */
const anyObjectField = withJsonSchema(Joi.object(), (toJsonSchema) => ({ anyOf: uniqueSchemas(ROW_SCHEMAS.map(toJsonSchema)) }));

/** Describes sections with the same fields once. */
function uniqueSchemas(schemas: JsonSchema[]): JsonSchema[] {
  return [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
}

const withdrawRequest = bodySchema({ withdrawn: booleanField().description('true to withdraw the row, false to restore it') });

const CATALOGUE_ROW_EXAMPLE = { sizeCode: 'A4', widthMm: 210, heightMm: 297, withdrawn: false, outOfStockUntil: null };

const stockRequest = bodySchema({
  outOfStockUntil: nullable(dayField()).description('the last day without stock, today or later; null if the material is in stock'),
});

const withdrawnField = { withdrawn: json.boolean('the row is not on offer; it is kept because orders refer to it') };
const materialFields = {
  ...withdrawnField,
  outOfStockUntil: json.nullable(json.date('the last day without stock; null if the material is in stock, as after this day')),
};

const MATERIAL_NEED = json.resource<MaterialNeed>('MaterialNeed', {
  id: [json.string('the id of the row'), 'moulding-oak-natural-20'],
  orders: [json.integer('the number of orders'), 3],
  pieces: [json.integer('their pieces that still need the row'), 5],
});

const CATALOGUE_ENTRY = json.define('CatalogueEntry', {
  anyOf: uniqueSchemas(
    STORED_SECTIONS.map((section) =>
      json.extendComponent(STUDIO_CATALOGUE_ROWS[section], isMaterialSection(section) ? materialFields : withdrawnField),
    ),
  ),
  description: 'A row of the section, with the fields of the trade catalogue.',
});

export const CATALOGUE_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'GET',
    path: '/catalogue/:section',
    role: 'office',
    id: 'listSection',
    summary: 'List the rows of a section',
    description: 'Lists all rows, also withdrawn ones.',
    response: json.list(CATALOGUE_ENTRY),
    paged: true,
    example: [CATALOGUE_ROW_EXAMPLE],
    handler: getSection,
  },
  {
    method: 'PUT',
    path: '/catalogue/:section/:id',
    role: 'office',
    body: anyObjectField,
    id: 'putRow',
    summary: 'Create or replace a row',
    description: 'The next quote uses the new row. Without `withdrawn` or `outOfStockUntil` the value stays unchanged.',
    response: CATALOGUE_ENTRY,
    requestExample: { widthMm: 210, heightMm: 297 },
    example: CATALOGUE_ROW_EXAMPLE,
    handler: putRow,
  },
  {
    method: 'PATCH',
    path: '/catalogue/:section/:id',
    role: 'office',
    body: withdrawRequest,
    id: 'withdrawRow',
    summary: 'Withdraw or restore a row',
    response: CATALOGUE_ENTRY,
    requestExample: { withdrawn: true },
    example: { ...CATALOGUE_ROW_EXAMPLE, withdrawn: true },
    handler: patchRow,
  },
  {
    method: 'PUT',
    path: '/catalogue/:section/:id/stock',
    role: 'office',
    body: stockRequest,
    id: 'setStock',
    summary: 'Mark a material as out of stock until a day',
    description:
      'Open orders and their job sheets show the day. The day after, the material counts as in stock. Quotes and clients do not see it. Products, sizes and quality tiers have no stock.',
    response: CATALOGUE_ENTRY,
    requestExample: { outOfStockUntil: '2026-03-31' },
    example: { ...CATALOGUE_ROW_EXAMPLE, outOfStockUntil: '2026-03-31' },
    handler: putStock,
  },
  {
    method: 'GET',
    path: '/materials/:section/open-orders',
    role: 'office',
    id: 'countOpenOrders',
    summary: 'Count the open orders that need each row',
    description:
      'Counts live orders with pieces that are in no parcel, and these pieces. Printed lines no longer need their paper, and framed lines nothing else. Rows without orders are left out. `GET /orders?material=` lists the orders.',
    response: json.list(MATERIAL_NEED),
    handler: getOpenOrders,
  },
];

async function getSection(request: StudioRequest): Promise<HandlerResponse> {
  const section = sectionOf(request);
  const [entries, today] = await Promise.all([listEntries(request.deps.database, section), studioToday(request)]);
  return { data: entries.map((entry) => presentEntry(section, entry, today)), nextCursor: null };
}

async function putRow(request: StudioRequest<Record<string, unknown>>): Promise<HandlerResponse> {
  const section = sectionOf(request);
  const rowRequest = readRow(section, request);
  const today = await studioToday(request);
  const entry = await audited(request, async (sql, record) => {
    const before = await lockEntry(sql, section, rowRequest.id);
    const issues = await crossRowIssues(sql, section, rowRequest);
    if (issues.length > 0) throw validationError(issues);
    const { id, content, withdrawn = before?.withdrawn ?? false, outOfStockUntil = before?.out_of_stock_until ?? null } = rowRequest;
    const after = { id, content, withdrawn, out_of_stock_until: outOfStockUntil };
    await putEntry(sql, section, after, request.deps.clock.now());
    await record({
      action: 'catalogue.put',
      subject: `${section}/${rowRequest.id}`,
      before: before && presentEntry(section, before, today),
      after: presentEntry(section, after, today),
    });
    return after;
  });
  return { data: presentEntry(section, entry, today) };
}

/** The next quote uses the row. */
async function patchRow(request: StudioRequest<BodyOf<typeof withdrawRequest>>): Promise<HandlerResponse> {
  const section = sectionOf(request);
  const id = request.params.id ?? '';
  const { withdrawn } = request.body;
  const today = await studioToday(request);
  const entry = await audited(request, async (sql, record) => {
    const before = await lockExistingEntry(sql, section, id);
    const after = { ...before, withdrawn };
    await putEntry(sql, section, after, request.deps.clock.now());
    await record({
      action: withdrawn ? 'catalogue.withdraw' : 'catalogue.restore',
      subject: `${section}/${id}`,
      before: { withdrawn: before.withdrawn },
      after: { withdrawn },
    });
    return after;
  });
  return { data: presentEntry(section, entry, today) };
}

async function putStock(request: StudioRequest<BodyOf<typeof stockRequest>>): Promise<HandlerResponse> {
  const section = materialSectionOf(request);
  const id = request.params.id ?? '';
  const { outOfStockUntil } = request.body;
  const today = await studioToday(request);
  if (outOfStockUntil !== null && outOfStockUntil < today)
    throw validationError([{ path: 'outOfStockUntil', message: `must be ${today} or later; send null if the material is in stock` }]);
  const entry = await audited(request, async (sql, record) => {
    const before = await lockExistingEntry(sql, section, id);
    const after = { ...before, out_of_stock_until: outOfStockUntil };
    await putEntry(sql, section, after, request.deps.clock.now());
    await record({
      action: 'catalogue.stock',
      subject: `${section}/${id}`,
      before: { outOfStockUntil: before.out_of_stock_until },
      after: { outOfStockUntil },
    });
    return after;
  });
  return { data: presentEntry(section, entry, today) };
}

async function getOpenOrders(request: StudioRequest): Promise<HandlerResponse> {
  return { data: await findMaterialNeeds(request.deps.database, materialSectionOf(request)) };
}

/** @throws ApiError NOT_FOUND */
async function lockExistingEntry(sql: Sql, section: StoredCatalogueSection, id: string): Promise<CatalogueEntry> {
  const entry = textIssue(id, 1, LIMITS.catalogueIdLength) === null ? await lockEntry(sql, section, id) : null;
  if (entry === null) throw notFoundError(`row in ${section}`);
  return entry;
}

/** @throws ApiError NOT_FOUND for a section without materials */
function materialSectionOf(request: StudioRequest): MaterialSection {
  const section = sectionOf(request);
  if (!isMaterialSection(section))
    throw new ApiError('NOT_FOUND', `${section} have no stock; the materials are ${MATERIAL_SECTIONS.join(', ')}`);
  return section;
}

function sectionOf({ params }: StudioRequest): StoredCatalogueSection {
  const section = STORED_SECTIONS.find((known) => known === params.section);
  if (section !== undefined) return section;
  if (params.section === 'canvasMouldings')
    throw new ApiError('NOT_FOUND', 'canvasMouldings cannot be edited: it lists the mouldings with canvasFloatSuitable; edit mouldings');
  throw notFoundError(`section with this name; the sections are ${STORED_SECTIONS.join(', ')}`);
}

function presentEntry(section: StoredCatalogueSection, entry: CatalogueEntry, today: string): Record<string, unknown> {
  const { content, withdrawn, out_of_stock_until: until } = entry;
  return {
    ...presentCatalogueRow(section, content),
    withdrawn,
    ...(isMaterialSection(section) && { outOfStockUntil: currentStockDay(until, today) }),
  };
}

interface RowRequest {
  id: string;
  content: Record<string, unknown>;
  withdrawn?: boolean;
  outOfStockUntil?: string | null;
}

/** The row with the id from the path. @throws ApiError VALIDATION_ERROR if the body has another id */
function readRow(section: StoredCatalogueSection, { params, body }: StudioRequest<Record<string, unknown>>): RowRequest {
  const [idName = 'id'] = SECTION_FIELDS[section];
  const id = params.id ?? '';
  if (body[idName] !== undefined && body[idName] !== id)
    throw validationError([{ path: idName, message: 'must equal the id in the path, or be left out' }]);
  const row = validateBody<Record<string, unknown>>(CATALOGUE_ROW[section], { ...body, [idName]: id }, 'refused');
  const content = presentCatalogueRow(section, row);
  const { withdrawn, outOfStockUntil } = row as Pick<RowRequest, 'withdrawn' | 'outOfStockUntil'>;
  return { id, content, ...(withdrawn !== undefined && { withdrawn }), ...(outOfStockUntil !== undefined && { outOfStockUntil }) };
}

const MEDIA_POOLS: readonly StoredCatalogueSection[] = MEDIA_SECTIONS;

/** Checks a row against other rows: media sections must not share an id, and quality tiers must exist. */
async function crossRowIssues(sql: Sql, section: StoredCatalogueSection, { id, content }: RowRequest): Promise<ValidationIssue[]> {
  const issues: ValidationIssue[] = [];
  if (MEDIA_POOLS.includes(section)) {
    const other = (await findSectionsWithId(sql, id)).find((found) => found !== section && MEDIA_POOLS.includes(found));
    if (other !== undefined)
      issues.push({ path: 'id', message: `is already used in ${other}; choose an id that no other media section has` });
  }
  const tiers = Array.isArray(content.qualityTierIds) ? (content.qualityTierIds as string[]) : [];
  const existing = await findExistingTierIds(sql, tiers);
  tiers.forEach((tier, index) => {
    if (!existing.has(tier))
      issues.push({ path: `qualityTierIds.${index}`, message: 'is not the id of a quality tier; use one of the section qualityTiers' });
  });
  return issues;
}
