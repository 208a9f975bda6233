/** A module for browsers. */
const stripModule = import('../../../packages/console/src/shared/strip-invisible.js');
const OVERRIDE = '\u202e';

describe('external texts on the screens of the console', () => {
  it('cannot reverse, hide or break adjacent text', async () => {
    const { stripInvisible } = await stripModule;
    const turning = [
      '\u202a',
      OVERRIDE,
      '\u2066',
      '\u2069',
      '\u200e',
      '\u200f',
      '\u061c',
      '\u0000',
      '\u001b',
      '\u0085',
      '\u2028',
      '\ufeff',
    ];
    expect(turning.map((character) => stripInvisible(`VIC ${character}3000`))).toEqual(turning.map(() => 'VIC 3000'));
    expect(stripInvisible('Zoë\tשלום 📷\u200d🎞️\nsecond line')).toBe('Zoë\tשלום 📷\u200d🎞️\nsecond line');
  });

  it('are escaped everywhere except in verbatim text and ids', async () => {
    const { stripInvisibleFromAnswer: plainAnswer } = await stripModule;
    const answer = { data: [{ accountName: `Gallery${OVERRIDE}`, lines: [{ artwork: [OVERRIDE] }], cents: 5, none: null }] };
    expect(plainAnswer(answer)).toEqual({ data: [{ accountName: 'Gallery', lines: [{ artwork: [''] }], cents: 5, none: null }] });
    const verbatim = { data: { event: { rawBody: OVERRIDE }, book: { note: OVERRIDE } } };
    expect(plainAnswer(verbatim)).toEqual(verbatim);
    // The console sends ids back, and the service stores them as they were sent.
    const withIds = { data: { id: 'a\ufeff', payments: [{ paymentId: '\ufeffbank-1', milestoneId: 'a\u200bb', corrects: 'c\u00ad' }] } };
    expect(plainAnswer(withIds)).toEqual(withIds);
  });
});
