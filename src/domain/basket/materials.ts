import { MEDIA_SECTIONS, type MediaRow, type MediaSection, type StoredSection, type TieredRow } from '../catalogue';
import type { ApiError } from '../errors';
import type { RowOf } from '../catalogue-index';
import { oneOf, quoted, refusal, type Line, type Place } from './line';
import { mediaSectionOf } from '../orderable-products';
import { together } from './basket-refusal';
import type { IdKey, VariantKey } from './variant-keys';
import { rateIn } from '../price-book/rates';
import { pointer, type Rate } from '../working';

/** A row of the catalogue by id, or PRODUCT_UNAVAILABLE naming ids that would work (ruling 19). */
export function findRow<S extends StoredSection>(line: Line, section: S, key: IdKey, id: string): RowOf<S> {
  const row = line.catalogue.find(section, id);
  if (row === undefined) throw unknownRow(line, section, key, id);
  return row;
}

/** `mediaId` takes ids of the section that its product prints on. */
const SECTIONS: Readonly<Record<Exclude<IdKey, 'mediaId'> | 'productSlug', StoredSection>> = {
  productSlug: 'products',
  mouldingId: 'mouldings',
  glazingId: 'glazing',
  backingId: 'backing',
  matColorId: 'matboards',
  qualityTierId: 'qualityTiers',
  sleeve: 'sleeves',
};
const hasSection = (place: Place): place is keyof typeof SECTIONS => Object.hasOwn(SECTIONS, place);

/** Where the ids come from that this place takes; null where it takes none. */
export function sectionOf({ item }: Line, place: Place): StoredSection | null {
  if (place === 'mediaId') return mediaSectionOf(item.productSlug);
  return hasSection(place) ? SECTIONS[place] : null;
}

/** The row that a key names. @throws LineRefusal PRODUCT_UNAVAILABLE */
export function checkId(line: Line, key: IdKey, id: string): void {
  if (key === 'mediaId') findMedia(line, id);
  else findRow(line, SECTIONS[key], key, id);
}

/** A stock of the line's pool. A canvas surface is for canvas lines only, whichever pool its row is in (trade endpoints "Catalogue object"). */
export function findMedia(line: Line, id: string): MediaRow {
  const section = mediaSectionOf(line.item.productSlug);
  const row = line.catalogue.find(section, id);
  if (row === undefined) throw wrongPool(line, section, id) ?? unknownRow(line, section, 'mediaId', id);
  if (section !== 'canvasMedia' && row.surfaceType === 'canvas') {
    throw unavailable(line, `mediaId ${quoted(id)} is a canvas stock, which only canvas-printing lines take`, 'mediaId');
  }
  return row;
}

function wrongPool(line: Line, section: MediaSection, id: string): ApiError | undefined {
  const found = MEDIA_SECTIONS.find((other) => line.catalogue.find(other, id) !== undefined);
  if (found === undefined) return undefined;
  const text = `mediaId ${quoted(id)} is from the catalogue's ${found}; ${line.item.productSlug} takes an id from its ${section}`;
  return unavailable(line, text, 'mediaId');
}

function unknownRow(line: Line, section: StoredSection, key: IdKey, id: string): ApiError {
  const state = line.catalogue.isWithdrawn(section, id) ? 'has been withdrawn' : "is not in the catalogue's " + section;
  const advice = line.catalogue.ids(section).length === 0 ? '; nothing there is available at present' : '';
  return unavailable(line, `${key} ${quoted(id)} ${state}${advice}`, key);
}

export const unavailable = (line: Line, text: string, ...places: [Place, ...Place[]]): ApiError =>
  refusal(line, 'PRODUCT_UNAVAILABLE', text, ...places);

/** Rates by id, and where they stand in the book. */
interface RateTable {
  rates: Record<string, number>;
  at: string;
  /** For ids without one; null: they are not sold. */
  fallback?: { rate: number | null; at: string };
}

/** The rate from the book, or PRODUCT_UNAVAILABLE: a material may enter the catalogue before it has a price. */
export function rateOf(line: Line, { rates, at, fallback }: RateTable, key: VariantKey, id: string): Rate {
  const value = rateIn(rates, fallback?.rate ?? null, id);
  if (value !== null) return { value, at: Object.hasOwn(rates, id) ? `${at}${pointer(id)}` : (fallback?.at ?? at) };
  throw unavailable(line, `${key} ${quoted(id)} has no price at present; choose another from the catalogue`, key);
}

export interface TieredChoice {
  key: IdKey;
  row: TieredRow;
}

export function findTier(line: Line, qualityTierId: string | undefined): void {
  if (qualityTierId !== undefined) findRow(line, 'qualityTiers', 'qualityTierId', qualityTierId);
}

/**
 * PRODUCT_UNAVAILABLE unless the materials may be combined: each restricted one belongs to `qualityTierId` where that is given, else all of
 * them share a tier. `qualityTierIds` null fits anywhere, `[]` nowhere (ruling 23).
 */
export function checkTiers(line: Line, choices: readonly TieredChoice[], qualityTierId: string | undefined): void {
  const restricted = choices.filter(({ row }) => row.qualityTierIds !== null);
  const solve = (...places: [IdKey, ...IdKey[]]) => solvingFirst(line, { restricted, qualityTierId }, places);
  together(...restricted.map((choice) => () => checkChoice(line, choice, qualityTierId, solve)));
  if (qualityTierId === undefined) checkSharedTier(line, restricted, solve);
}

type Solve = (...places: [IdKey, ...IdKey[]]) => [IdKey, ...IdKey[]];

function checkChoice(line: Line, { key, row }: TieredChoice, qualityTierId: string | undefined, solve: Solve): void {
  const tiers = row.qualityTierIds ?? [];
  if (tiers.length === 0) throw unavailable(line, `${key} ${quoted(row.id)} is in no quality tier at present; choose another`, key);
  if (qualityTierId === undefined || tiers.includes(qualityTierId)) return;
  throw unavailable(
    line,
    `${key} ${quoted(row.id)} is not in quality tier ${quoted(qualityTierId)}; it is in ${oneOf(tiers)}`,
    ...solve(key, 'qualityTierId'),
  );
}

function checkSharedTier(line: Line, restricted: readonly TieredChoice[], solve: Solve): void {
  if (restricted.length === 0 || sharedTiers(restricted).length > 0) return;
  const list = restricted.map(({ key, row }) => `${key} ${quoted(row.id)} (${oneOf(row.qualityTierIds ?? [])})`);
  // The material chosen last is the one most likely to be changed, so it is named first.
  const [last = 'mouldingId', ...others] = restricted.map(({ key }) => key).reverse();
  const text = `these materials share no quality tier: ${list.join(', ')}; choose materials of one tier`;
  throw unavailable(line, text, ...solve(last, ...others));
}

function sharedTiers(restricted: readonly TieredChoice[]): string[] {
  const [first, ...others] = restricted.map(({ row }) => row.qualityTierIds ?? []);
  return (first ?? []).filter((tier) => others.every((tiers) => tiers.includes(tier)));
}

interface TierConflict {
  restricted: readonly TieredChoice[];
  qualityTierId: string | undefined;
}

/** The places, first one where a row of the catalogue solves the conflict. Tiers alone are compared, so that every line can be judged. */
function solvingFirst(line: Line, conflict: TierConflict, places: [IdKey, ...IdKey[]]): [IdKey, ...IdKey[]] {
  const solving = places.find((place) => isSolvedAt(line, conflict, place));
  return solving === undefined ? places : [solving, ...places.filter((place) => place !== solving)];
}

function isSolvedAt(line: Line, { restricted, qualityTierId }: TierConflict, place: IdKey): boolean {
  if (place === 'qualityTierId') return sharedTiers(restricted).some((id) => line.catalogue.find('qualityTiers', id) !== undefined);
  const others = restricted.filter(({ key }) => key !== place);
  const section = sectionOf(line, place);
  if (section === null) return false;
  if (qualityTierId === undefined) return line.catalogue.hasRowInTiers(section, sharedTiers(others));
  const isOnlyOne = others.every(({ row }) => row.qualityTierIds?.includes(qualityTierId));
  return isOnlyOne && line.catalogue.hasRowInTiers(section, [qualityTierId]);
}
