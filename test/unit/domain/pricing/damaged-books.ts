import fc from 'fast-check';
import { ApiError } from '../../../../src/domain/errors';
import { priceQuote } from '../../../../src/domain/pricing';
import type { PriceBook } from '../../../../src/domain/price-book/price-book';
import type { QuoteItem } from '../../../../src/domain/basket/quote-request';
import type { StoredCatalogue } from '../../../../src/domain/catalogue';
import { SEED_CATALOGUE } from '../../../../src/db/seed/catalogue';
import { FIRST_PRICE_BOOK } from '../../../../src/db/seed/price-book';
import { anAddress, anInput, anItem } from './basket';

type Json = Record<string, unknown>;

/** The dotted path of every value of the book that is no object or array, or an empty one. */
function leavesOf(value: unknown, path: string[] = []): string[][] {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return entries.length === 0 ? [path] : entries.flatMap(([key, child]) => leavesOf(child, [...path, key]));
}

const LEAVES = leavesOf(FIRST_PRICE_BOOK);

/** Invalid values, and the extremes of valid ones. */
const WRONG_VALUES: unknown[] = [
  undefined,
  null,
  true,
  '',
  'x',
  '\u0000',
  '\ud800',
  '0',
  -1,
  0,
  1,
  0.5,
  10_000,
  100_000,
  1_000_000,
  1_000_000_000,
  100_000_000_000,
  Number.MAX_SAFE_INTEGER,
  1e308,
  [],
  {},
  [null],
  { '30mm': 1 },
  'AU',
  'NZ',
  '9999',
  '2026-02-29',
  '9999-12-31',
  '00:00',
  '23:59',
  'UTC',
  'x'.repeat(501),
];

/** A copy of the book with one leaf deleted (undefined) or replaced. Unchanged if the leaf does not exist. */
export function damageBook(book: unknown, path: readonly string[], value: unknown): unknown {
  const copy = structuredClone(book) as Json;
  const parent = path.slice(0, -1).reduce<unknown>((node, key) => (isParent(node) ? node[key] : undefined), copy);
  if (!isParent(parent)) return copy;
  const last = path.at(-1) ?? '';
  if (value !== undefined) parent[last] = value;
  else if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else delete parent[last];
  return copy;
}

const isParent = (node: unknown): node is Json => typeof node === 'object' && node !== null;

/** One leaf of the first book with another value. */
export const anyDamage: fc.Arbitrary<(book: unknown) => unknown> = fc
  .tuple(fc.constantFrom(...LEAVES), fc.oneof(fc.constantFrom(...WRONG_VALUES), fc.integer(), fc.string()))
  .map(([path, value]) =>
    Object.assign((book: unknown) => damageBook(book, path, value), { toString: () => `${path.join('.')} = ${JSON.stringify(value)}` }),
  );

const BOTH_MATS = { matTopMm: '30', matRightMm: '30', matBottomMm: '90', matLeftMm: '30' };

/** Every product with every part that has a separate rate. */
export const EVERY_ITEM: readonly QuoteItem[] = [
  anItem('fine-art-printing', { borderMm: '20', tornEdge: 'true' }),
  anItem('fine-art-printing', { mediaId: 'media-studio-satin', artworkWidthMm: '1000', artworkHeightMm: '2500' }, { quantity: 990 }),
  anItem(
    'fine-art-printing',
    { mediaId: 'media-lustre-260', artworkWidthMm: '210', artworkHeightMm: '297', sleeve: 'A4' },
    { quantity: 60 },
  ),
  anItem('everyday-art-prints', { sleeve: 'A3' }, { quantity: 12 }),
  anItem('print-and-mat', { ...BOTH_MATS, matSizeMm: undefined, textWindowWidthMm: '80', textWindowHeightMm: '20' }),
  anItem('print-and-mat', { matSizeMm: undefined }),
  anItem('print-and-mat', { matSizeMm: '5', raisedFloat: 'true', raisedFloatDepthMm: '10' }),
  anItem('custom-framing'),
  anItem(
    'custom-framing',
    {
      matColorId: undefined,
      matSizeMm: undefined,
      backingId: undefined,
      glazingId: 'glazing-clear-acrylic-2',
      artworkWidthMm: '1000',
      artworkHeightMm: '2000',
    },
    { quantity: 250 },
  ),
  anItem('custom-framing', {
    matColorId: undefined,
    matSizeMm: undefined,
    mouldingId: 'moulding-float-black-12',
    raisedFloat: 'true',
    raisedFloatRiserColour: 'black',
  }),
  anItem('canvas-printing', { depth: '18mm', finish: 'gloss' }),
  anItem('canvas-printing', { mouldingId: 'moulding-float-oak-15' }, { quantity: 40 }),
  anItem('canvas-printing', { format: 'print-only', depth: undefined }),
];

/** Each product alone, and all together, to near and far zones, each with a rush tier. */
const BASKETS = [...EVERY_ITEM.map((item) => [item]), [...EVERY_ITEM]];
const DESTINATIONS: Delivery[] = [
  { shippingAddress: anAddress(), rushTier: 'critical' },
  { shippingAddress: anAddress({ postcode: '0872' }), rushTier: 'express' },
  { shippingAddress: anAddress({ country: 'NZ', postcode: '6011' }) },
  { shippingAddress: anAddress({ country: 'DE', postcode: '10115' }), rushTier: 'standard' },
];

/** The result of pricing every basket with this book: `quote`, the code of a refusal, or a forbidden outcome. */
export function priceEveryBasket(book: PriceBook, catalogue: StoredCatalogue = SEED_CATALOGUE): Set<string> {
  return new Set(BASKETS.flatMap((items) => DESTINATIONS.flatMap((delivery) => priceEveryMethod({ book, catalogue }, items, delivery))));
}

type Delivery = Pick<Parameters<typeof priceQuote>[0]['request'], 'shippingAddress' | 'rushTier'>;

function priceEveryMethod(terms: { book: PriceBook; catalogue: StoredCatalogue }, items: QuoteItem[], delivery: Delivery): string[] {
  const ask = (shippingMethodId: string | null): string | ApiError =>
    outcomeOf(() =>
      priceQuote(
        anInput(items, {
          ...terms,
          criticalRushEnabled: true,
          account: { tradeDiscountBps: 2000 },
          request: { ...delivery, shippingMethodId },
        }),
      ),
    );
  const discovery = ask(null);
  if (!(discovery instanceof ApiError) || discovery.code !== 'SHIPPING_UNAVAILABLE') return [outcomeName(discovery)];
  const options = (discovery.details?.['shippingOptions'] ?? []) as { id: string; priceCents: number; requiresQuote: boolean }[];
  const prices = options.map(({ id, priceCents }) =>
    Number.isSafeInteger(priceCents) && priceCents >= 0 ? 'option' : `${id} costs ${priceCents}`,
  );
  return [...prices, ...options.filter(({ requiresQuote }) => !requiresQuote).map(({ id }) => outcomeName(ask(id)))];
}

const outcomeName = (outcome: string | ApiError): string => (outcome instanceof ApiError ? outcome.code : outcome);

function outcomeOf(work: () => object): string | ApiError {
  try {
    return findOddFigure(work()) ?? 'quote';
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return error;
    return `threw ${String(error)}`;
  }
}

/** An invalid number or date; undefined if all are valid. */
function findOddFigure(value: object, path = ''): string | undefined {
  for (const [key, child] of Object.entries(value)) {
    const at = `${path}.${key}`;
    if (child === undefined) return `${at} is undefined`;
    if (typeof child === 'number' && !Number.isSafeInteger(child)) return `${at} is ${child}`;
    if (key === 'promisedReadyDate' && child !== null && !/^\d{4}-\d\d-\d\d$/.test(String(child))) return `${at} is ${String(child)}`;
    const deeper = typeof child === 'object' && child !== null ? findOddFigure(child, at) : undefined;
    if (deeper !== undefined) return deeper;
  }
  return undefined;
}

/** The leaves of a book, and the allowed outcomes of an accepted one. */
export const LEAF_PATHS: readonly string[][] = LEAVES;
export const EXPECTED_OUTCOME =
  /^(quote|option|PRODUCT_UNAVAILABLE|PRODUCT_UNSUPPORTED|INVALID_QUANTITY|MAT_BELOW_MINIMUM|SHIPPING_UNAVAILABLE|VALIDATION_ERROR)$/;
