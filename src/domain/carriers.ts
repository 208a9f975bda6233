import { AIM_PREFIX, gs1Values, isGs1Label } from './gs1';
import { readUrl } from './urls';

/** A carrier of the studio. */
export interface Carrier {
  name: string;
  /** The names of its services, such as `Express Post`. */
  services: string[];
  /** The URL of a tracking page with `{trackingNumber}`; null if the carrier has none. */
  trackingUrl: string | null;
  /** The forms of its tracking numbers and labels. */
  masks: string[];
}

/** The carriers until an admin changes them. URLs and forms are those that the carriers publish. */
export const DEFAULT_CARRIERS: readonly Carrier[] = [
  {
    name: 'Australia Post',
    services: ['Parcel Post', 'Express Post'],
    trackingUrl: 'https://auspost.com.au/mypost/track/details/{trackingNumber}',
    // An international item, and the article in the barcode of a domestic label. The square barcode has more elements after it.
    masks: ['@@#########AU', `019931265099999891[${'?'.repeat(21)}]`, `019931265099999891[${'?'.repeat(23)}]`],
  },
  {
    name: 'StarTrack',
    services: ['Road Express', 'Premium'],
    trackingUrl: 'https://startrack.com.au/track/details/{trackingNumber}',
    masks: [],
  },
  {
    name: 'DHL Express',
    services: [],
    trackingUrl: 'https://www.dhl.com/au-en/home/tracking.html?tracking-id={trackingNumber}',
    // The number of the waybill, and of a piece, whose barcode begins with the data identifier J.
    masks: ['##########', 'JD##################', 'J[JD##################]'],
  },
  {
    name: 'FedEx',
    services: [],
    trackingUrl: 'https://www.fedex.com/fedextrack/?trknbr={trackingNumber}',
    // The number, and the longer barcodes that contain it.
    masks: [
      '############',
      '###############',
      '96#####[###############]',
      ...['1#', '96'].map((start) => `${start}${'#'.repeat(20)}[############]`),
    ],
  },
  { name: 'UPS', services: [], trackingUrl: 'https://www.ups.com/track?tracknum={trackingNumber}', masks: ['1Z????????????????'] },
];

export const CARRIER_LIMITS = { carriers: 50, name: 50, services: 20, service: 40, template: 500, masks: 20, mask: 60 } as const;

const PLACEHOLDER = '{trackingNumber}';

/** Why a text is no template of tracking pages; null if it is one. The placeholder must not change the host. */
export function templateIssue(template: string): string | null {
  const [start = '', ...rest] = template.split(PLACEHOLDER);
  const problem = `must be an http or https URL with ${PLACEHOLDER} after its host, such as https://carrier.example/track/${PLACEHOLDER}`;
  if (rest.length === 0 || /[{}\s]/.test([start, ...rest].join(''))) return problem;
  if (!/^https?:\/\/[^/?#]+[/?#]/i.test(start)) return problem;
  const url = readUrl(template.replaceAll(PLACEHOLDER, '0'));
  return url === null || url.username !== '' || url.password !== '' ? problem : null;
}

/** The longest URL that a parcel can have. */
const MAX_URL_LENGTH = 2000;

/** The page of a tracking number; null if the carrier has none. */
export function trackingUrlOf({ trackingUrl: template }: Pick<Carrier, 'trackingUrl'>, trackingNumber: string): string | null {
  // Text that cannot be encoded, and parts of a path that a browser would remove.
  if (template === null || /\p{Surrogate}/u.test(trackingNumber) || ['', '.', '..'].includes(trackingNumber)) return null;
  const url = template.replaceAll(PLACEHOLDER, () => encodeURIComponent(trackingNumber));
  return url.length > MAX_URL_LENGTH ? null : url;
}

/** The texts for a parcel: the carrier, also with each of its services. */
export const carrierTexts = ({ name, services }: Carrier): string[] => [name, ...services.map((service) => `${name} ${service}`)];

const fold = (text: string): string => text.trim().toLowerCase();

/** The carrier that a text of a parcel means; null if none has it. */
export const findCarrier = (carriers: readonly Carrier[], text: string): Carrier | null =>
  carriers.find((carrier) => carrierTexts(carrier).some((known) => fold(known) === fold(text))) ?? null;

/** Two carriers with the same text; null if all differ. */
export function repeatedCarrierText(carriers: readonly Carrier[]): { at: number; text: string } | null {
  const seen = new Set<string>();
  for (const [at, carrier] of carriers.entries())
    for (const text of carrierTexts(carrier)) {
      if (seen.has(fold(text))) return { at, text };
      seen.add(fold(text));
    }
  return null;
}

/**
 * A mask is one character for each of the number: `#` is a digit, `@` a letter, `?` either, and a letter or digit is itself. A `*` at the end
 * is any number of letters and digits. Only the part in brackets, if there are some, is the tracking number. Each character is compared once,
 * so a mask cannot take long, as regular expressions of people can.
 */
const MASK = /^([A-Z0-9#@?]*)(?:\[([A-Z0-9#@?]*\*?)\]([A-Z0-9#@?]*)|(\*?))$/i;

/** Why a text is no mask; null if it is one. */
export function maskIssue(mask: string): string | null {
  const parts = partsOf(mask);
  const characters = parts === null ? '' : parts.before + parts.number + parts.after;
  if (parts === null || parts.number === '')
    return 'must consist of letters, digits, # (a digit), @ (a letter), ? (either) and * at the end, with the tracking number in [ ] if it is a part';
  if (parts.hasRest && parts.after !== '') return 'must not continue after *';
  return /[A-Z0-9#@?]/i.test(characters) ? null : 'must not match every text';
}

interface MaskParts {
  before: string;
  number: string;
  after: string;
  /** The number ends with `*`. */
  hasRest: boolean;
}

function partsOf(mask: string): MaskParts | null {
  const found = MASK.exec(mask);
  if (found === null) return null;
  const [, start = '', bracketed, after = '', rest = ''] = found;
  if (bracketed === undefined) return { before: '', number: start + rest, after: '', hasRest: rest === '*' };
  return { before: start, number: bracketed, after, hasRest: bracketed.endsWith('*') };
}

const isDigit = (character: string): boolean => character >= '0' && character <= '9';
const isLetter = (character: string): boolean => character >= 'A' && character <= 'Z';

function fits(expected: string, character: string): boolean {
  if (expected === '#') return isDigit(character);
  if (expected === '@') return isLetter(character);
  return expected === '?' ? isDigit(character) || isLetter(character) : expected === character;
}

/** The tracking number in a label of letters and digits; null if the mask does not fit it. */
function matchMask(mask: string, label: string): string | null {
  const parts = partsOf(mask.toUpperCase());
  if (parts === null) return null;
  const fixed = parts.before + parts.number.replace('*', '') + parts.after;
  if (parts.hasRest ? label.length < fixed.length : label.length !== fixed.length) return null;
  for (let at = 0; at < fixed.length; at += 1) if (!fits(fixed[at] ?? '', label[at] ?? '')) return null;
  const number = label.slice(parts.before.length, label.length - parts.after.length);
  return number === '' ? null : number;
}

/** The more exact of two masks is larger: first by its own letters and digits, then by its kinds of characters, then without `*`. */
function exactness(mask: string): number {
  const count = (pattern: RegExp): number => mask.match(pattern)?.length ?? 0;
  return count(/[A-Z0-9]/gi) * 1_000_000 + count(/[#@]/g) * 10_000 + count(/\?/g) * 100 + (mask.includes('*') ? 0 : 1);
}

/** Labels and tracking numbers are shorter. */
const MAX_LABEL_LENGTH = 200;

const clean = (label: string): string => label.replaceAll(/[\s().\u001d-]/g, '');

/**
 * The parts of a label that can be its number, in capitals: the whole label, the elements of a GS1 label, and their values. Spaces, hyphens
 * and parentheses are no part of a number. An element ends with the separator of scanners, or with the space that the console shows for it.
 */
function readLabel(text: string): string[] {
  const trimmed = text.trim();
  if (trimmed.length > MAX_LABEL_LENGTH) return [];
  const label = trimmed.replace(AIM_PREFIX, '').toUpperCase();
  const whole = clean(label);
  if (!/^[A-Z0-9]+$/.test(whole)) return [];
  if (!isGs1Label(trimmed)) return [whole];
  const elements = elementsOf(label).filter((element) => gs1Values(element).length > 0);
  return [...new Set([whole, ...elements, ...[whole, ...elements].flatMap(gs1Values)])];
}

/** A space ends an element only if the text before the first space is a complete element. Other spaces were typed by a person. */
function elementsOf(label: string): string[] {
  const [first = ''] = label.replace(/^\u001d/, '').split(/[\u001d ]/);
  const separator = gs1Values(clean(first)).length > 0 ? /[\u001d ]/ : '\u001d';
  return label.split(separator).map(clean);
}

export interface LabelProposal {
  carrier: Carrier;
  trackingNumber: string;
}

/**
 * The carrier whose mask fits a label most exactly, and the number in it. If several fit equally, `preferred` decides, and without it none
 * is proposed.
 */
export function proposeCarrier(carriers: readonly Carrier[], text: string, preferred: string | null = null): LabelProposal | null {
  const candidates = readLabel(text);
  const found = carriers.flatMap((carrier) =>
    carrier.masks.flatMap((mask) =>
      candidates.flatMap((candidate, index) => {
        const trackingNumber = matchMask(mask, candidate);
        // The whole label goes before a part of it.
        return trackingNumber === null ? [] : [{ carrier, trackingNumber, rank: exactness(mask) * 2 + (index === 0 ? 1 : 0) }];
      }),
    ),
  );
  const highest = Math.max(...found.map(({ rank }) => rank));
  const best = found.filter(({ rank }) => rank === highest);
  const isSame = new Set(best.map(({ carrier }) => carrier.name)).size === 1;
  const preferredCarrier = preferred === null ? null : findCarrier(carriers, preferred);
  const chosen = isSame ? best[0] : best.find(({ carrier }) => carrier === preferredCarrier);
  return chosen === undefined ? null : { carrier: chosen.carrier, trackingNumber: chosen.trackingNumber };
}
