import Joi from 'joi';
import type { Sql } from '../../db/database';
import {
  type CatalogueEntry,
  findExistingTierIds,
  listEntries,
  lockEntry,
  putEntry,
  findSectionsWithId,
} from '../../db/repositories/catalogue-admin';
import { MEDIA_SECTIONS, STORED_SECTIONS, type StoredCatalogueSection } from '../../domain/catalogue';
import { ApiError, notFoundError, validationError, type ValidationIssue } from '../../domain/errors';
import { textIssue } from '../../domain/field-formats';
import { LIMITS } from '../../domain/limits';
import { CATALOGUE_ROW, STUDIO_CATALOGUE_ROWS, presentCatalogueRow, SECTION_FIELDS } from '../catalogue-rows';
import * as json from '../openapi/json';
import { withJsonSchema } from '../schemas/json-schema';
import type { JsonSchema } from '../schemas/field-kinds';
import { type BodyOf, bodySchema, booleanField } from '../schemas/text';
import { validateBody } from '../schemas/validate';
import type { HandlerResponse } from '../types';
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

const CATALOGUE_ROW_EXAMPLE = { sizeCode: 'A4', widthMm: 210, heightMm: 297, withdrawn: false };

const withdrawnSchema = { withdrawn: json.boolean('the row is not on offer; it is kept because orders refer to it') };

const rowsSchema = [...new Set(STORED_SECTIONS.map((section) => STUDIO_CATALOGUE_ROWS[section]))];

const CATALOGUE_ENTRY = json.define('CatalogueEntry', {
  anyOf: rowsSchema.map((row) => json.extendComponent(row, withdrawnSchema)),
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
    description: 'The next quote uses the new row. Without `withdrawn` its value stays unchanged.',
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
];

async function getSection(request: StudioRequest): Promise<HandlerResponse> {
  const section = sectionOf(request);
  const entries = await listEntries(request.deps.database, section);
  return { data: entries.map((entry) => presentEntry(section, entry)), nextCursor: null };
}

async function putRow(request: StudioRequest<Record<string, unknown>>): Promise<HandlerResponse> {
  const section = sectionOf(request);
  const rowRequest = readRow(section, request);
  const entry = await audited(request, async (sql, record) => {
    const before = await lockEntry(sql, section, rowRequest.id);
    throwIfAny(await crossRowIssues(sql, section, rowRequest));
    const after = { id: rowRequest.id, content: rowRequest.content, withdrawn: rowRequest.withdrawn ?? before?.withdrawn ?? false };
    await putEntry(sql, section, after, request.deps.clock.now());
    await record({
      action: 'catalogue.put',
      subject: `${section}/${rowRequest.id}`,
      before: before && presentEntry(section, before),
      after: presentEntry(section, after),
    });
    return after;
  });
  return { data: presentEntry(section, entry) };
}

/** The next quote uses the row. */
async function patchRow(request: StudioRequest<BodyOf<typeof withdrawRequest>>): Promise<HandlerResponse> {
  const section = sectionOf(request);
  const id = request.params.id ?? '';
  const { withdrawn } = request.body;
  const entry = await audited(request, async (sql, record) => {
    const before = textIssue(id, 1, LIMITS.catalogueIdLength) === null ? await lockEntry(sql, section, id) : null;
    if (before === null) throw notFoundError(`row in ${section}`);
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
  return { data: presentEntry(section, entry) };
}

function sectionOf({ params }: StudioRequest): StoredCatalogueSection {
  const section = STORED_SECTIONS.find((known) => known === params.section);
  if (section !== undefined) return section;
  if (params.section === 'canvasMouldings')
    throw new ApiError('NOT_FOUND', 'canvasMouldings cannot be edited: it lists the mouldings with canvasFloatSuitable; edit mouldings');
  throw notFoundError(`section with this name; the sections are ${STORED_SECTIONS.join(', ')}`);
}

function presentEntry(section: StoredCatalogueSection, entry: CatalogueEntry): Record<string, unknown> {
  return { ...presentCatalogueRow(section, entry.content), withdrawn: entry.withdrawn };
}

interface RowRequest {
  id: string;
  content: Record<string, unknown>;
  withdrawn?: boolean;
}

/** The row with the id from the path. @throws ApiError VALIDATION_ERROR if the body has another id */
function readRow(section: StoredCatalogueSection, { params, body }: StudioRequest<Record<string, unknown>>): RowRequest {
  const [idName = 'id'] = SECTION_FIELDS[section];
  const id = params.id ?? '';
  if (body[idName] !== undefined && body[idName] !== id)
    throw validationError([{ path: idName, message: 'must equal the id in the path, or be left out' }]);
  const row = validateBody<Record<string, unknown>>(CATALOGUE_ROW[section], { ...body, [idName]: id }, 'refused');
  const content = presentCatalogueRow(section, row);
  return typeof row.withdrawn === 'boolean' ? { id, content, withdrawn: row.withdrawn } : { id, content };
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

function throwIfAny(issues: ValidationIssue[]): void {
  if (issues.length > 0) throw validationError(issues);
}
