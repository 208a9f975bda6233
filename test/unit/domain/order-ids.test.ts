import { decide, type OrderMessage } from '../../../src/domain/order-messages';
import { readSignal } from '../../../src/domain/order-messages/read';
import type { OrderFacts } from '../../../src/domain/order-status';
import { placedFacts } from '../../support/order-facts';

const facts: OrderFacts = placedFacts({
  baseStatus: 'in_production',
  liveParcels: ['p1'],
  voidedParcels: ['p0'],
  payments: { pay1: 900 },
  reversedPayments: ['pay0'],
  totalCents: 5000,
});

describe('an id permanently identifies one parcel or payment', () => {
  it.each<[string, Partial<OrderMessage>, RegExp]>([
    ['a parcel id on the order already', { type: 'parcel_added', parcelId: 'p1', trackingNumber: 'other' }, /already on this order/],
    ['a voided parcel id', { type: 'parcel_added', parcelId: 'p0', trackingNumber: 'other' }, /voided/],
    ['a payment id recorded already', { type: 'payment_recorded', paymentId: 'pay1', amountCents: 1 }, /already recorded/],
    ['a reversed payment id', { type: 'payment_recorded', paymentId: 'pay0', amountCents: 1 }, /reversed/],
    ['the reversal of an unknown payment, without a reason', { type: 'payment_reversed', paymentId: 'nope' }, /no payment nope/],
  ])('refuses %s under another milestone id', (_, message, reason) => {
    expect(decide(facts, { milestoneId: 'm', ...message } as OrderMessage)).toEqual({ refused: expect.stringMatching(reason) });
  });

  it('accepts a repeated reversal without effect', () => {
    expect(decide(facts, { milestoneId: 'm', type: 'payment_reversed', paymentId: 'pay0', reason: 'bounced' })).toEqual({ facts });
  });
});

describe('an id that cannot be in a URL', () => {
  const adding = { type: 'parcel_added', parcelId: '..', trackingNumber: 't' } as const;
  it('is refused for new objects', () => {
    expect(readSignal(adding)).toEqual({
      issues: [{ path: 'parcelId', message: expect.stringMatching(/^must not be "\." or "\.\."/) }],
    });
    const named = { ...adding, parcelId: '...', milestoneId: '..' };
    expect(readSignal(named)).toEqual({ message: expect.objectContaining(named) });
  });
  it.each<OrderMessage>([
    { type: 'parcel_voided', parcelId: '..' },
    { type: 'payment_reversed', paymentId: '..', reason: 'bounced' },
  ])('can be reversed if it exists: $type', (message) => {
    expect(readSignal(message)).toEqual({ message: expect.objectContaining(message) });
  });
});

describe('payloads of a signal', () => {
  it.each([
    ['a year that no store can hold', { occurredAt: '0000-01-01T00:00:00Z' }],
    ['a day that does not exist', { occurredAt: '2026-02-30T00:00:00Z' }],
    ['a time without a zone', { occurredAt: '2026-02-03T00:00:00' }],
  ])('%s is not a message', (_, fields) => {
    expect(readSignal({ milestoneId: 'm', type: 'printed', ...fields })).toEqual({
      issues: [{ path: 'occurredAt', message: expect.any(String) }],
    });
  });

  it.each(['javascript:alert(1)', 'ftp://files.example/x', 'https://', '//track.example'])(
    'the tracking URL %s is refused',
    (trackingUrl) => {
      expect(readSignal({ milestoneId: 'm', type: 'parcel_added', parcelId: 'p', trackingNumber: 't', trackingUrl })).toEqual({
        issues: [{ path: 'trackingUrl', message: expect.any(String) }],
      });
    },
  );
});
