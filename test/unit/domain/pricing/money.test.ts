import fc from 'fast-check';
import { MAX_CENTS } from '../../../../src/domain/limits';
import {
  centsForArea,
  centsForLength,
  formatCents,
  multiplyDivide,
  reducedBy,
  roundUpTo,
  shareOf,
  sumCents,
} from '../../../../src/domain/money';
import { propertyRuns } from '../../../support/property-runs';

const whole = (max: number): fc.Arbitrary<number> => fc.integer({ min: 0, max });

describe('integer money', () => {
  it.each([
    [1, 1, 2, 1],
    [1, 1, 3, 0],
    [2, 1, 3, 1],
    [3, 1, 2, 2],
    [5, 1, 10, 1],
    [4, 1, 10, 0],
    [0, 9, 10, 0],
    [49, 1, 11, 4],
    [50, 1, 11, 5],
  ])('%i × %i ÷ %i rounds half up to %i', (value, factor, divisor, expected) => {
    expect(multiplyDivide(value, factor, divisor)).toBe(expected);
  });

  it('agrees with exact arithmetic, also for products above 2^53', () => {
    fc.assert(
      fc.property(whole(Number.MAX_SAFE_INTEGER), whole(100_000_000), fc.integer({ min: 1, max: 1_000_000 }), (value, factor, divisor) => {
        const exact = (2n * BigInt(value) * BigInt(factor) + BigInt(divisor)) / (2n * BigInt(divisor));
        expect(multiplyDivide(value, factor, divisor)).toBe(exact > BigInt(MAX_CENTS) ? MAX_CENTS : Number(exact));
      }),
      propertyRuns(100),
    );
  });

  it('prices areas, lengths and shares', () => {
    expect([centsForArea(460 * 634, 26_000), centsForLength(3000, 4800), shareOf(30_736, 3000), reducedBy(7583, 500)]).toEqual([
      7583, 14_400, 9221, 7204,
    ]);
  });

  it('rounds lengths up to the step', () => {
    expect([roundUpTo(2934, 100), roundUpTo(2900, 100), roundUpTo(2901, 100), roundUpTo(0, 100)]).toEqual([3000, 2900, 3000, 0]);
  });

  it('never sums above the maximum of a money field', () => {
    expect(sumCents([MAX_CENTS, MAX_CENTS])).toBe(MAX_CENTS);
  });

  it('formats cents as dollars', () => {
    expect([formatCents(145_000), formatCents(5), formatCents(0)]).toEqual(['1450.00', '0.05', '0.00']);
  });
});
