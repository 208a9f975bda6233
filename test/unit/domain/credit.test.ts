import { availableCents } from '../../../src/domain/credit';

it('available credit never exceeds the largest amount of the contract', () => {
  expect(availableCents(Number.MAX_SAFE_INTEGER - 1, { outstandingCents: 0, creditCents: 13_100 })).toBe(Number.MAX_SAFE_INTEGER);
});
