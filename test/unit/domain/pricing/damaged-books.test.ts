import fc from 'fast-check';
import { readPriceBook, validatePriceBook } from '../../../../src/domain/price-book/read';
import { STORED_SECTIONS, type StoredCatalogue } from '../../../../src/domain/catalogue';
import { CATALOGUE_ROW } from '../../../../src/http/catalogue-rows';
import { SEED_CATALOGUE } from '../../../../src/db/seed/catalogue';
import { FIRST_PRICE_BOOK } from '../../../../src/db/seed/price-book';
import { LEAF_PATHS, EXPECTED_OUTCOME, anyDamage, damageBook, priceEveryBasket } from './damaged-books';
import { propertyRuns, sampledCases } from '../../../support/property-runs';

describe('a damaged price book', () => {
  it('the first book itself prices every basket', () => {
    expect([...priceEveryBasket(FIRST_PRICE_BOOK)].sort()).toEqual(['option', 'quote']);
  });

  /** The book is refused with a path for each fault, or it prices or refuses every basket without other errors or invalid figures. */
  function expectNoCrash(document: unknown): void {
    const { book, issues } = readPriceBook(document);
    if (book === null) {
      expect(issues).not.toHaveLength(0);
      for (const { path, message } of issues) expect([path, message]).toEqual([expect.stringMatching(/\S/), expect.stringMatching(/\S/)]);
    } else {
      expect([...priceEveryBasket(book)].filter((outcome) => !EXPECTED_OUTCOME.test(outcome))).toEqual([]);
    }
    // Publishing uses the same check.
    expect(validatePriceBook(document)).toEqual(issues);
    expect(validatePriceBook(document, SEED_CATALOGUE)).toEqual(expect.arrayContaining([...issues]));
  }

  it('with any leaf deleted is refused with paths, or prices without an internal error', () => {
    for (const path of sampledCases(LEAF_PATHS)) expectNoCrash(damageBook(FIRST_PRICE_BOOK, path, undefined));
  });

  it('with any leaf corrupted is refused with paths, or prices without an internal error', () => {
    fc.assert(
      fc.property(anyDamage, (damage) => expectNoCrash(damage(FIRST_PRICE_BOOK))),
      propertyRuns(250),
    );
  });

  it('with any two leaves corrupted is refused with paths, or prices without an internal error', () => {
    fc.assert(
      fc.property(anyDamage, anyDamage, (one, two) => expectNoCrash(one(two(FIRST_PRICE_BOOK)))),
      propertyRuns(250),
    );
  });

  it('with the highest allowed freight costs and weights never exceeds the largest amount', () => {
    const changes: [string, number][] = [
      ['cubicKgPerCubicMetre', 10_000],
      ['ceilingCents', 1_000_000_000_000],
      ['packing.box.minThicknessMm', 100_000],
      ['packing.box.paddingMm', 90_000],
    ];
    const methods = FIRST_PRICE_BOOK.shipping.methods.flatMap((method, at): [string, number][] => [
      [`methods.${at}.carries.maxLongestMm`, 100_000],
      [`methods.${at}.carries.maxGrams`, 1_000_000],
      ...method.zones.map((_zone, zone): [string, number] => [`methods.${at}.zones.${zone}.perKgCents`, 1_000_000_000]),
    ]);
    const book = [...changes, ...methods].reduce<unknown>(
      (before, [path, value]) => damageBook(before, ['shipping', ...path.split('.')], value),
      FIRST_PRICE_BOOK,
    );
    expect(validatePriceBook(book)).toEqual([]);
    expectNoCrash(book);
  });
});

describe('the catalogue after any edit', () => {
  /** The first catalogue with one field of every row of a section set to a valid value. */
  const anyEdit = fc
    .constantFrom(...STORED_SECTIONS)
    .chain((section) => {
      const fields = Object.keys(SEED_CATALOGUE[section][0] ?? {});
      return fc.tuple(
        fc.constant(section),
        fc.constantFrom(...fields),
        fc.constantFrom<unknown>(null, true, false, 1, 10_000, 100_000, [], ['tier-museum'], 'matte', 'basic', 'x'.repeat(200)),
      );
    })
    .map(([section, field, value]): StoredCatalogue => ({
      ...SEED_CATALOGUE,
      [section]: SEED_CATALOGUE[section]
        .map((row) => ({ ...row, [field]: value }))
        .filter((row) => CATALOGUE_ROW[section].validate(row, { convert: false }).error === undefined),
    }));
  it('with extreme values or without rows: baskets are quoted or refused without an internal error', () => {
    fc.assert(
      fc.property(anyEdit, anyEdit, (one, two) => {
        const sections = STORED_SECTIONS.map((section) => [
          section,
          one[section] === SEED_CATALOGUE[section] ? two[section] : one[section],
        ]);
        expect(
          [...priceEveryBasket(FIRST_PRICE_BOOK, Object.fromEntries(sections) as StoredCatalogue)].filter(
            (outcome) => !EXPECTED_OUTCOME.test(outcome),
          ),
        ).toEqual([]);
      }),
      propertyRuns(120),
    );
  });
});
