import { availableCents } from '../../../src/domain/credit';

it('what may still be ordered is at most the largest amount of the contract, whatever the limit and the credit', () => {
  expect(availableCents(Number.MAX_SAFE_INTEGER - 1, { outstandingCents: 0, creditCents: 13_100 })).toBe(Number.MAX_SAFE_INTEGER);
});
