import { priceQuote } from '../../../src/domain/pricing';
import type { QuoteItem } from '../../../src/domain/basket/quote-request';
import { anAddress, anInput, ARTWORK, refusalOutcome } from '../domain/pricing/basket';
import { readPage } from './markdown';

/**
 * Prices baskets independently from docs/pricing.md and docs/first-price-book.md. The results must equal those of the engine, so integrators
 * can calculate every price from the two pages.
 */
const PAGE = readPage('docs/first-price-book.md');
const rows = (title: string): Map<string, string[]> => new Map(PAGE.table(title).map(([id = '', ...cells]) => [id, cells]));
const STOCKS = rows('Stocks');
const MOULDINGS = rows('Mouldings');
const GLAZING = rows('Glazing');
const SLEEVES = rows('Sleeves');
const PRODUCTS = rows('Products');
const RATES = rows('Rates');
const RUSH = rows('Rush');
const WEIGHTS = rows('Weights and thicknesses');
const PARCELS = rows('Parcels');
const METHODS = rows('Delivery methods');
const ZONES = PAGE.table('Zones');
const UNTAXED = PAGE.table('Untaxed zones');
const PRICES = PAGE.table('Delivery prices');

const readNumber = (table: Map<string, string[]>, id: string, at = 0): number => {
  const text = table.get(id)?.[at];
  if (text === undefined) throw new Error(`the page has no "${id}"`);
  return Number.parseFloat(text);
};
const readRate = (name: string): number => readNumber(RATES, name);
const readWeight = (name: string): number => readNumber(WEIGHTS, name);
const divideRounded = (over: number, under: number): number => Math.floor((2 * over + under) / (2 * under)); // half up
const perArea = (w: number, h: number, cents: number): number => divideRounded(w * h * cents, 1_000_000);
const perMetre = (mm: number, cents: number): number => divideRounded(mm * cents, 1000);
const gramsOf = (w: number, h: number, gsm: number): number => Math.ceil((w * h * gsm) / 1_000_000);

interface Piece {
  kind: string;
  size: [long: number, short: number];
  thickness: number;
  grams: number;
}
interface Unit {
  cents: number;
  piece: Piece;
}
const COLLECTION = 'studio-collection';
type Selections = Record<string, string>;

const sortSides = (w: number, h: number): [number, number] => [Math.max(w, h), Math.min(w, h)];
const flatOrKind = (kind: string, w: number, h: number): string => {
  const [long, short] = sortSides(w, h);
  return long <= readWeight('flat mailer, long edge up to') && short <= readWeight('flat mailer, short edge up to') ? 'flat' : kind;
};

function pricePrint(id: string, w: number, h: number): { cents: number; grams: number } {
  return {
    cents: Math.max(readNumber(STOCKS, id, 2), perArea(w, h, readNumber(STOCKS, id, 1))),
    grams: gramsOf(w, h, readNumber(STOCKS, id, 3)),
  };
}

function priceFrame(id: string, w: number, h: number): { cents: number; grams: number; outer: [number, number]; depth: number } {
  const [width, depth] = [readNumber(MOULDINGS, id, 0), readNumber(MOULDINGS, id, 1)];
  const cut = 2 * (w + h) + 8 * width;
  const step = readRate('moulding length is rounded up to');
  const billed = Math.ceil((cut * (100 + readRate('moulding waste'))) / (100 * step)) * step;
  return {
    cents: perMetre(billed, readNumber(MOULDINGS, id, 3)) + readRate('join, each frame'),
    grams: Math.ceil((cut * width * depth * readWeight('moulding, kg per m³')) / 1_000_000),
    outer: [w + 2 * width, h + 2 * width],
    depth,
  };
}

/** Sizes around the artwork, and the cost of mounting. `hasMat` is true even for a board that is not cut below a raised float. */
function priceMount(w: number, h: number, choice: Selections): { size: [number, number]; cents: number; hasMat: boolean } {
  const float = choice['raisedFloat'] === 'true';
  const hasMat = choice['matColorId'] !== undefined;
  const none = float ? readRate('reveal of a raised float, where none is sent') : readRate('mat border, where none is sent');
  const side = !float && !hasMat ? 0 : Number(choice['matSizeMm'] ?? none);
  const size: [number, number] = [w + 2 * side, h + 2 * side];
  const board = hasMat ? perArea(...size, readRate('mat, per m²')) : 0;
  const cut = hasMat && !float ? readRate('mat cut, each') : 0;
  const caption = choice['textWindowWidthMm'] === undefined ? 0 : readRate('caption window, each');
  const riser = float ? perMetre(2 * (w + h), readRate(`riser of ${choice['raisedFloatDepthMm'] ?? '6'} mm, per meter`)) : 0;
  return { size, cents: board + cut + caption + riser, hasMat };
}

const UNIT_PRICING: Record<string, (w: number, h: number, choice: Selections) => Unit> = {
  'fine-art-printing': (w, h, choice) => {
    const outside = choice['borderMode'] === 'inside' ? 0 : Number(choice['borderMm'] ?? 0);
    const more = 2 * (outside + (choice['tornEdge'] === 'true' ? 15 : 0));
    const print = priceLoosePrint(w + more, h + more, choice);
    const own = pricePrint(choice['mediaId'] ?? '', w + more, h + more).cents;
    const torn = Math.max(readRate('torn edge, at least'), divideRounded(own * readRate('torn edge, share of the print'), 100));
    return choice['tornEdge'] === 'true' ? { ...print, cents: print.cents + torn } : print;
  },
  'everyday-art-prints': (w, h, choice) => priceLoosePrint(w, h, choice),
  'print-and-mat': (w, h, choice) => {
    const print = pricePrint(choice['mediaId'] ?? '', w, h);
    const { size, cents } = priceMount(w, h, choice);
    const boards = gramsOf(...size, readWeight('mat board, g per m²') + readWeight('backing, g per m²'));
    return {
      cents: print.cents + cents + perArea(...size, readRate('backing board of a print and mat, per m²')),
      piece: {
        kind: flatOrKind('box', ...size),
        size: sortSides(...size),
        thickness: readWeight('thickness of a print and mat'),
        grams: print.grams + boards,
      },
    };
  },
  'custom-framing': (w, h, choice) => {
    const print = pricePrint(choice['mediaId'] ?? '', w, h);
    const { size, cents, hasMat } = priceMount(w, h, choice);
    const frame = priceFrame(choice['mouldingId'] ?? '', ...size);
    const glazingId = choice['glazingId'] ?? '';
    const backing = choice['backingId'] === undefined ? 0 : perArea(...size, readRate('backing of a frame, per m²'));
    const sheets =
      readNumber(GLAZING, glazingId, 1) +
      (choice['backingId'] === undefined ? 0 : readWeight('backing, g per m²')) +
      (hasMat ? readWeight('mat board, g per m²') : 0);
    const glass = perArea(...size, readNumber(GLAZING, glazingId));
    return {
      cents: print.cents + cents + frame.cents + glass + backing + readRate('assembly, each frame'),
      piece: {
        kind: 'box',
        size: sortSides(...frame.outer),
        thickness: frame.depth,
        grams: print.grams + frame.grams + gramsOf(...size, sheets),
      },
    };
  },
  'canvas-printing': (w, h, choice) => {
    const print = pricePrint(choice['mediaId'] ?? '', w, h);
    const finish = choice['finish'] === undefined ? 0 : perArea(w, h, readRate(`finish ${choice['finish']}, per m²`));
    const rolled: Piece = {
      kind: 'tube',
      size: sortSides(w, h),
      thickness: readWeight('thickness of a sheet or a rolled canvas'),
      grams: print.grams,
    };
    const depth = choice['depth'];
    if (depth === undefined) return { cents: print.cents + finish, piece: rolled };
    const bars = perMetre(2 * (w + h), readRate(`bars of ${depth}, per meter`));
    const grams = print.grams + Math.ceil((2 * (w + h) * readWeight('stretcher bars, g per meter')) / 1000);
    const stretched: Piece = { kind: 'box', size: sortSides(w, h), thickness: Number.parseInt(depth, 10), grams };
    const cents = print.cents + finish + bars;
    if (choice['mouldingId'] === undefined) return { cents, piece: stretched };
    const frame = priceFrame(choice['mouldingId'], w, h);
    return {
      cents: cents + frame.cents,
      piece: { kind: 'box', size: sortSides(...frame.outer), thickness: frame.depth, grams: grams + frame.grams },
    };
  },
};

function priceLoosePrint(w: number, h: number, { mediaId = '', sleeve }: Selections): Unit {
  const print = pricePrint(mediaId, w, h);
  const thickness = readWeight('thickness of a sheet or a rolled canvas');
  if (sleeve === undefined)
    return { cents: print.cents, piece: { kind: flatOrKind('tube', w, h), size: sortSides(w, h), thickness, grams: print.grams } };
  const [across, down] = [readNumber(SLEEVES, sleeve), readNumber(SLEEVES, sleeve, 1)];
  const grams = print.grams + gramsOf(across, down, readWeight('sleeve with its board, g per m²'));
  return {
    cents: print.cents + readNumber(SLEEVES, sleeve, 2),
    piece: {
      kind: flatOrKind('box', across, down),
      size: sortSides(across, down),
      thickness: readWeight('thickness of a sleeved print'),
      grams,
    },
  };
}

interface Parcel {
  kind: string;
  longest: number;
  grams: number;
  kg: number;
}

/** Packs pieces in sequence, as on the page. */
function packPieces(pieces: readonly Piece[]): Parcel[] {
  return [...PARCELS.keys()].flatMap((kind) => {
    const bound = (at: number): number => readNumber(PARCELS, kind, at);
    const parcels: Parcel[] = [];
    let rest = pieces
      .filter((piece) => piece.kind === kind)
      .toSorted(
        (a, b) => b.size[0] * b.size[1] - a.size[0] * a.size[1] || b.thickness - a.thickness || b.grams - a.grams || b.size[0] - a.size[0],
      );
    while (rest.length > 0) {
      const inside: Piece[] = [];
      let [grams, stack] = [0, 0];
      rest = rest.filter((piece) => {
        const fits = inside.length === 0 || (grams + piece.grams <= bound(2) && stack + piece.thickness <= bound(3));
        if (!fits) return true;
        inside.push(piece);
        grams += piece.grams;
        stack += piece.thickness;
        return false;
      });
      const most = (at: 0 | 1): number => Math.max(...inside.map(({ size }) => size[at])) + bound(0);
      const outer = kind === 'tube' ? [most(1), bound(4), bound(4)] : [most(0), most(1), Math.max(bound(4), stack + bound(0))];
      const cubic = Math.ceil((outer.reduce((product, mm) => product * mm, 1) * readWeight('cubic weight, kg per m³')) / 1_000_000);
      const total = grams + bound(1);
      parcels.push({ kind, longest: outer[0] ?? 0, grams: total, kg: Math.ceil(Math.max(total, cubic) / 1000) });
    }
    return parcels;
  });
}

const isListed = (postcode: string, ranges: string): boolean =>
  ranges.split(' ').some((range) => postcode >= range.slice(0, 4) && postcode <= range.slice(5));

function zoneOf(country: string, postcode: string): string | undefined {
  return ZONES.find(
    ([, , countries = '', postcodes = '']) =>
      countries.split(' ').includes(country) && (postcodes === 'all' || isListed(postcode, postcodes)),
  )?.[0];
}

/** The cost of delivery, or null if the method does not carry the basket to the destination. */
function deliveryPrice(method: string, zone: string | undefined, parcels: readonly Parcel[]): number | null {
  if (method === COLLECTION) return 0;
  const price = PRICES.find(([id, to]) => id === method && to === zone);
  const [, , flat = 0, tube = 0, box = 0, perKg = 0] = (price ?? []).map(Number);
  if (
    price === undefined ||
    parcels.some(({ longest, grams }) => longest > readNumber(METHODS, method) || grams > readNumber(METHODS, method, 1))
  )
    return null;
  const base: Record<string, number> = { flat, tube, box };
  const steps = [...(METHODS.get(method)?.[2] ?? '').matchAll(/over (\d+): (\d+)/g)].map(([, over, cents]) => [
    Number(over),
    Number(cents),
  ]);
  const oversize = (longest: number): number => steps.findLast(([over = 0]) => longest > over)?.[1] ?? 0;
  return parcels.reduce((sum, { kind, longest, kg }) => sum + (base[kind] ?? 0) + perKg * kg + oversize(longest), 0);
}

interface Basket {
  items: QuoteItem[];
  method: string;
  country: string;
  postcode: string;
  discountBps: number;
  rushTier: 'express' | 'critical' | undefined;
}

/** The figures of a quote, or null if the method does not carry it. */
function priceByPages({ items, method, country, postcode, discountBps, rushTier }: Basket) {
  const units = items.map(({ productSlug, variantSelections: choice }) => {
    const [w, h] = [Number(choice['artworkWidthMm']), Number(choice['artworkHeightMm'])];
    const unit = UNIT_PRICING[productSlug]?.(w, h, choice as Selections);
    if (unit === undefined) throw new Error(productSlug);
    return unit;
  });
  const lines = items.map(({ productSlug, quantity }, at) => {
    const ladder = [...(PRODUCTS.get(productSlug)?.[1] ?? '').matchAll(/from (\d+): (\d+) %/g)];
    const off = Number(ladder.findLast(([, from]) => quantity >= Number(from))?.[2] ?? 0);
    const unitPriceCents = divideRounded((units[at]?.cents ?? 0) * (100 - off), 100);
    return { unitPriceCents, amountCents: unitPriceCents * quantity };
  });
  const pieces = items.flatMap(({ quantity }, at) => Array.from({ length: quantity }, () => units[at]?.piece as Piece));
  const shippingCents = deliveryPrice(method, zoneOf(country, postcode), packPieces(pieces));
  if (shippingCents === null) return null;
  const sum = lines.reduce((total, { amountCents }) => total + amountCents, 0);
  const discountCents = divideRounded(sum * discountBps, 10_000);
  const subtotalCents = sum + Math.max(0, readRate('smallest order') - (sum - discountCents));
  const net = subtotalCents - discountCents;
  const rushFeeCents =
    rushTier === undefined ? 0 : Math.max(readNumber(RUSH, rushTier, 1), divideRounded(net * readNumber(RUSH, rushTier), 100));
  const totalCents = net + shippingCents + rushFeeCents;
  const exported = country !== 'AU' || UNTAXED.some(([, postcodes = '']) => isListed(postcode, postcodes));
  const gstCents = exported && method !== COLLECTION ? 0 : divideRounded(totalCents, readRate('GST divisor, in AU'));
  return { lines, subtotalCents, discountCents, shippingCents, rushFeeCents, totalCents, gstCents };
}

/** A small generator with a seed, to repeat a failure. */
function seededRandom(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  const one = <T>(of: readonly T[]): T => of[between(0, of.length - 1)] as T;
  return { between, one, chance: (share: number): boolean => next() < share };
}
type Random = ReturnType<typeof seededRandom>;

const idsOf = (table: Map<string, string[]>, fits: (cells: string[]) => boolean = () => true): string[] =>
  [...table].filter(([, cells]) => fits(cells)).map(([id]) => id);

function anyChoice(slug: string, { between, one, chance }: Random): Selections {
  const [w, h] = slug === 'everyday-art-prints' ? [between(90, 600), between(90, 900)] : [between(90, 900), between(90, 1400)];
  const size = { artworkWidthMm: `${w}`, artworkHeightMm: `${h}` };
  const pool = slug === 'canvas-printing' ? 'canvas' : slug === 'everyday-art-prints' ? 'everyday' : 'papers';
  const mediaId = one(idsOf(STOCKS, ([of]) => of === pool));
  const sleeve = (grow: number): Selections => {
    const [long, short] = sortSides(w + grow, h + grow);
    const fitting = idsOf(SLEEVES, ([across, down, , everyday]) => {
      const [most, least] = sortSides(Number(across), Number(down));
      return long <= most && short <= least && (pool === 'papers' || everyday === 'yes');
    });
    return fitting.length > 0 && chance(0.5) ? { sleeve: one(fitting) } : {};
  };
  const mat = (): Selections => {
    const float = chance(0.3);
    const border: Selections = chance(0.7) ? { matSizeMm: `${between(float ? 5 : 25, 150)}` } : {};
    if (!float) return { ...border, ...(chance(0.3) ? { textWindowWidthMm: '80', textWindowHeightMm: '20' } : {}) };
    const depth: Selections = chance(0.5) ? { raisedFloatDepthMm: '10' } : { raisedFloatRiserColour: 'black' };
    return { ...border, raisedFloat: 'true', ...depth };
  };
  switch (slug) {
    case 'fine-art-printing': {
      const torn = chance(0.3);
      const borderMm = chance(0.5) ? between(0, 40) : 0;
      const paper = torn ? one(idsOf(STOCKS, ([, , , , , tears]) => tears === 'yes')) : mediaId;
      const border: Selections = borderMm > 0 ? { borderMm: `${borderMm}`, borderMode: one(['inside', 'outside']) } : {};
      const grow = 2 * ((border['borderMode'] === 'outside' ? borderMm : 0) + (torn ? 15 : 0));
      return { ...size, mediaId: paper, ...border, ...(torn ? { tornEdge: 'true' } : {}), ...sleeve(grow) };
    }
    case 'everyday-art-prints':
      return { ...size, mediaId, ...sleeve(0) };
    case 'print-and-mat':
      return { ...size, mediaId, matColorId: 'mat-white', ...mat() };
    case 'custom-framing': {
      const mounting: Selections = chance(0.7) ? { matColorId: 'mat-white', ...mat() } : {};
      const mouldingId = one(idsOf(MOULDINGS, (cells) => mounting['raisedFloat'] === undefined || cells[4] === 'yes'));
      const backing: Selections = chance(0.5) ? { backingId: 'backing-foam-5' } : {};
      return { ...size, mediaId, mouldingId, glazingId: one(idsOf(GLAZING)), ...backing, ...mounting };
    }
    default: {
      const finish: Selections = chance(0.5) ? { finish: one(['matte', 'satin', 'gloss']) } : {};
      if (chance(0.3)) return { ...size, mediaId, format: 'print-only', ...finish };
      const frame: Selections = chance(0.5)
        ? { depth: '30mm', mouldingId: one(idsOf(MOULDINGS, (cells) => cells[4] === 'yes')) }
        : { depth: one(['18mm', '30mm', '38mm']) };
      return { ...size, mediaId, format: 'stretched', ...finish, ...frame };
    }
  }
}

function anyBasket(seed: number): Basket {
  const chosen = seededRandom(seed);
  const { between, one, chance } = chosen;
  const items = Array.from({ length: between(1, 3) }, (): QuoteItem => {
    const productSlug = one(Object.keys(UNIT_PRICING));
    const quantity = chance(0.6) ? between(1, 4) : between(5, 60);
    return { productSlug, quantity, imageUrl: ARTWORK, variantSelections: anyChoice(productSlug, chosen) };
  });
  const [country, postcode] = one([
    ['AU', '3000'],
    ['AU', '2250'],
    ['AU', '0800'],
    ['AU', '2898'],
    ['AU', '2899'],
    ['AU', '6799'],
    ['NF', '2899'],
    ['CX', '6798'],
    ['NZ', '6011'],
    ['JP', '100-0001'],
    ['US', '10001'],
    ['GB', 'EC1A 1BB'],
  ] as const);
  const methods = PRICES.filter(([, zone]) => zone === zoneOf(country, postcode)).map(([id = '']) => id);
  if (/^(?:au-|$)/.test(zoneOf(country, postcode) ?? '')) methods.push(COLLECTION);
  return {
    items,
    method: one(methods),
    country,
    postcode,
    discountBps: one([0, 1000, 2000, 3333]),
    rushTier: chance(0.3) ? one(['express', 'critical'] as const) : undefined,
  };
}

function priceByEngine({ items, method, country, postcode, discountBps, rushTier }: Basket) {
  const quote = priceQuote(
    anInput(items, {
      request: {
        shippingMethodId: method,
        shippingAddress: anAddress({ country, postcode }),
        ...(rushTier === undefined ? {} : { rushTier }),
      },
      account: { tradeDiscountBps: discountBps },
      criticalRushEnabled: true,
    }),
  );
  const { lines, subtotalCents, discountCents, shippingCents, rushFeeCents, totalCents, gstCents } = quote;
  const figures = { subtotalCents, discountCents, shippingCents, rushFeeCents, totalCents, gstCents };
  return { lines: lines.map(({ unitPriceCents, amountCents }) => ({ unitPriceCents, amountCents })), ...figures };
}

/** The engine's figures; the code of its refusal. */
function engineResult(basket: Basket): ReturnType<typeof priceByEngine> | string {
  try {
    return priceByEngine(basket);
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

it('the prices of 600 baskets with delivery follow from the pages', () => {
  const said: Record<string, number> = {};
  const slugs = new Set<string>();
  for (let seed = 1; seed <= 600; seed += 1) {
    const basket = anyBasket(seed * 7919);
    const answer = engineResult(basket);
    const outcomeOf = typeof answer === 'string' ? answer : 'priced';
    said[outcomeOf] = (said[outcomeOf] ?? 0) + 1;
    if (answer === 'PRODUCT_UNAVAILABLE') continue; // too large for the stock or moulding, or of another quality tier
    const expected = priceByPages(basket) ?? 'SHIPPING_UNAVAILABLE';
    expect({ basket, answer }).toEqual({ basket, answer: expected });
    if (outcomeOf === 'priced') for (const { productSlug } of basket.items) slugs.add(productSlug);
  }
  expect(slugs.size).toBe(Object.keys(UNIT_PRICING).length);
  expect(said['priced']).toBeGreaterThan(150);
  expect(said['SHIPPING_UNAVAILABLE']).toBeGreaterThan(20);
});

it.each(['moulding-oak-natural-20', 'moulding-walnut-20'])('maxLengthMm bounds the outer side of a frame of %s', (mouldingId) => {
  const longest = readNumber(MOULDINGS, mouldingId, 2) - 2 * readNumber(MOULDINGS, mouldingId, 0);
  const item = (artworkHeightMm: number): QuoteItem => ({
    productSlug: 'custom-framing',
    quantity: 1,
    imageUrl: ARTWORK,
    variantSelections: {
      artworkWidthMm: '300',
      artworkHeightMm: `${artworkHeightMm}`,
      mediaId: 'media-lustre-260',
      mouldingId,
      glazingId: 'glazing-clear-acrylic-2',
    },
  });
  expect(() => priceQuote(anInput([item(longest)]))).not.toThrow();
  expect(refusalOutcome([item(longest + 1)]).code).toBe('PRODUCT_UNAVAILABLE');
});
