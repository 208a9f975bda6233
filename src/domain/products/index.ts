import type { ProductRow } from '../catalogue';
import { quoted, lineRefusal, type Line } from '../basket/line';
import type { OrderableSlug } from '../orderable-products';
import { canvasPrinting } from './canvas-printing';
import { customFraming } from './custom-framing';
import { everydayArtPrints } from './everyday-art-prints';
import { fineArtPrinting } from './fine-art-printing';
import { printAndMat } from './print-and-mat';
import type { Product } from './product';

/** The orderable products (specification "Product availability through the API"). */
const PRODUCTS: Record<OrderableSlug, Product> = {
  'fine-art-printing': fineArtPrinting,
  'everyday-art-prints': everydayArtPrints,
  'print-and-mat': printAndMat,
  'custom-framing': customFraming,
  'canvas-printing': canvasPrinting,
};
export const ORDERABLE_PRODUCTS: ReadonlyMap<string, Product> = new Map(Object.entries(PRODUCTS));

/** Why the other products of the catalogue cannot be ordered. */
export const NOT_ORDERABLE_REASONS: ReadonlyMap<string, string> = new Map([
  ['mounted-print', 'ordered through the storefront'],
  ['frame-only', 'staff-only'],
  ['matboard-only', 'staff-only'],
  ['multi-window-matboard', 'storefront only, as the aperture layout cannot be sent'],
  ['gift-card', 'not sold through the partner API'],
  ['paper-samples', 'storefront only'],
  ['pro-batch-upload', 'submit batch work as individual fine-art-printing lines'],
  ['test-strip', 'storefront only, as the section layout cannot be sent'],
  ['photo-restoration', 'quoted manually'],
  ['scanning', 'staff-only'],
]);

/**
 * The line's product and its catalogue row.
 * @throws LineRefusal PRODUCT_UNSUPPORTED with the reason and the orderable products
 */
export function findProduct(line: Line): { product: Product; row: ProductRow } {
  const slug = line.item.productSlug;
  const product = ORDERABLE_PRODUCTS.get(slug);
  const row = line.catalogue.find('products', slug);
  if (product && row) return { product, row };
  const orderable = line.catalogue.ids('products').filter((id) => ORDERABLE_PRODUCTS.has(id));
  const advice = orderable.length > 0 ? `orderable are ${orderable.join(', ')}` : 'nothing is orderable at present';
  const text = `productSlug ${quoted(slug)} cannot be ordered: ${notOrderableReason(slug, product)}; ${advice}`;
  throw lineRefusal(line, 'PRODUCT_UNSUPPORTED', text, 'productSlug');
}

function notOrderableReason(slug: string, product: Product | undefined): string {
  if (product) return "not in the catalogue's products at present";
  return NOT_ORDERABLE_REASONS.get(slug) ?? 'no such product';
}
