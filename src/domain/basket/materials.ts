import { MEDIA_SECTIONS, type MediaRow, type MediaSection, type StoredCatalogueSection, type TieredRow } from '../catalogue';
import type { ApiError } from '../errors';
import type { CatalogueRow } from '../catalogue-index';
import { joinWithOr, quoted, lineRefusal, type Line, type LineField } from './line';
import { mediaSectionOf } from '../orderable-products';
import { checkAll } from './basket-refusal';
import type { IdKey, VariantKey } from './variant-keys';
import { lookUpRate } from '../price-book/rates';
import { jsonPointer, type Rate } from '../price-component';

/** Finds a catalogue row by id. Throws PRODUCT_UNAVAILABLE with accepted ids if there is none. */
export function findRow<S extends StoredCatalogueSection>(line: Line, section: S, key: IdKey, id: string): CatalogueRow<S> {
  const row = line.catalogue.find(section, id);
  if (row === undefined) throw unknownRowError(line, section, key, id);
  return row;
}

/** The catalogue section of each key's ids. The section of `mediaId` depends on the product. */
const SECTION_BY_KEY: Readonly<Record<Exclude<IdKey, 'mediaId'> | 'productSlug', StoredCatalogueSection>> = {
  productSlug: 'products',
  mouldingId: 'mouldings',
  glazingId: 'glazing',
  backingId: 'backing',
  matColorId: 'matboards',
  qualityTierId: 'qualityTiers',
  sleeve: 'sleeves',
};
const hasSection = (field: LineField): field is keyof typeof SECTION_BY_KEY => Object.hasOwn(SECTION_BY_KEY, field);

/** The section of the ids that a field takes; null if it takes none. */
export function sectionOf({ item }: Line, field: LineField): StoredCatalogueSection | null {
  if (field === 'mediaId') return mediaSectionOf(item.productSlug);
  return hasSection(field) ? SECTION_BY_KEY[field] : null;
}

/**
 * Checks the id of a key.
 * @throws LineRefusal PRODUCT_UNAVAILABLE
 */
export function checkId(line: Line, key: IdKey, id: string): void {
  if (key === 'mediaId') findMedia(line, id);
  else findRow(line, SECTION_BY_KEY[key], key, id);
}

/** Finds a stock for the line's product. Only canvas lines take a canvas surface, even if its row is in another section. */
export function findMedia(line: Line, id: string): MediaRow {
  const section = mediaSectionOf(line.item.productSlug);
  const row = line.catalogue.find(section, id);
  if (row === undefined) throw wrongPoolError(line, section, id) ?? unknownRowError(line, section, 'mediaId', id);
  if (section !== 'canvasMedia' && row.surfaceType === 'canvas') {
    throw unavailableError(line, `mediaId ${quoted(id)} is a canvas stock, which only canvas-printing lines take`, 'mediaId');
  }
  return row;
}

function wrongPoolError(line: Line, section: MediaSection, id: string): ApiError | undefined {
  const found = MEDIA_SECTIONS.find((other) => line.catalogue.find(other, id) !== undefined);
  if (found === undefined) return undefined;
  const text = `mediaId ${quoted(id)} is from the catalogue's ${found}; ${line.item.productSlug} takes an id from its ${section}`;
  return unavailableError(line, text, 'mediaId');
}

function unknownRowError(line: Line, section: StoredCatalogueSection, key: IdKey, id: string): ApiError {
  const state = line.catalogue.isWithdrawn(section, id) ? 'has been withdrawn' : "is not in the catalogue's " + section;
  const advice = line.catalogue.ids(section).length === 0 ? '; none of its rows is available now' : '';
  return unavailableError(line, `${key} ${quoted(id)} ${state}${advice}`, key);
}

export const unavailableError = (line: Line, text: string, ...fields: [LineField, ...LineField[]]): ApiError =>
  lineRefusal(line, 'PRODUCT_UNAVAILABLE', text, ...fields);

/** Rates by id, and their JSON pointer in the book. */
interface RateTable {
  rates: Record<string, number>;
  at: string;
  /** The rate of ids without their own; null means that such ids are not sold. */
  fallback?: { rate: number | null; at: string };
}

/**
 * Finds a rate in the book. Throws PRODUCT_UNAVAILABLE if there is none, because a material may enter the catalogue before it has a price.
 */
export function rateOf(line: Line, { rates, at, fallback }: RateTable, key: VariantKey, id: string): Rate {
  const value = lookUpRate(rates, fallback?.rate ?? null, id);
  if (value !== null) return { value, at: Object.hasOwn(rates, id) ? `${at}${jsonPointer(id)}` : (fallback?.at ?? at) };
  throw unavailableError(line, `${key} ${quoted(id)} has no price at present; choose another from the catalogue`, key);
}

export interface TieredChoice {
  key: IdKey;
  row: TieredRow;
}

export function checkTierExists(line: Line, qualityTierId: string | undefined): void {
  if (qualityTierId !== undefined) findRow(line, 'qualityTiers', 'qualityTierId', qualityTierId);
}

/**
 * Throws PRODUCT_UNAVAILABLE if the materials may not be combined. If `qualityTierId` is given, every restricted material must belong to
 * that tier. If not, all restricted materials must share a tier. `qualityTierIds` null fits any tier, `[]` none.
 */
export function checkTiers(line: Line, choices: readonly TieredChoice[], qualityTierId: string | undefined): void {
  const restricted = choices.filter(({ row }) => row.qualityTierIds !== null);
  const sortFields = (...fields: [IdKey, ...IdKey[]]) => sortSolvableFirst(line, { restricted, qualityTierId }, fields);
  checkAll(...restricted.map((choice) => () => checkChoice(line, choice, qualityTierId, sortFields)));
  if (qualityTierId === undefined) checkSharedTier(line, restricted, sortFields);
}

type SortFields = (...places: [IdKey, ...IdKey[]]) => [IdKey, ...IdKey[]];

function checkChoice(line: Line, { key, row }: TieredChoice, qualityTierId: string | undefined, sortFields: SortFields): void {
  const tiers = row.qualityTierIds ?? [];
  if (tiers.length === 0) throw unavailableError(line, `${key} ${quoted(row.id)} is in no quality tier at present; choose another`, key);
  if (qualityTierId === undefined || tiers.includes(qualityTierId)) return;
  throw unavailableError(
    line,
    `${key} ${quoted(row.id)} is not in quality tier ${quoted(qualityTierId)}; it is in ${joinWithOr(tiers)}`,
    ...sortFields(key, 'qualityTierId'),
  );
}

function checkSharedTier(line: Line, restricted: readonly TieredChoice[], sortFields: SortFields): void {
  if (restricted.length === 0 || sharedTiers(restricted).length > 0) return;
  const list = restricted.map(({ key, row }) => `${key} ${quoted(row.id)} (${joinWithOr(row.qualityTierIds ?? [])})`);
  // The field named first is the material that was chosen last, because the client most likely changes that one.
  const [last = 'mouldingId', ...others] = restricted.map(({ key }) => key).reverse();
  const text = `these materials share no quality tier: ${list.join(', ')}; choose materials of one tier`;
  throw unavailableError(line, text, ...sortFields(last, ...others));
}

function sharedTiers(restricted: readonly TieredChoice[]): string[] {
  const [first, ...others] = restricted.map(({ row }) => row.qualityTierIds ?? []);
  return (first ?? []).filter((tier) => others.every((tiers) => tiers.includes(tier)));
}

interface TierConflict {
  restricted: readonly TieredChoice[];
  qualityTierId: string | undefined;
}

/**
 * Sorts the fields. The first one is a field for which another catalogue row solves the conflict. Compares only tiers, which is fast enough
 * for every line.
 */
function sortSolvableFirst(line: Line, conflict: TierConflict, fields: [IdKey, ...IdKey[]]): [IdKey, ...IdKey[]] {
  const solvable = fields.find((field) => isSolvedByField(line, conflict, field));
  return solvable === undefined ? fields : [solvable, ...fields.filter((field) => field !== solvable)];
}

function isSolvedByField(line: Line, { restricted, qualityTierId }: TierConflict, field: IdKey): boolean {
  if (field === 'qualityTierId') return sharedTiers(restricted).some((id) => line.catalogue.find('qualityTiers', id) !== undefined);
  const others = restricted.filter(({ key }) => key !== field);
  const section = sectionOf(line, field);
  if (section === null) return false;
  if (qualityTierId === undefined) return line.catalogue.hasRowInTiers(section, sharedTiers(others));
  const isOnlyOne = others.every(({ row }) => row.qualityTierIds?.includes(qualityTierId));
  return isOnlyOne && line.catalogue.hasRowInTiers(section, [qualityTierId]);
}
