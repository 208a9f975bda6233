import type { Sql } from '../../../db/database';
import { knownTiers, listEntries, lockEntry, putEntry, sectionsWith, type CatalogueEntry } from '../../../db/repositories/catalogue-admin';
import { MEDIA_SECTIONS, STORED_SECTIONS, type StoredSection } from '../../../domain/catalogue';
import { ApiError, validationError, type ValidationIssue, noSuch } from '../../../domain/errors';
import { presentCatalogueRow, SECTION_FIELDS } from '../../../presenters/catalogue';
import { CATALOGUE_ROW, type Withdrawal } from '../schemas/catalogue';
import { textIssue } from '../../../domain/field-forms';
import { validateBody } from '../../schemas/validate';
import type { Answer } from '../../types';
import { audited } from '../audited';
import type { StudioRequest } from '../types';
import { LIMITS } from '../../../domain/limits';

/** `GET /catalogue/{section}`: every row in the catalogue's order, withdrawn ones too. */
export async function getSection(request: StudioRequest): Promise<Answer> {
  const section = sectionOf(request);
  const entries = await listEntries(request.deps.database, section);
  return { data: entries.map((entry) => presentEntry(section, entry)), nextCursor: null };
}

/** `PUT /catalogue/{section}/{id}`: the whole row, old or new. What `withdrawn` was stays unless it is sent. */
export async function putRow(request: StudioRequest<Record<string, unknown>>): Promise<Answer> {
  const section = sectionOf(request);
  const sent = readRow(section, request);
  const entry = await audited(request, async (sql, record) => {
    const before = await lockEntry(sql, section, sent.id);
    refuse(await issuesAmongRows(sql, section, sent));
    const after = { id: sent.id, content: sent.content, withdrawn: sent.withdrawn ?? before?.withdrawn ?? false };
    await putEntry(sql, section, after, request.deps.clock.now());
    await record({
      action: 'catalogue.put',
      subject: `${section}/${sent.id}`,
      before: before && presentEntry(section, before),
      after: presentEntry(section, after),
    });
    return after;
  });
  return { data: presentEntry(section, entry) };
}

/** `PATCH /catalogue/{section}/{id}`: withdraws a row, or offers it again. The next quote already sees it (ruling 12). */
export async function patchRow(request: StudioRequest<Withdrawal>): Promise<Answer> {
  const section = sectionOf(request);
  const id = request.params.id ?? '';
  const { withdrawn } = request.body;
  const entry = await audited(request, async (sql, record) => {
    const before = textIssue(id, 1, LIMITS.catalogueIdLength) === null ? await lockEntry(sql, section, id) : null;
    if (before === null) throw noSuch(`row in ${section}`);
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

function sectionOf({ params }: StudioRequest): StoredSection {
  const section = STORED_SECTIONS.find((known) => known === params.section);
  if (section !== undefined) return section;
  if (params.section === 'canvasMouldings')
    throw new ApiError('NOT_FOUND', 'canvasMouldings are the mouldings with canvasFloatSuitable; edit mouldings');
  throw noSuch(`section; there are ${STORED_SECTIONS.join(', ')}`);
}

function presentEntry(section: StoredSection, entry: CatalogueEntry): Record<string, unknown> {
  return { ...presentCatalogueRow(section, entry.content), withdrawn: entry.withdrawn };
}

interface SentRow {
  id: string;
  content: Record<string, unknown>;
  withdrawn?: boolean;
}

/** The row, with the id from the path. The body may repeat that id or leave it out, but not name another. */
function readRow(section: StoredSection, { params, body }: StudioRequest<Record<string, unknown>>): SentRow {
  const [idField = 'id'] = SECTION_FIELDS[section];
  const id = params.id ?? '';
  if (body[idField] !== undefined && body[idField] !== id)
    throw validationError([{ path: idField, message: 'must be the id in the path' }]);
  const row = validateBody<Record<string, unknown>>(CATALOGUE_ROW[section], { ...body, [idField]: id }, 'refused');
  const content = presentCatalogueRow(section, row);
  return typeof row.withdrawn === 'boolean' ? { id, content, withdrawn: row.withdrawn } : { id, content };
}

const MEDIA_POOLS: readonly StoredSection[] = MEDIA_SECTIONS;

/** An id may be in one media pool only; and a tier that does not exist would make a material impossible to order. */
async function issuesAmongRows(sql: Sql, section: StoredSection, { id, content }: SentRow): Promise<ValidationIssue[]> {
  const issues: ValidationIssue[] = [];
  if (MEDIA_POOLS.includes(section)) {
    const other = (await sectionsWith(sql, id)).find((found) => found !== section && MEDIA_POOLS.includes(found));
    if (other !== undefined) issues.push({ path: 'id', message: `is a row of ${other}; the media pools are exclusive` });
  }
  const tiers = Array.isArray(content.qualityTierIds) ? (content.qualityTierIds as string[]) : [];
  const known = await knownTiers(sql, tiers);
  tiers.forEach((tier, at) => {
    if (!known.has(tier)) issues.push({ path: `qualityTierIds.${at}`, message: 'is not the id of a quality tier' });
  });
  return issues;
}

function refuse(issues: ValidationIssue[]): void {
  if (issues.length > 0) throw validationError(issues);
}
