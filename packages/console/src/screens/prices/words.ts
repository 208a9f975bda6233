import { formatMoney } from '../../shared/amount';
import { ownValue } from '../../shared/own-value';
import { plural } from '../../shared/words';

/** Names of materials, methods and zones by their ids. */
export type Names = ReadonlyMap<string, string>;

const LABELS: Readonly<Record<string, string>> = {
  schema: 'Schema version',
  cutoffTime: 'Cutoff time for the same day',
  minimumOrderCents: 'Minimum order',
  lineCeilingCents: 'Maximum line amount',
  standardBusinessDays: 'Standard production time',
  divisor: 'Tax share: total divided by',
  minQuantity: 'Minimum quantity',
  maxQuantity: 'Maximum quantity',
  fromQuantity: 'From quantity',
  reductionBps: 'Discount',
  ladder: 'Quantity discounts',
  print: 'Prints',
  classes: 'By class of paper',
  byMediaId: 'Rates by paper',
  centsPerSqm: 'Rate',
  minimumCents: 'Minimum',
  feeMinimumCents: 'Minimum fee',
  feeBps: 'Fee, share of the print',
  tornEdge: 'Torn edges',
  centsByCode: 'By size',
  everydayArtCodes: 'Sizes of everyday prints',
  defaultCentsPerMetre: 'Default rate',
  defaultCentsPerSqm: 'Default rate',
  centsPerMetreById: 'Rates',
  centsPerSqmById: 'Rates',
  joinCents: 'Frame joining',
  cutCents: 'Window cut',
  captionCents: 'Caption window',
  backingBoardCentsPerSqm: 'Backing board',
  minimumMm: 'Minimum border',
  defaultMm: 'Default border',
  riserCentsPerMetre: 'Riser, by its height in mm',
  barCentsPerMetre: 'Bars, by depth',
  finishCentsPerSqm: 'Finish',
  assemblyCents: 'Frame assembly',
  ceilingCents: 'Maximum delivery charge',
  cubicKgPerCubicMetre: 'Cubic weight',
  flatLimitMm: 'Largest flat piece',
  longMm: 'Long side',
  shortMm: 'Short side',
  baseCents: 'Base',
  perKgCents: 'Per kilogram started',
  overMm: 'Longest side over',
  cents: 'Surcharge',
  zoneId: 'Zone',
  carries: 'Parcel types',
  isCollection: 'Collected at the studio',
  quotedFreight: 'Freight on request',
  estimatedDelivery: 'Delivery time',
  deliveryDays: 'Delivery time',
  min: 'Minimum',
  max: 'Maximum',
};
const SUFFIX = /(CentsPerSqm|CentsPerMetre|Cents|Bps|Mm|Grams|Gsm|PerCubicMetre|PerMetre|ById|ByCode)$/;
/** The keys below these are ids and have no unit. */
const BY_ID = /^(byMediaId|centsByCode|.*ById|products|zones|methods)$/;

/** The label of a field, or the name of an id. */
export function labelOf(key: string, names: Names): string {
  const label = ownValue(LABELS, key) ?? names.get(key);
  if (label !== undefined) return label;
  if (/[^a-zA-Z]/.test(key)) return key;
  const words = key
    .replace(SUFFIX, '')
    .replaceAll(/([A-Z])/g, ' $1')
    .toLowerCase()
    .trim();
  return words === '' ? key : words.charAt(0).toUpperCase() + words.slice(1);
}

/** The path of a rate: `Mouldings › Rates › Oak natural 20 mm`. */
export function pathWords(path: string, names: Names): string {
  return path
    .split('.')
    .map((key) => (/^\d+$/.test(key) && Number(key) < 100 ? `no. ${Number(key) + 1}` : labelOf(key, names)))
    .join(' › ');
}

/** Formats a value by the unit in its path. Null means that the studio does not sell it. */
export function valueWords(path: readonly string[], value: unknown, currency: string, names: Names): string {
  if (value === undefined) return '–';
  if (value === null) return path.some((key) => /cents|classes|byMediaId/i.test(key)) ? 'Not sold' : 'None';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'string') return names.get(value) ?? value;
  if (typeof value === 'number') return numberWords(unitKey(path), value, currency);
  if (Array.isArray(value)) return value.length === 0 ? 'None' : value.map((each) => listed(each, names)).join(', ');
  return Object.keys(value).length === 0 ? 'None' : JSON.stringify(value);
}

function listed(value: unknown, names: Names): string {
  if (typeof value === 'string') return names.get(value) ?? value;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const { from, to } = value as { from?: unknown; to?: unknown };
  if (typeof from === 'string' && typeof to === 'string') return from === to ? from : `${from}–${to}`;
  return JSON.stringify(value);
}

/** The last key with a unit in its name. */
function unitKey(path: readonly string[]): string {
  const position = path.findLastIndex((key, index) => !BY_ID.test(path[index - 1] ?? '') && UNIT.test(key));
  return path[position] ?? '';
}

const UNIT = /cents|Bps$|Mm$|Grams|Gsm$|PerCubicMetre$|Days$|Quantity$/i;

function numberWords(key: string, value: number, currency: string): string {
  const figure = new Intl.NumberFormat('en-AU').format(value);
  if (/centsPerSqm/i.test(key)) return `${formatMoney(value, currency)} per m²`;
  if (/centsPerMetre/i.test(key)) return `${formatMoney(value, currency)} per m`;
  if (/cents/i.test(key)) return formatMoney(value, currency);
  if (key.endsWith('Bps')) return `${new Intl.NumberFormat('en-AU').format(value / 100)}%`;
  if (key.endsWith('Mm')) return `${figure} mm`;
  if (key.endsWith('Gsm')) return `${figure} g/m²`;
  if (key.endsWith('GramsPerMetre')) return `${figure} g per m`;
  if (/Grams$/i.test(key)) return `${figure} g`;
  if (key.endsWith('KgPerCubicMetre')) return `${figure} kg/m³`;
  if (key.endsWith('Days')) return plural(value, 'business day');
  if (key.endsWith('Quantity')) return `${figure} pieces`;
  return figure;
}
