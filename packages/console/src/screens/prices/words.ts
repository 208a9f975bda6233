import { formatMoney } from '../../shared/amount';
import { known } from '../../shared/known';

/** Names of materials, methods and zones by their ids, where somebody knows them. */
export type Names = ReadonlyMap<string, string>;

const LABELS: Readonly<Record<string, string>> = {
  schema: 'Shape of the document',
  cutoffTime: 'Work that arrives from then on starts the next day',
  minimumOrderCents: 'Smallest order',
  lineCeilingCents: 'Largest amount of a line',
  standardBusinessDays: 'Due without rush',
  divisor: 'Contained: total divided by',
  minQuantity: 'Fewest',
  maxQuantity: 'Most',
  fromQuantity: 'From',
  reductionBps: 'Reduction',
  ladder: 'Reduction for more of the same',
  print: 'Prints',
  classes: 'By kind of paper',
  byMediaId: 'Papers with a rate of their own',
  centsPerSqm: 'Rate',
  minimumCents: 'At least',
  feeMinimumCents: 'At least',
  feeBps: 'Share of the print',
  tornEdge: 'Torn edges',
  centsByCode: 'By size',
  everydayArtCodes: 'Sizes for everyday prints',
  defaultCentsPerMetre: 'All without a rate of their own',
  defaultCentsPerSqm: 'All without a rate of their own',
  centsPerMetreById: 'Rates',
  centsPerSqmById: 'Rates of their own',
  joinCents: 'Joining a frame',
  cutCents: 'Cutting the window',
  captionCents: 'Window for a caption',
  backingBoardCentsPerSqm: 'Board behind a print and mat',
  minimumMm: 'Narrowest border',
  defaultMm: 'Border where none is told',
  riserCentsPerMetre: 'Riser, by its height in mm',
  barCentsPerMetre: 'Bars, by depth',
  finishCentsPerSqm: 'Finish',
  assemblyCents: 'Assembling a frame',
  ceilingCents: 'Dearest delivery',
  cubicKgPerCubicMetre: 'Cubic weight',
  flatLimitMm: 'Largest flat piece',
  longMm: 'Long side',
  shortMm: 'Short side',
  baseCents: 'Base',
  perKgCents: 'Each kilogram begun',
  overMm: 'Longest side over',
  cents: 'Surcharge',
  zoneId: 'Zone',
  carries: 'Parcels it carries',
  isCollection: 'Collected at the studio',
  quotedFreight: 'Freight by quotation',
  estimatedDelivery: 'Takes',
  deliveryDays: 'Business days until it arrives',
  min: 'At least',
  max: 'At most',
};
const SUFFIX = /(CentsPerSqm|CentsPerMetre|Cents|Bps|Mm|Grams|Gsm|PerCubicMetre|PerMetre|ById|ByCode)$/;
/** Below these stand ids, which have no unit in them. */
const BY_ID = /^(byMediaId|centsByCode|.*ById|products|zones|methods)$/;

/** A field of a book as people say it; an id by its name. */
export function labelOf(key: string, names: Names): string {
  const label = known(LABELS, key) ?? names.get(key);
  if (label !== undefined) return label;
  if (/[^a-zA-Z]/.test(key)) return key;
  const words = key
    .replace(SUFFIX, '')
    .replaceAll(/([A-Z])/g, ' $1')
    .toLowerCase()
    .trim();
  return words === '' ? key : words.charAt(0).toUpperCase() + words.slice(1);
}

/** Where a rate stands, in words: `Mouldings › Rates › Oak natural 20 mm`. */
export function pathWords(path: string, names: Names): string {
  return path
    .split('.')
    .map((key) => (/^\d+$/.test(key) && Number(key) < 100 ? `no. ${Number(key) + 1}` : labelOf(key, names)))
    .join(' › ');
}

/** A value as what it is: money, a share, a length; `null` is what is not sold, or not told. */
export function valueWords(path: readonly string[], value: unknown, currency: string, names: Names): string {
  if (value === undefined) return '–';
  if (value === null) return path.some((key) => /cents|classes|byMediaId/i.test(key)) ? 'not sold' : 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return names.get(value) ?? value;
  if (typeof value === 'number') return numberWords(unitKey(path), value, currency);
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map((each) => listed(each, names)).join(', ');
  return Object.keys(value).length === 0 ? 'none' : JSON.stringify(value);
}

function listed(value: unknown, names: Names): string {
  if (typeof value === 'string') return names.get(value) ?? value;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const { from, to } = value as { from?: unknown; to?: unknown };
  if (typeof from === 'string' && typeof to === 'string') return from === to ? from : `${from}–${to}`;
  return JSON.stringify(value);
}

/** The key that has the unit in its name: ids have none. */
function unitKey(path: readonly string[]): string {
  const at = path.findLastIndex((key, index) => !BY_ID.test(path[index - 1] ?? '') && UNIT.test(key));
  return path[at] ?? '';
}

const UNIT = /cents|Bps$|Mm$|Grams|Gsm$|PerCubicMetre$|Days$|Quantity$/i;

function numberWords(key: string, value: number, currency: string): string {
  const figure = new Intl.NumberFormat('en-AU').format(value);
  if (/centsPerSqm/i.test(key)) return `${formatMoney(value, currency)} per m²`;
  if (/centsPerMetre/i.test(key)) return `${formatMoney(value, currency)} per m`;
  if (/cents/i.test(key)) return formatMoney(value, currency);
  if (key.endsWith('Bps')) return `${new Intl.NumberFormat('en-AU').format(value / 100)} %`;
  if (key.endsWith('Mm')) return `${figure} mm`;
  if (key.endsWith('Gsm')) return `${figure} g/m²`;
  if (key.endsWith('GramsPerMetre')) return `${figure} g per m`;
  if (/Grams$/i.test(key)) return `${figure} g`;
  if (key.endsWith('KgPerCubicMetre')) return `${figure} kg/m³`;
  if (key.endsWith('Days')) return `${figure} business ${value === 1 ? 'day' : 'days'}`;
  if (key.endsWith('Quantity')) return `${figure} pieces`;
  return figure;
}
