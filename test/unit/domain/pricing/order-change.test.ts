import { priceQuote } from '../../../../src/domain/pricing';
import type { Breakdown } from '../../../../src/domain/pricing/breakdown';
import { changedLineIssues, priceRefusal, withChange } from '../../../../src/domain/pricing/order-change';
import type { PricedQuote } from '../../../../src/domain/pricing/priced-quote';
import { FIRST_PRICE_BOOK } from '../../../../src/db/seed/price-book';
import { anAddress, anInput, anItem } from './basket';

const DESTINATIONS = [
  { postcode: '3000' },
  { postcode: '2000' },
  { postcode: '3550' },
  { postcode: '0800' },
  { postcode: '2898' },
  { postcode: '2899' },
  { postcode: '6798' },
  { country: 'NF', postcode: '2899' },
  { country: 'NZ', postcode: '6011' },
  { country: 'DE', postcode: '10115' },
  { country: 'AQ', postcode: '1' },
];

describe('a change of destination', () => {
  const BASKETS = [
    [anItem('fine-art-printing')],
    [anItem('custom-framing', {}, { quantity: 3 })],
    [anItem('canvas-printing'), anItem('everyday-art-prints', {}, { quantity: 20 })],
  ];
  const METHODS = FIRST_PRICE_BOOK.shipping.methods.map(({ id }) => id);

  it('gets the price of a new quote for the destination, or none', () => {
    const outcomes = BASKETS.flatMap((items) =>
      METHODS.flatMap((shippingMethodId) =>
        DESTINATIONS.flatMap((from) =>
          DESTINATIONS.flatMap((to) => {
            const [before, after] = [from, to].map((place) =>
              nullIfThrows(() => priceQuote(anInput(items, { request: { shippingMethodId, shippingAddress: anAddress(place) } }))),
            );
            return before ? [outcomeOf(before, after ?? null, anAddress(to))] : [];
          }),
        ),
      ),
    );
    expect([...new Set(outcomes)].toSorted()).toEqual(['another price', 'no delivery', 'the same price']);
  });

  function outcomeOf(before: PricedQuote, after: PricedQuote | null, destination: ReturnType<typeof anAddress>): string {
    const { parcels } = before.breakdown as Breakdown;
    const refusal = priceRefusal(FIRST_PRICE_BOOK, { ...before, parcels }, destination);
    if (after === null) {
      expect(refusal).toEqual({ reason: expect.stringContaining(before.shippingMethod) });
      return 'no delivery';
    }
    if (after.totalCents === before.totalCents && after.gstCents === before.gstCents) {
      expect(refusal).toBeNull();
      return 'the same price';
    }
    expect(refusal?.details).toEqual({
      totalCents: before.totalCents,
      gstCents: before.gstCents,
      newTotalCents: after.totalCents,
      newGstCents: after.gstCents,
      differenceCents: after.totalCents - before.totalCents,
    });
    return 'another price';
  }
});

describe('the values of a change', () => {
  const line = { productSlug: 's', productName: 'S', quantity: 1, unitPriceCents: 1, amountCents: 1 };
  const order = {
    shippingAddress: anAddress(),
    lines: ['a', null, 'c'].map((externalReference) => ({ ...line, externalReference })),
    specialInstructions: 'ring',
    reference: 'PO-1',
  };
  const references = ({ lines }: { lines: { externalReference: string | null }[] }) =>
    lines.map(({ externalReference }) => externalReference);

  it('can be undone with the replaced values', () => {
    const change = {
      shippingAddress: anAddress({ line1: 'elsewhere' }),
      lines: [
        { line: 2, externalReference: null },
        { line: 1, externalReference: 'b' },
      ],
      specialInstructions: null,
      reference: 'PO-2',
    };
    const { changed, replaced } = withChange(order, change);
    expect(references(changed)).toEqual(['a', 'b', null]);
    expect(changed).toMatchObject({ shippingAddress: change.shippingAddress, specialInstructions: null, reference: 'PO-2' });
    expect(withChange(changed, replaced)).toEqual({ changed: order, replaced: change });
  });

  it('do not affect omitted fields', () => {
    expect(withChange(order, {})).toEqual({ changed: order, replaced: {} });
  });

  it('reference existing lines, each once', () => {
    const lines = [0, 3, 0].map((at) => ({ line: at, externalReference: 'x' }));
    expect(changedLineIssues(lines, 3).map(({ path }) => path)).toEqual(['lines.1.line', 'lines.2.line']);
  });
});

function nullIfThrows<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
