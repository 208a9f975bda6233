import { SEED_CATALOGUE } from '../../../../src/db/seed/catalogue';
import { NOT_ORDERABLE_REASONS, ORDERABLE_PRODUCTS } from '../../../../src/domain/products';
import { FIRST_PRICE_BOOK } from '../../../../src/db/seed/price-book';
import { anItem, refusalOutcome, priceItems, refusal, catalogueWith } from '../pricing/basket';

describe('product availability', () => {
  it.each([['fine-art-printing'], ['everyday-art-prints'], ['print-and-mat'], ['custom-framing'], ['canvas-printing']])(
    '%s is orderable',
    (slug) => {
      expect(priceItems([anItem(slug)]).lines[0]?.productSlug).toBe(slug);
    },
  );
  it.each([
    ['mounted-print', 'ordered through the storefront'],
    ['frame-only', 'staff-only'],
    ['matboard-only', 'staff-only'],
    ['multi-window-matboard', 'aperture layout cannot be sent'],
    ['gift-card', 'not sold through the partner API'],
    ['paper-samples', 'storefront only'],
    ['pro-batch-upload', 'individual fine-art-printing lines'],
    ['test-strip', 'section layout cannot be sent'],
    ['photo-restoration', 'quoted manually'],
    ['scanning', 'staff-only'],
  ])('%s is not: %s', (slug, reason) => {
    const error = refusal([anItem('fine-art-printing'), anItem(slug)]);
    expect(error.code).toBe('PRODUCT_UNSUPPORTED');
    expect(error.message).toContain(reason);
    expect(error.message).toMatch(/^items\.1: /);
  });
  it.each([['poster'], ['__proto__'], ['constructor'], ['toString'], ['Fine-Art-Printing'], [' '], ['x'.repeat(100)]])(
    '%p is not a product',
    (slug) => {
      expect(refusalOutcome([anItem(slug)]).code).toBe('PRODUCT_UNSUPPORTED');
    },
  );
  it('the table holds the 15 slugs of the specification', () => {
    expect(ORDERABLE_PRODUCTS.size + NOT_ORDERABLE_REASONS.size).toBe(15);
  });
  it('an orderable product that is not in the catalogue is refused', () => {
    const catalogue = catalogueWith({ products: SEED_CATALOGUE.products.slice(1) });
    expect(refusalOutcome([anItem('fine-art-printing')], { catalogue }).code).toBe('PRODUCT_UNSUPPORTED');
  });
  it('a row for a product this service cannot make is refused too', () => {
    const catalogue = catalogueWith({
      products: [{ slug: 'scanning', name: 'Scan', description: '', category: null, requiresArtwork: false }],
    });
    expect(refusalOutcome([anItem('scanning')], { catalogue }).code).toBe('PRODUCT_UNSUPPORTED');
  });
  it('a product without terms in the book is refused', () => {
    expect(refusalOutcome([anItem('fine-art-printing')], { book: { ...FIRST_PRICE_BOOK, products: {} } }).code).toBe('PRODUCT_UNSUPPORTED');
  });
});
