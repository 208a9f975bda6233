import type { OrderableSlug } from '../orderable-products';
import type { VariantKey } from '../basket/variant-keys';
import type { Line } from '../basket/line';
import type { Piece } from '../shipping/piece';
import type { PriceComponent } from '../price-component';
import type { Cut } from './cuts';

export interface UnitPlan {
  components: PriceComponent[];
  piece: Piece;
  cuts: Cut[];
}

/**
 * An orderable product. `plan` checks the line (variant keys, materials, mat borders, in this order) and prices one unit. It throws
 * VALIDATION_ERROR, PRODUCT_UNAVAILABLE or MAT_BELOW_MINIMUM.
 */
export interface Product {
  slug: OrderableSlug;
  /** The known variant keys; others are ignored. */
  keys: readonly VariantKey[];
  plan(line: Line): UnitPlan;
}
