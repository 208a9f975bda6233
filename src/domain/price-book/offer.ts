import { MEDIA_SECTIONS, rowId, type StoredCatalogue, type StoredSection } from '../catalogue';
import type { ValidationIssue } from '../errors';
import { takersOf, type OrderableSlug } from '../orderable-products';
import type { PriceBook } from './price-book';
import { printClass, printRate, rateIn } from './rates';

/** A row on offer: which products take it, whether the book prices it, and where its rate would stand. */
interface Offered {
  section: StoredSection;
  id: string;
  takenBy: OrderableSlug[];
  isPriced: boolean;
  table: string;
  /** What prices every row without a rate of its own; null where nothing does. */
  general: string | null;
}

/** Rows on offer without a rate: clients would see them and never get a quote. Rows of no product or no quality tier need none. */
export function offerIssues(book: PriceBook, catalogue: StoredCatalogue): ValidationIssue[] {
  const onOffer = new Set(catalogue.products.map(({ slug }) => slug));
  const all = [...prints(book, catalogue), ...mouldings(book, catalogue), ...sheets(book, catalogue), ...sleeves(book, catalogue)];
  return all
    .map((row) => ({ ...row, takenBy: row.takenBy.filter((slug) => onOffer.has(slug)) }))
    .filter(({ isPriced, takenBy }) => !isPriced && takenBy.length > 0)
    .map(({ section, id, takenBy, table, general }) => ({
      path: `${table}.${id}`,
      message: `is required while ${id} is on offer for ${takenBy.join(', ')}; add a rate${general === null ? '' : `, set ${general}`}, or withdraw it from the catalogue's ${section}`,
    }));
}

function prints(book: PriceBook, catalogue: StoredCatalogue): Offered[] {
  return MEDIA_SECTIONS.flatMap((section) =>
    catalogue[section]
      .filter(({ surfaceType }) => section === 'canvasMedia' || surfaceType !== 'canvas')
      .map((stock) => ({
        section,
        id: stock.id,
        takenBy: takersOf(section),
        isPriced: printRate(book, section, stock) !== null,
        table: 'print.byMediaId',
        general: `print.classes.${printClass(section, stock)}`,
      })),
  );
}

function mouldings({ mouldings: { centsPerMetreById, defaultCentsPerMetre } }: PriceBook, catalogue: StoredCatalogue): Offered[] {
  return catalogue.mouldings.filter(isUsable).map(({ id, canvasFloatSuitable }) => ({
    section: 'mouldings',
    id,
    takenBy: [...takersOf('mouldings'), ...(canvasFloatSuitable ? takersOf('canvasMouldings') : [])],
    isPriced: rateIn(centsPerMetreById, defaultCentsPerMetre, id) !== null,
    table: 'mouldings.centsPerMetreById',
    general: 'mouldings.defaultCentsPerMetre',
  }));
}

function sheets(book: PriceBook, catalogue: StoredCatalogue): Offered[] {
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
      takenBy: takersOf(section),
      isPriced: rateIn(centsPerSqmById, defaultCentsPerSqm, id) !== null,
      table: `${part}.centsPerSqmById`,
      general: `${part}.defaultCentsPerSqm`,
    }));
  });
}

/** Everyday art takes only codes that the book itself lists, with their prices. */
function sleeves({ sleeves: { centsByCode } }: PriceBook, catalogue: StoredCatalogue): Offered[] {
  return catalogue.sleeves.map((row) => {
    const id = rowId('sleeves', row);
    return {
      section: 'sleeves',
      id,
      takenBy: takersOf('sleeves'),
      isPriced: rateIn(centsByCode, null, id) !== null,
      table: 'sleeves.centsByCode',
      general: null,
    };
  });
}

/** A row whose list of tiers is empty fits nowhere, so it needs no rate (ruling 23). */
const isUsable = ({ qualityTierIds }: { qualityTierIds: string[] | null }): boolean => qualityTierIds === null || qualityTierIds.length > 0;
