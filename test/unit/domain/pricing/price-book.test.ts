import { readPriceBook, validatePriceBook } from '../../../../src/domain/price-book/read';
import { BOOK_SCHEMA, type ZoneRate } from '../../../../src/domain/price-book/price-book';
import { ORDERABLE_PRODUCTS } from '../../../../src/domain/products';
import { SEED_CATALOGUE } from '../../../../src/db/seed/catalogue';
import { FIRST_PRICE_BOOK } from '../../../../src/db/seed/price-book';

/** The first book as JSON with one value replaced, or removed with undefined. */
function bookWithChange(path: string, value: unknown): unknown {
  const book = JSON.parse(JSON.stringify(FIRST_PRICE_BOOK)) as Record<string, unknown>;
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  const parent = keys.reduce((at, key) => at[key] as Record<string, unknown>, book);
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return book;
}
const paths = (doc: unknown): string[] => validatePriceBook(doc).map(({ path }) => path);

describe('a price book', () => {
  it('the first one is valid and survives JSON', () => {
    expect(validatePriceBook(FIRST_PRICE_BOOK)).toEqual([]);
    expect(validatePriceBook(JSON.parse(JSON.stringify(FIRST_PRICE_BOOK)))).toEqual([]);
  });
  it.each([[null], [[]], ['book'], [7], [undefined]])('%p is refused', (doc) => {
    expect(validatePriceBook(doc)).toEqual([{ path: '', message: 'must be an object' }]);
  });
  it('an empty object is refused with every missing part', () => {
    expect(paths({})).toEqual(Object.keys(FIRST_PRICE_BOOK).filter((part) => part !== 'schema' && part !== 'standardBusinessDays'));
  });
  it.each<[string, unknown, string]>([
    ['currency', 'aud', 'currency'],
    ['timeZone', 'Mars/Olympus', 'timeZone'],
    ['timeZone', '+10:00', 'timeZone'],
    ['cutoffTime', '24:00', 'cutoffTime'],
    ['holidays.0', '2026-02-30', 'holidays.0'],
    ['minimumOrderCents', 2500.5, 'minimumOrderCents'],
    ['minimumOrderCents', -1, 'minimumOrderCents'],
    ['minimumOrderCents', '2500', 'minimumOrderCents'],
    ['lineCeilingCents', 1e15, 'lineCeilingCents'],
    ['tax.country', 'au', 'tax.country'],
    ['tax.divisor', 0, 'tax.divisor'],
    ['tax.untaxedZones.0.postcodes', null, 'tax.untaxedZones.0.postcodes'],
    ['tax.untaxedZones.0.postcodes.0.from', '289', 'tax.untaxedZones.0.postcodes.0.from'],
    ['tax.untaxedZones.0.postcodes.0.to', '2898', 'tax.untaxedZones.0.postcodes.0.to'],
    ['print.classes.museum.centsPerSqm', undefined, 'print.classes.museum.centsPerSqm'],
    ['print.byMediaId', [], 'print.byMediaId'],
    ['products.custom-framing', undefined, 'products.custom-framing'],
    ['products.scanning', FIRST_PRICE_BOOK.products['custom-framing'], 'products.scanning'],
    ['products.custom-framing.minQuantity', 500, 'products.custom-framing.maxQuantity'],
    ['products.custom-framing.ladder.1.fromQuantity', 5, 'products.custom-framing.ladder.1.fromQuantity'],
    ['products.custom-framing.ladder.1.reductionBps', 400, 'products.custom-framing.ladder.1.reductionBps'],
    ['sleeves.everydayArtCodes.0', 'A9', 'sleeves.everydayArtCodes.0'],
    ['mouldings.centsPerMetreById.moulding-walnut-20', null, 'mouldings.centsPerMetreById.moulding-walnut-20'],
    ['mouldings.roundUpToMm', 0, 'mouldings.roundUpToMm'],
    ['mats.defaultMm', 10, 'mats.defaultMm'],
    ['raisedFloat.revealDefaultMm', 1, 'raisedFloat.revealDefaultMm'],
    ['canvas.barCentsPerMetre.30mm', undefined, 'canvas.barCentsPerMetre.30mm'],
    ['canvas.barCentsPerMetre.thick', 3000, 'canvas.barCentsPerMetre.thick'],
    ['rush.express.businessDays', 61, 'rush.express.businessDays'],
    ['rushh', {}, 'rushh'],
    ['schema', BOOK_SCHEMA + 1, 'schema'],
    ['schema', '2', 'schema'],
    ['schema', 0, 'schema'],
    ['schema', null, 'schema'],
    ['shipping.ceilingCents', undefined, 'shipping.ceilingCents'],
    ['shipping.methods.0.name', 'a\u0000b', 'shipping.methods.0.name'],
    ['shipping.methods.0.description', '\ud800', 'shipping.methods.0.description'],
    ['canvas.finishCentsPerSqm.a\u0000b', 100, 'canvas.finishCentsPerSqm.a\u0000b'],
    ['sleeves.centsByCode.\udfff', 100, 'sleeves.centsByCode.\udfff'],
    ['shipping.zones.0.postcodes.0.to', '0100', 'shipping.zones.0.postcodes.0.to'],
    ['shipping.zones.0.countries.0', 'UK', 'shipping.zones.0.countries.0'],
    ['shipping.zones.0.countries', ['AU', 'NZ'], 'shipping.zones.0.postcodes'],
    ['shipping.zones.1.id', 'au-metro', 'shipping.zones.1.id'],
    ['shipping.methods.0.zones.0.zoneId', 'moon', 'shipping.methods.0.zones.0.zoneId'],
    ['shipping.methods.1.zones.1.zoneId', 'au-metro', 'shipping.methods.1.zones.1.zoneId'],
    ['shipping.methods.1.id', 'standard-parcel', 'shipping.methods.1.id'],
    ['shipping.methods.2.oversize.1.overMm', 1400, 'shipping.methods.2.oversize.1.overMm'],
    ['shipping.methods.0.carries.kinds.0', 'crate', 'shipping.methods.0.carries.kinds.0'],
    ['shipping.quotedFreight.id', 'art-courier', 'shipping.quotedFreight.id'],
  ])('%s = %p is refused at %s', (path, value, expected) => {
    expect(paths(bookWithChange(path, value))).toContain(expected);
  });
  it('reports every issue at once', () => {
    const book = { ...(bookWithChange('currency', 'aud') as object), assemblyCents: -1, surprise: true };
    expect(paths(book)).toEqual(['currency', 'assemblyCents', 'surprise']);
  });
  it('ignores keys of the prototype', () => {
    const json = JSON.stringify(FIRST_PRICE_BOOK).replace('"byMediaId":{}', '"byMediaId":{"__proto__":1,"constructor":2}');
    expect(paths(JSON.parse(json))).toEqual(['print.byMediaId.__proto__', 'print.byMediaId.constructor']);
  });
});

describe('a book of an older schema', () => {
  /** The format of books before they had a schema. */
  function bookWithoutSchema(): Record<string, unknown> {
    const { schema: _schema, standardBusinessDays: _days, shipping, tax, ...book } = FIRST_PRICE_BOOK;
    const { untaxedZones: _zones, ...rest } = tax;
    const { ceilingCents: _ceilingCents, ...terms } = shipping;
    return { ...book, tax: rest, shipping: { ...terms, methods: methodsWith(({ deliveryDays: _estimate, ...rate }) => rate) } };
  }
  const methodsWith = (change: (rate: ZoneRate) => object) =>
    FIRST_PRICE_BOOK.shipping.methods.map((method) => ({ ...method, zones: method.zones.map(change) }));
  it.each([[{}], [{ schema: 1 }]])('is read with defaults for later fields: %j', (schema) => {
    expect(readPriceBook({ ...bookWithoutSchema(), ...schema })).toEqual({
      book: {
        ...FIRST_PRICE_BOOK,
        tax: { ...FIRST_PRICE_BOOK.tax, untaxedZones: [] },
        shipping: {
          ...FIRST_PRICE_BOOK.shipping,
          ceilingCents: 1_000_000_000,
          methods: methodsWith((rate) => ({ ...rate, deliveryDays: null })),
        },
      },
      issues: [],
    });
  });
  it('keeps its value of a later field', () => {
    expect(
      readPriceBook({ ...bookWithoutSchema(), shipping: { ...FIRST_PRICE_BOOK.shipping, ceilingCents: 7 } }).book?.shipping.ceilingCents,
    ).toBe(7);
  });
  it('that lacks common fields is refused with the paths', () => {
    const { assemblyCents: _assemblyCents, ...book } = bookWithoutSchema();
    expect(readPriceBook({ ...book, shipping: null }).issues).toEqual([
      { path: 'assemblyCents', message: 'is required' },
      { path: 'shipping', message: 'must be an object' },
    ]);
  });
  it('the document itself is not changed', () => {
    const document = bookWithoutSchema();
    readPriceBook(document);
    expect(document).toEqual(bookWithoutSchema());
  });
});

describe('catalogue rows without a rate in the book', () => {
  const issues = (path: string, value: unknown, catalogue = SEED_CATALOGUE) =>
    validatePriceBook(bookWithChange(path, value), catalogue).map((fault) => fault.path);
  const { print, mouldings, glazing } = FIRST_PRICE_BOOK;
  it('the first book prices the whole first catalogue', () => {
    expect(validatePriceBook(FIRST_PRICE_BOOK, SEED_CATALOGUE)).toEqual([]);
  });
  it.each<[string, unknown, string[]]>([
    ['mouldings.centsPerMetreById.moulding-walnut-20', undefined, ['mouldings.centsPerMetreById.moulding-walnut-20']],
    ['glazing.centsPerSqmById', {}, SEED_CATALOGUE.glazing.map(({ id }) => `glazing.centsPerSqmById.${id}`)],
    ['backing.defaultCentsPerSqm', null, SEED_CATALOGUE.backing.map(({ id }) => `backing.centsPerSqmById.${id}`)],
    ['mats.defaultCentsPerSqm', null, SEED_CATALOGUE.matboards.map(({ id }) => `mats.centsPerSqmById.${id}`)],
    ['sleeves.centsByCode.A1', undefined, ['sleeves.centsByCode.A1']],
    ['print.classes.canvas', null, SEED_CATALOGUE.canvasMedia.map(({ id }) => `print.byMediaId.${id}`)],
    ['print.classes.everyday', null, SEED_CATALOGUE.everydayArtMedia.map(({ id }) => `print.byMediaId.${id}`)],
    [
      'print.classes.house',
      null,
      SEED_CATALOGUE.media.filter(({ storefrontTier }) => storefrontTier === 'basic').map(({ id }) => `print.byMediaId.${id}`),
    ],
  ])('%s = %j: every row is named with its path', (path, value, expected) => {
    expect(issues(path, value)).toEqual(expected);
  });
  it('the message says how to correct it', () => {
    const [fault] = validatePriceBook(bookWithChange('mouldings.centsPerMetreById.moulding-float-oak-15', undefined), SEED_CATALOGUE);
    expect(fault?.message).toBe(
      "is required while moulding-float-oak-15 is on offer for custom-framing, canvas-printing; add a rate, set mouldings.defaultCentsPerMetre, or withdraw it from the catalogue's mouldings",
    );
  });
  it('a default rate, an own rate, a withdrawn row, or no product that uses it, is sufficient', () => {
    expect(issues('mouldings', { ...mouldings, centsPerMetreById: {}, defaultCentsPerMetre: 5000 })).toEqual([]);
    expect(
      issues('print', {
        classes: { ...print.classes, canvas: null },
        byMediaId: Object.fromEntries(SEED_CATALOGUE.canvasMedia.map(({ id }) => [id, print.classes.canvas])),
      }),
    ).toEqual([]);
    expect(issues('glazing', { ...glazing, centsPerSqmById: {} }, { ...SEED_CATALOGUE, glazing: [] })).toEqual([]);
    expect(
      issues('print.classes.canvas', null, {
        ...SEED_CATALOGUE,
        products: SEED_CATALOGUE.products.filter(({ slug }) => slug !== 'canvas-printing'),
      }),
    ).toEqual([]);
    expect(
      issues('backing.defaultCentsPerSqm', null, {
        ...SEED_CATALOGUE,
        backing: SEED_CATALOGUE.backing.map((row) => ({ ...row, qualityTierIds: [] })),
      }),
    ).toEqual([]);
  });
});

describe('the seed', () => {
  const { products, media, canvasMedia, everydayArtMedia, mouldings, matboards, glazing, backing, qualityTiers, sleeves, sizes } =
    SEED_CATALOGUE;
  it('has the rows of a real studio', () => {
    expect(
      [products, media, canvasMedia, everydayArtMedia, mouldings, matboards, glazing, backing, qualityTiers].map((rows) => rows.length),
    ).toEqual([5, 12, 6, 6, 20, 15, 5, 4, 3]);
    expect(products.map(({ slug }) => slug)).toEqual([...ORDERABLE_PRODUCTS.keys()]);
  });
  it('has unique ids', () => {
    const ids = [media, canvasMedia, everydayArtMedia, mouldings, matboards, glazing, backing, qualityTiers, sizes].flatMap((rows) =>
      rows.map(({ id }) => id),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });
  it('prices every material', () => {
    for (const { id } of mouldings) expect(FIRST_PRICE_BOOK.mouldings.centsPerMetreById).toHaveProperty(id);
    for (const { id } of glazing) expect(FIRST_PRICE_BOOK.glazing.centsPerSqmById).toHaveProperty(id);
    for (const { sizeCode } of sleeves) expect(FIRST_PRICE_BOOK.sleeves.centsByCode).toHaveProperty(sizeCode);
    expect(Object.keys(FIRST_PRICE_BOOK.mouldings.centsPerMetreById)).toHaveLength(mouldings.length);
  });
  it('names only tiers that exist, and every tier restricts something', () => {
    const known = new Set(qualityTiers.map(({ id }) => id));
    const named = [mouldings, matboards, glazing, backing].flatMap((rows) => rows.flatMap((row) => row.qualityTierIds ?? []));
    expect(new Set(named)).toEqual(known);
  });
});
