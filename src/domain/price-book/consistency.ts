import type { ValidationIssue } from '../errors';
import { isOrderable, ORDERABLE_SLUGS } from '../orderable-products';
import { FLOAT_FRAME_DEPTH, type LadderStep, type PriceBook, type ShippingTerms } from './price-book';

type IssueGenerator = Generator<ValidationIssue, void>;

/** Finds contradictions between fields of a book, such as a minimum above its maximum. Each field on its own is already valid. */
export function consistencyIssues(book: PriceBook): ValidationIssue[] {
  return [
    ...productIssues(book.products),
    ...materialIssues(book),
    ...taxIssues(book.tax),
    ...zoneIssues(book.shipping),
    ...methodIssues(book.shipping),
  ];
}

const issue = (path: string, message: string): ValidationIssue => ({ path, message });

function* productIssues(products: PriceBook['products']): IssueGenerator {
  for (const slug of ORDERABLE_SLUGS) if (!Object.hasOwn(products, slug)) yield issue(`products.${slug}`, 'is required');
  for (const slug of Object.keys(products)) if (!isOrderable(slug)) yield issue(`products.${slug}`, 'is not an orderable product');
  for (const [slug, { minQuantity, maxQuantity, ladder }] of Object.entries(products)) {
    if (minQuantity > maxQuantity) yield issue(`products.${slug}.maxQuantity`, 'must not be below minQuantity');
    yield* ladderIssues(`products.${slug}.ladder`, ladder);
  }
}

function* ladderIssues(path: string, ladder: readonly LadderStep[]): IssueGenerator {
  for (const [index, step] of ladder.entries()) {
    const previous = ladder[index - 1];
    if (previous === undefined) continue;
    if (step.fromQuantity <= previous.fromQuantity) yield issue(`${path}.${index}.fromQuantity`, 'must be above the previous step');
    if (step.reductionBps < previous.reductionBps) yield issue(`${path}.${index}.reductionBps`, 'must not be below the previous step');
  }
}

function* materialIssues({ mats, raisedFloat, sleeves, canvas }: PriceBook): IssueGenerator {
  if (mats.defaultMm < mats.minimumMm) yield issue('mats.defaultMm', 'must not be below mats.minimumMm');
  if (raisedFloat.revealDefaultMm < raisedFloat.revealMinimumMm)
    yield issue('raisedFloat.revealDefaultMm', 'must not be below raisedFloat.revealMinimumMm');
  for (const [index, code] of sleeves.everydayArtCodes.entries())
    if (!Object.hasOwn(sleeves.centsByCode, code)) yield issue(`sleeves.everydayArtCodes.${index}`, `has no price in sleeves.centsByCode`);
  if (!Object.hasOwn(canvas.barCentsPerMetre, FLOAT_FRAME_DEPTH))
    yield issue(`canvas.barCentsPerMetre.${FLOAT_FRAME_DEPTH}`, 'is required: float frames need it');
}

function* taxIssues({ untaxedZones }: PriceBook['tax']): IssueGenerator {
  for (const [index, { postcodes }] of untaxedZones.entries()) yield* rangeIssues(`tax.untaxedZones.${index}.postcodes`, postcodes);
}

function* rangeIssues(path: string, ranges: readonly { from: string; to: string }[]): IssueGenerator {
  for (const [index, { from, to }] of ranges.entries()) if (from > to) yield issue(`${path}.${index}.to`, 'must not be below from');
}

function* zoneIssues({ zones }: ShippingTerms): IssueGenerator {
  for (const index of duplicateIndexes(zones.map(({ id }) => id))) yield issue(`shipping.zones.${index}.id`, 'is used by an earlier zone');
  for (const [index, { countries, postcodes }] of zones.entries()) {
    const path = `shipping.zones.${index}.postcodes`;
    if (postcodes !== null && countries.length > 1) yield issue(path, 'must be null for more than one country');
    yield* rangeIssues(path, postcodes ?? []);
  }
}

function* methodIssues({ zones, methods, quotedFreight }: ShippingTerms): IssueGenerator {
  const zoneIds = new Set(zones.map(({ id }) => id));
  const ids = methods.map(({ id }) => id);
  const pathOf = (method: number, zone: number): string => `shipping.methods.${method}.zones.${zone}`;
  const rates = methods.flatMap((method, index) => method.zones.map((rate, zone) => ({ ...rate, path: pathOf(index, zone) })));
  for (const index of duplicateIndexes(ids)) yield issue(`shipping.methods.${index}.id`, 'is used by an earlier method');
  if (ids.includes(quotedFreight.id)) yield issue('shipping.quotedFreight.id', 'is used by a method');
  for (const { path, zoneId } of rates) if (!zoneIds.has(zoneId)) yield issue(`${path}.zoneId`, 'is not the id of a zone');
  for (const { path, deliveryDays: days } of rates)
    if (days !== null && days.min > days.max) yield issue(`${path}.deliveryDays.max`, 'must not be below min');
  for (const [index, { oversize }] of methods.entries())
    for (const [step, { overMm }] of oversize.entries())
      if (overMm <= (oversize[step - 1]?.overMm ?? -1))
        yield issue(`shipping.methods.${index}.oversize.${step}.overMm`, 'must be above the previous step');
  for (const [index, method] of methods.entries())
    for (const zone of duplicateIndexes(method.zones.map(({ zoneId }) => zoneId)))
      yield issue(`${pathOf(index, zone)}.zoneId`, 'already has a price in this method');
}

function duplicateIndexes(values: readonly string[]): number[] {
  return values.flatMap((value, index) => (values.indexOf(value) < index ? [index] : []));
}
