import { readArtworkFit } from '../artwork-fit';
import { validationError } from '../errors';
import { formatCents, sumCents } from '../money';
import type { ProductRow } from '../catalogue';
import type { PricedJob, PricedLine } from './priced-quote';
import { findProduct } from '../products';
import type { Cut } from '../products/cuts';
import type { Product } from '../products/product';
import { calculateComponent, jsonPointer, type PriceComponent } from '../price-component';
import { checkAll } from '../basket/basket-refusal';
import { linePath, quoted, lineRefusal, type Line } from '../basket/line';
import type { LadderStep, ProductTerms } from '../price-book/price-book';
import type { Piece } from '../shipping/piece';

export interface LineResult {
  line: PricedLine;
  job: PricedJob;
  piece: Piece;
  breakdown: LineBreakdown;
}
export interface LineBreakdown {
  components: PriceComponent[];
  unitBaseCents: number;
  ladderBps: number;
  /** Negative: the reduction of the unit price by quantity; null without one. */
  ladder: PriceComponent | null;
  unitPriceCents: number;
  quantity: number;
  amountCents: number;
}

/**
 * Checks one line (product, quantity, variant keys, materials, borders, artwork, in this order) and prices it. If `ownsArtwork` is null,
 * artwork is not checked.
 */
export function priceLine(line: Line, ownsArtwork: ((url: string) => boolean) | null): LineResult {
  const { product, row } = findProduct(line);
  const [terms, { components, piece, cuts }] = checkAll(
    () => checkQuantity(line),
    () => product.plan(line),
    () => {
      if (ownsArtwork !== null) checkArtwork(line, row, ownsArtwork);
    },
  );
  const breakdown = calculateAmounts(line, components, terms.ladder);
  return { line: toPricedLine(line, row, breakdown), job: toJob(line, product, cuts), piece, breakdown };
}

function checkQuantity(line: Line): ProductTerms {
  const { productSlug, quantity } = line.item;
  const { products } = line.book;
  const terms = Object.hasOwn(products, productSlug) ? products[productSlug] : undefined;
  if (!terms) {
    const text = `productSlug ${quoted(productSlug)} has no price at present; choose another product`;
    throw lineRefusal(line, 'PRODUCT_UNSUPPORTED', text, 'productSlug');
  }
  if (quantity >= terms.minQuantity && quantity <= terms.maxQuantity) return terms;
  const text = `quantity ${quantity} is outside what ${productSlug} allows; send ${terms.minQuantity} to ${terms.maxQuantity}`;
  throw lineRefusal(line, 'INVALID_QUANTITY', text, 'quantity');
}

/** Artwork is required if the product needs it, and must belong to the account (specification "Artwork ownership rules"). */
function checkArtwork(line: Line, row: ProductRow, ownsArtwork: (url: string) => boolean): void {
  const { imageUrl } = line.item;
  if (imageUrl === undefined || imageUrl === null) {
    if (!row.requiresArtwork) return;
    throw lineRefusal(line, 'ARTWORK_REQUIRED', `${row.slug} needs artwork; upload the file and send its url as imageUrl`, 'imageUrl');
  }
  if (ownsArtwork(imageUrl)) return;
  const text = 'imageUrl is not an upload of this account; upload the file and send its url exactly as it was returned';
  throw lineRefusal(line, 'ARTWORK_NOT_ALLOWED', text, 'imageUrl');
}

/** Calculates components → unit base → ladder → unit price → × quantity. Throws VALIDATION_ERROR above the book's ceiling. */
function calculateAmounts(line: Line, components: PriceComponent[], ladder: readonly LadderStep[]): LineBreakdown {
  const { quantity } = line.item;
  const unitBaseCents = sumCents(components.map(({ cents }) => cents));
  const reduction = ladderReduction(line, ladder, unitBaseCents);
  const unitPriceCents = unitBaseCents + (reduction?.cents ?? 0);
  const amountCents = unitPriceCents * quantity;
  checkCeiling(line, unitPriceCents, amountCents);
  return { components, unitBaseCents, ladderBps: reduction?.rate ?? 0, ladder: reduction, unitPriceCents, quantity, amountCents };
}

function ladderReduction({ item }: Line, ladder: readonly LadderStep[], unitBaseCents: number): PriceComponent | null {
  const step = ladder.findLastIndex(({ fromQuantity }) => item.quantity >= fromQuantity);
  const value = ladder[step]?.reductionBps ?? 0;
  if (value === 0) return null;
  const at = jsonPointer('products', item.productSlug, 'ladder', step, 'reductionBps');
  return calculateComponent(
    'reduction',
    unitBaseCents,
    { value, at },
    { code: 'ladder', note: `from quantity ${ladder[step]?.fromQuantity}` },
  );
}

function checkCeiling(line: Line, unitPriceCents: number, amountCents: number): void {
  const ceiling = line.book.lineCeilingCents;
  if (amountCents <= ceiling) return;
  const units = Math.floor(ceiling / unitPriceCents);
  const advice = units > 0 ? `send a quantity of ${units} or less, or a smaller size` : 'send a smaller size';
  throw validationError([{ path: linePath(line), message: `exceeds the maximum of ${formatCents(ceiling)} for one line; ${advice}` }]);
}

function toPricedLine(line: Line, row: ProductRow, { unitPriceCents, amountCents, quantity }: LineBreakdown): PricedLine {
  const externalReference = line.item.externalReference ?? null;
  return { externalReference, productSlug: row.slug, productName: row.name, quantity, unitPriceCents, amountCents };
}

/** Returns the line's job for production, with only the selections that the product knows, as sent. */
function toJob(line: Line, product: Product, cuts: Cut[]): PricedJob {
  const { variantSelections, quantity, imageUrl } = line.item;
  const knownKeys = product.keys.filter((key) => Object.hasOwn(variantSelections, key));
  const selections = Object.fromEntries(knownKeys.map((key) => [key, variantSelections[key] ?? '']));
  if (readArtworkFit(selections['artworkFit']) === null) delete selections['artworkFit'];
  return { productSlug: product.slug, quantity, selections, imageUrl: imageUrl ?? null, cuts };
}
