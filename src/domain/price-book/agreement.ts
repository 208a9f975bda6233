import type { ValidationIssue } from '../errors';
import { isOrderable, ORDERABLE_SLUGS } from '../orderable-products';
import { FLOAT_FRAME_DEPTH, type LadderStep, type PriceBook, type ProductTerms, type ShippingTerms } from './price-book';

/** Issues between the parts of a book whose shape is right. */
export function agreementIssues(book: PriceBook): ValidationIssue[] {
  return [
    ...productIssues(book.products),
    ...borderIssues(book),
    ...book.sleeves.everydayArtCodes.flatMap((code, at) =>
      Object.hasOwn(book.sleeves.centsByCode, code) ? [] : [issue(`sleeves.everydayArtCodes.${at}`, `has no price in sleeves.centsByCode`)],
    ),
    ...(Object.hasOwn(book.canvas.barCentsPerMetre, FLOAT_FRAME_DEPTH)
      ? []
      : [issue(`canvas.barCentsPerMetre.${FLOAT_FRAME_DEPTH}`, 'is required: float frames need it')]),
    ...zoneIssues(book.shipping),
    ...methodIssues(book.shipping),
  ];
}

const issue = (path: string, message: string): ValidationIssue => ({ path, message });

function productIssues(products: Record<string, ProductTerms>): ValidationIssue[] {
  const missing = ORDERABLE_SLUGS.filter((slug) => !Object.hasOwn(products, slug));
  const unknown = Object.keys(products).filter((slug) => !isOrderable(slug));
  return [
    ...missing.map((slug) => issue(`products.${slug}`, 'is required')),
    ...unknown.map((slug) => issue(`products.${slug}`, 'is not an orderable product')),
    ...Object.entries(products).flatMap(([slug, terms]) => termIssues(`products.${slug}`, terms)),
  ];
}

function termIssues(path: string, { minQuantity, maxQuantity, ladder }: ProductTerms): ValidationIssue[] {
  const range = minQuantity <= maxQuantity ? [] : [issue(`${path}.maxQuantity`, 'must not be below minQuantity')];
  return [...range, ...ladder.flatMap((step, at) => stepIssues(`${path}.ladder.${at}`, step, ladder[at - 1]))];
}

function stepIssues(path: string, step: LadderStep, previous: LadderStep | undefined): ValidationIssue[] {
  if (previous === undefined) return [];
  return [
    ...(step.fromQuantity > previous.fromQuantity ? [] : [issue(`${path}.fromQuantity`, 'must be above the step before')]),
    ...(step.reductionBps >= previous.reductionBps ? [] : [issue(`${path}.reductionBps`, 'must not be below the step before')]),
  ];
}

function borderIssues({ mats, raisedFloat }: PriceBook): ValidationIssue[] {
  return [
    ...(mats.defaultMm >= mats.minimumMm ? [] : [issue('mats.defaultMm', 'must not be below mats.minimumMm')]),
    ...(raisedFloat.revealDefaultMm >= raisedFloat.revealMinimumMm
      ? []
      : [issue('raisedFloat.revealDefaultMm', 'must not be below raisedFloat.revealMinimumMm')]),
  ];
}

function zoneIssues({ zones }: ShippingTerms): ValidationIssue[] {
  return [
    ...repeated(zones.map(({ id }) => id)).map((at) => issue(`shipping.zones.${at}.id`, 'is used by a zone before')),
    ...zones.flatMap(({ countries, postcodes }, at) => [
      ...(postcodes !== null && countries.length > 1
        ? [issue(`shipping.zones.${at}.postcodes`, 'must be null for more than one country')]
        : []),
      ...(postcodes ?? []).flatMap(({ from, to }, range) =>
        from <= to ? [] : [issue(`shipping.zones.${at}.postcodes.${range}.to`, 'must not be below from')],
      ),
    ]),
  ];
}

function methodIssues({ zones, methods, quotedFreight }: ShippingTerms): ValidationIssue[] {
  const zoneIds = new Set(zones.map(({ id }) => id));
  const ids = methods.map(({ id }) => id);
  return [
    ...repeated(ids).map((at) => issue(`shipping.methods.${at}.id`, 'is used by a method before')),
    ...(ids.includes(quotedFreight.id) ? [issue('shipping.quotedFreight.id', 'is used by a method')] : []),
    ...methods.flatMap((method, at) =>
      method.zones.flatMap(({ zoneId }, zone) =>
        zoneIds.has(zoneId) ? [] : [issue(`shipping.methods.${at}.zones.${zone}.zoneId`, 'is not the id of a zone')],
      ),
    ),
    ...methods.flatMap((method, at) =>
      method.zones.flatMap(({ deliveryDays: days }, zone) =>
        days === null || days.min <= days.max
          ? []
          : [issue(`shipping.methods.${at}.zones.${zone}.deliveryDays.max`, 'must not be below min')],
      ),
    ),
    ...methods.flatMap(({ oversize }, at) =>
      oversize.flatMap(({ overMm }, step) =>
        overMm > (oversize[step - 1]?.overMm ?? -1)
          ? []
          : [issue(`shipping.methods.${at}.oversize.${step}.overMm`, 'must be above the step before')],
      ),
    ),
    ...methods.flatMap((method, at) =>
      repeated(method.zones.map(({ zoneId }) => zoneId)).map((zone) =>
        issue(`shipping.methods.${at}.zones.${zone}.zoneId`, 'is priced before'),
      ),
    ),
  ];
}

function repeated(values: readonly string[]): number[] {
  return values.flatMap((value, at) => (values.indexOf(value) < at ? [at] : []));
}
