import { MEDIA_SECTIONS, rowId, type StoredCatalogue, type StoredCatalogueSection } from '../catalogue';
import type { ValidationIssue } from '../errors';
import { productsAccepting, type OrderableSlug } from '../orderable-products';
import type { PriceBook } from './price-book';
import { printClassOf, findPrintRate, lookUpRate } from './rates';

/** A row on offer: the products that accept it, whether the book prices it, and the path of its rates. */
interface OfferedRow {
  section: StoredCatalogueSection;
  id: string;
  takenBy: OrderableSlug[];
  isPriced: boolean;
  table: string;
  /** The path of the rate for rows without their own; null if there is none. */
  general: string | null;
}

/**
 * Finds rows on offer without a rate. Clients would see them but never get a quote. Rows without a product or quality tier need no rate.
 */
export function offerIssues(book: PriceBook, catalogue: StoredCatalogue): ValidationIssue[] {
  const offeredSlugs = new Set(catalogue.products.map(({ slug }) => slug));
  const rows = [...prints(book, catalogue), ...mouldings(book, catalogue), ...sheets(book, catalogue), ...sleeves(book, catalogue)];
  return rows
    .map((row) => ({ ...row, takenBy: row.takenBy.filter((slug) => offeredSlugs.has(slug)) }))
    .filter(({ isPriced, takenBy }) => !isPriced && takenBy.length > 0)
    .map(({ section, id, takenBy, table, general }) => ({
      path: `${table}.${id}`,
      message: `is required while ${id} is on offer for ${takenBy.join(', ')}; add a rate${general === null ? '' : `, set ${general}`}, or withdraw it from the catalogue's ${section}`,
    }));
}

function prints(book: PriceBook, catalogue: StoredCatalogue): OfferedRow[] {
  return MEDIA_SECTIONS.flatMap((section) =>
    catalogue[section]
      .filter(({ surfaceType }) => section === 'canvasMedia' || surfaceType !== 'canvas')
      .map((stock) => ({
        section,
        id: stock.id,
        takenBy: productsAccepting(section),
        isPriced: findPrintRate(book, section, stock) !== null,
        table: 'print.byMediaId',
        general: `print.classes.${printClassOf(section, stock)}`,
      })),
  );
}

function mouldings({ mouldings: { centsPerMetreById, defaultCentsPerMetre } }: PriceBook, catalogue: StoredCatalogue): OfferedRow[] {
  return catalogue.mouldings.filter(isUsable).map(({ id, canvasFloatSuitable }) => ({
    section: 'mouldings',
    id,
    takenBy: [...productsAccepting('mouldings'), ...(canvasFloatSuitable ? productsAccepting('canvasMouldings') : [])],
    isPriced: lookUpRate(centsPerMetreById, defaultCentsPerMetre, id) !== null,
    table: 'mouldings.centsPerMetreById',
    general: 'mouldings.defaultCentsPerMetre',
  }));
}

function sheets(book: PriceBook, catalogue: StoredCatalogue): OfferedRow[] {
  const parts = [
    ['matboards', 'mats'],
    ['glazing', 'glazing'],
    ['backing', 'backing'],
  ] as const;
  return parts.flatMap(([section, part]) => {
    const { centsPerSqmById, defaultCentsPerSqm } = book[part];
    return catalogue[section].filter(isUsable).map(({ id }) => ({
      section,
      id,
      takenBy: productsAccepting(section),
      isPriced: lookUpRate(centsPerSqmById, defaultCentsPerSqm, id) !== null,
      table: `${part}.centsPerSqmById`,
      general: `${part}.defaultCentsPerSqm`,
    }));
  });
}

/** Everyday Art needs no check here, because it accepts only codes that the book lists with a price. */
function sleeves({ sleeves: { centsByCode } }: PriceBook, catalogue: StoredCatalogue): OfferedRow[] {
  return catalogue.sleeves.map((row) => {
    const id = rowId('sleeves', row);
    return {
      section: 'sleeves',
      id,
      takenBy: productsAccepting('sleeves'),
      isPriced: lookUpRate(centsByCode, null, id) !== null,
      table: 'sleeves.centsByCode',
      general: null,
    };
  });
}

/** A row with an empty list of tiers fits none, so it needs no rate. */
const isUsable = ({ qualityTierIds }: { qualityTierIds: string[] | null }): boolean => qualityTierIds === null || qualityTierIds.length > 0;
