import type { ValidationIssue } from '../errors';
import { ORDERABLE_PRODUCTS } from '../products';
import type { LadderStep, PriceBook, ProductTerms, ShippingTerms } from './price-book';

/** Faults between the parts of a book whose shape is right. */
export function agreementFaults(book: PriceBook): ValidationIssue[] {
  return [
    ...productFaults(book.products),
    ...borderFaults(book),
    ...book.sleeves.everydayArtCodes.flatMap((code, at) =>
      Object.hasOwn(book.sleeves.centsByCode, code) ? [] : [fault(`sleeves.everydayArtCodes.${at}`, `has no price in sleeves.centsByCode`)],
    ),
    ...(Object.hasOwn(book.canvas.barCentsPerMetre, '30mm')
      ? []
      : [fault('canvas.barCentsPerMetre.30mm', 'is required: float frames need it')]),
    ...zoneFaults(book.shipping),
    ...methodFaults(book.shipping),
  ];
}

const fault = (path: string, message: string): ValidationIssue => ({ path, message });

function productFaults(products: Record<string, ProductTerms>): ValidationIssue[] {
  const missing = [...ORDERABLE_PRODUCTS.keys()].filter((slug) => !Object.hasOwn(products, slug));
  const unknown = Object.keys(products).filter((slug) => !ORDERABLE_PRODUCTS.has(slug));
  return [
    ...missing.map((slug) => fault(`products.${slug}`, 'is required')),
    ...unknown.map((slug) => fault(`products.${slug}`, 'is not an orderable product')),
    ...Object.entries(products).flatMap(([slug, terms]) => termFaults(`products.${slug}`, terms)),
  ];
}

function termFaults(path: string, { minQuantity, maxQuantity, ladder }: ProductTerms): ValidationIssue[] {
  const range = minQuantity <= maxQuantity ? [] : [fault(`${path}.maxQuantity`, 'must not be below minQuantity')];
  return [...range, ...ladder.flatMap((step, at) => stepFaults(`${path}.ladder.${at}`, step, ladder[at - 1]))];
}

function stepFaults(path: string, step: LadderStep, previous: LadderStep | undefined): ValidationIssue[] {
  if (previous === undefined) return [];
  return [
    ...(step.fromQuantity > previous.fromQuantity ? [] : [fault(`${path}.fromQuantity`, 'must be above the step before')]),
    ...(step.reductionBps >= previous.reductionBps ? [] : [fault(`${path}.reductionBps`, 'must not be below the step before')]),
  ];
}

function borderFaults({ mats, raisedFloat }: PriceBook): ValidationIssue[] {
  return [
    ...(mats.defaultMm >= mats.minimumMm ? [] : [fault('mats.defaultMm', 'must not be below mats.minimumMm')]),
    ...(raisedFloat.revealDefaultMm >= raisedFloat.revealMinimumMm
      ? []
      : [fault('raisedFloat.revealDefaultMm', 'must not be below raisedFloat.revealMinimumMm')]),
  ];
}

function zoneFaults({ zones }: ShippingTerms): ValidationIssue[] {
  return [
    ...repeated(zones.map(({ id }) => id)).map((at) => fault(`shipping.zones.${at}.id`, 'is used by a zone before')),
    ...zones.flatMap(({ countries, postcodes }, at) => [
      ...(postcodes !== null && countries.length > 1
        ? [fault(`shipping.zones.${at}.postcodes`, 'must be null for more than one country')]
        : []),
      ...(postcodes ?? []).flatMap(({ from, to }, range) =>
        from <= to ? [] : [fault(`shipping.zones.${at}.postcodes.${range}.to`, 'must not be below from')],
      ),
    ]),
  ];
}

function methodFaults({ zones, methods, quotedFreight }: ShippingTerms): ValidationIssue[] {
  const zoneIds = new Set(zones.map(({ id }) => id));
  const ids = methods.map(({ id }) => id);
  return [
    ...repeated(ids).map((at) => fault(`shipping.methods.${at}.id`, 'is used by a method before')),
    ...(ids.includes(quotedFreight.id) ? [fault('shipping.quotedFreight.id', 'is used by a method')] : []),
    ...methods.flatMap((method, at) =>
      method.zones.flatMap(({ zoneId }, zone) =>
        zoneIds.has(zoneId) ? [] : [fault(`shipping.methods.${at}.zones.${zone}.zoneId`, 'is not the id of a zone')],
      ),
    ),
    ...methods.flatMap(({ oversize }, at) =>
      oversize.flatMap(({ overMm }, step) =>
        overMm > (oversize[step - 1]?.overMm ?? -1)
          ? []
          : [fault(`shipping.methods.${at}.oversize.${step}.overMm`, 'must be above the step before')],
      ),
    ),
    ...methods.flatMap((method, at) =>
      repeated(method.zones.map(({ zoneId }) => zoneId)).map((zone) =>
        fault(`shipping.methods.${at}.zones.${zone}.zoneId`, 'is priced before'),
      ),
    ),
  ];
}

/** Positions of values that stand earlier in the list too. */
function repeated(values: readonly string[]): number[] {
  return values.flatMap((value, at) => (values.indexOf(value) < at ? [at] : []));
}
