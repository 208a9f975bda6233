import { type Carrier, findCarrier, proposeCarrier, trackingUrlOf } from './carriers';
import { deliveryIssue } from './delivery';
import { DAY_MS } from './duration';
import { isDay, timeIssue } from './field-formats';
import { headingKey, type TrackingColumns } from './label-program';
import { PARCEL_FIELDS, TRACKING_NUMBER_AS_ID } from './order-messages/parcel-added';
import { readNumber } from './order-number';
import type { BaseStatus, OrderStatus } from './order-status';

export const TRACKING_FILE_LIMITS = { bytes: 1024 * 1024, rows: 1000 } as const;

/** The studio's calendar, in its time zone. */
export interface LocalClock {
  now: Date;
  dayOf: (at: Date) => string;
  /** The time of `YYYY-MM-DD` and `HH:MM:SS`. */
  timeAt: (day: string, time: string) => Date;
}

/** The places of the columns in a file, from its headings. Null for a column that it does not have. */
export type ColumnPlaces = { [Name in keyof TrackingColumns]: number | null } & {
  /** The number of headings. */
  width: number;
};

/** Finds the columns of a file; null if it lacks the order number or the tracking number. */
export function findColumns(headings: readonly string[], columns: TrackingColumns): ColumnPlaces | null {
  const keys = headings.map(headingKey);
  const placeOf = (heading: string | null): number | null => {
    const place = heading === null ? -1 : keys.indexOf(headingKey(heading));
    return place === -1 ? null : place;
  };
  const found = Object.entries(columns).map(([name, heading]) => [name, placeOf(heading)]);
  const places = { ...Object.fromEntries(found), width: headings.length } as ColumnPlaces;
  return places.orderNumber === null || places.trackingNumber === null ? null : places;
}

/** A time in a file. A day without a time of day fits every time of that day. */
export interface FileTime {
  at: Date;
  isDay: boolean;
}

/** A row of the file that can be recorded. */
export interface TrackingRow {
  orderNumber: string;
  trackingNumber: string;
  carrier: string | null;
  trackingUrl: string | null;
  shippedAt: FileTime | null;
  deliveredAt: FileTime | null;
}

/** A row with an issue. `orderNumber` and `trackingNumber` are the texts in the file if they cannot be read. */
export interface WrongRow {
  orderNumber: string;
  trackingNumber: string;
  issue: string;
}

const SHOWN_LENGTH = 100;
/** A number that a spreadsheet has reformatted: `3.93E+11`, `393123456789.00`. */
const REWRITTEN = /^\d+(?:(?:[.,]\d+)?E\+\d{2,3}|[.,]0{1,2})$/i;
/** The errors that spreadsheets write instead of a value: `#N/A`, `#NV`, `#DIV/0!`, `#¿NOMBRE?`, `Err:502`. */
const FORMULA_ERROR = /^(?:#¿?\p{L}[\p{L}/0]*[!?]?|Err:\d{3})$/iu;
const SEVERAL_NUMBERS = /[,;|&]|\s[/+]\s/;
/** Text of a cell. Programs mark text as `="…"`, spreadsheets and our own files with `'`. Invisible characters are no part of it. */
const readCell = (cells: readonly string[], place: number | null): string =>
  place === null
    ? ''
    : (cells[place] ?? '')
        .replaceAll(/\p{Cf}/gu, '')
        .replaceAll(/[\s\p{Cc}]+/gu, ' ')
        .trim()
        .replace(/^="(.*)"$/, '$1')
        .trim()
        .replace(/^'/, '')
        .trim();

const isInLines = (cells: readonly string[], place: number | null): boolean => place !== null && /[\r\n]/.test((cells[place] ?? '').trim());

/** Reads one row of a file. */
export function readTrackingRow(
  cells: readonly string[],
  places: ColumnPlaces,
  carriers: readonly Carrier[],
  clock: LocalClock,
): TrackingRow | WrongRow {
  const [numberText, label] = [readCell(cells, places.orderNumber), readCell(cells, places.trackingNumber)];
  const orderNumber = readNumber('order', numberText, 'live');
  const { carrier, trackingUrl, trackingNumber } = readCarrier(cells, places, carriers, label);
  const wrong = (issue: string): WrongRow => ({
    orderNumber: (orderNumber ?? numberText).slice(0, SHOWN_LENGTH),
    trackingNumber: trackingNumber.slice(0, SHOWN_LENGTH),
    issue,
  });
  if (cells.slice(places.width).some((cell) => cell.trim() !== ''))
    return wrong('the row has more cells than headings; put quotes around a text with a separator');
  if (orderNumber === null) return wrong('the order number must be like P-10001');
  if (label === '') return wrong('the tracking number is missing');
  if (REWRITTEN.test(label))
    return wrong('a spreadsheet has changed the tracking number; set the format of its column to text and export the file again');
  const { width: _width, ...columns } = places;
  const formulaError = Object.values(columns)
    .map((place) => readCell(cells, place))
    .find((cell) => FORMULA_ERROR.test(cell));
  if (formulaError !== undefined)
    return wrong(`a spreadsheet wrote ${formulaError} because a formula failed; repair it and export the file again`);
  if (!/\p{Nd}/u.test(label)) return wrong('the tracking number must have a digit');
  if (SEVERAL_NUMBERS.test(label) || isInLines(cells, places.trackingNumber))
    return wrong('the row must have one tracking number; give each parcel its own row');
  const fields = { trackingNumber, carrier, trackingUrl };
  for (const [name, value] of Object.entries(fields) as [keyof typeof fields, string | null][]) {
    const field = name === 'trackingNumber' ? TRACKING_NUMBER_AS_ID : PARCEL_FIELDS[name];
    const issue = value === null ? null : field.issue(value);
    if (issue !== null) return wrong(`${name} ${issue}`);
  }
  const times = { shippedAt: readCell(cells, places.shippedAt), deliveredAt: readCell(cells, places.deliveredAt) };
  const shippedAt = readFileTime(times.shippedAt, clock, '00:00:00');
  const deliveredAt = readFileTime(times.deliveredAt, clock, '23:59:59');
  for (const [name, time] of Object.entries({ shippedAt, deliveredAt }))
    if (time === undefined) return wrong(`${name} must be a day such as 2026-03-05 or 5/3/2026, or such a day with a time`);
  return { orderNumber, ...fields, shippedAt: shippedAt ?? null, deliveredAt: deliveredAt ?? null };
}

/** The carrier in the row, or that of the label. The URL is the one in the row, or that of the carrier. */
function readCarrier(
  cells: readonly string[],
  places: ColumnPlaces,
  carriers: readonly Carrier[],
  label: string,
): Pick<TrackingRow, 'carrier' | 'trackingUrl' | 'trackingNumber'> {
  const [name, service, url] = [readCell(cells, places.carrier), readCell(cells, places.service), readCell(cells, places.trackingUrl)];
  const known = name === '' ? null : findCarrier(carriers, name);
  const proposal = proposeCarrier(name === '' ? carriers : known === null ? [] : [known], label);
  const full = service === '' ? name : `${name} ${service}`;
  const carrier = name === '' ? (proposal?.carrier.name ?? null) : findCarrier(carriers, full) === null ? name : full;
  const found = known ?? proposal?.carrier ?? null;
  const trackingNumber = proposal?.trackingNumber ?? label;
  return { carrier, trackingNumber, trackingUrl: url === '' ? found && trackingUrlOf(found, trackingNumber) : url };
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const LOCAL_TIME =
  /^(?:(\d{4})-(\d{1,2})-(\d{1,2})|(\d{1,2})[/.-](\d{1,2}|[A-Za-z]{3})[/.-](\d{4})|(\d{1,2}) ([A-Za-z]{3})[a-z]{0,6} (\d{4}))(?:[T ,]{1,2}(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?: ?([AaPp])\.?[Mm]\.?)?)?$/;

/** A time with an offset as databases and programs write it: `2026-03-05 14:05:00+11`, `2026-03-05T14:05 +1100`, `2026-03-05 03:05 UTC`. */
const OFFSET_TIME = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)? ?(?:(Z|UTC|GMT)|([+-]\d{2})(?::?(\d{2}))?)$/;
const toRfc3339 = (text: string): string =>
  text.replace(
    OFFSET_TIME,
    (_text, day: string, time: string, seconds = ':00', utc?: string, hours?: string, minutes = '00') =>
      `${day}T${time}${seconds}${utc === undefined ? `${hours}:${minutes}` : 'Z'}`,
  );

/**
 * Reads a time with an offset, or a day with or without a time of day on the studio's clock. In `5/3/2026` the day is first.
 * @param timeOfDay that of a day alone
 * @returns null for an empty text, undefined for another one
 */
function readFileTime(text: string, clock: LocalClock, timeOfDay: string): FileTime | null | undefined {
  if (text === '') return null;
  const time = toRfc3339(text);
  if (timeIssue(time) === null) return { at: new Date(time), isDay: false };
  const found = LOCAL_TIME.exec(text);
  if (found === null) return undefined;
  const [, isoYear, isoMonth, isoDay, day, month, year, wordDay, wordMonth, wordYear, hour, minute, second = '00', half] = found;
  const monthText = isoMonth ?? month ?? wordMonth ?? '';
  const monthNumber = MONTHS.indexOf(monthText.toLowerCase()) + 1 || Number(monthText);
  const pad = (value: string | number): string => String(value).padStart(2, '0');
  const date = `${isoYear ?? year ?? wordYear}-${pad(monthNumber)}-${pad(isoDay ?? day ?? wordDay ?? '')}`;
  if (!isDay(date) || timeIssue(`${date}T00:00:00Z`) !== null) return undefined;
  if (hour === undefined || minute === undefined) return { at: clock.timeAt(date, timeOfDay), isDay: true };
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  if (hours > 23 || Number(minute) > 59 || Number(second) > 59 || (half !== undefined && Number(hour) > 12)) return undefined;
  return { at: clock.timeAt(date, `${pad(hours)}:${minute}:${second}`), isDay: false };
}

/** A parcel of an order, for the plan of a row. */
export interface KnownParcel extends PlannedParcel {
  deliveredAt: Date | null;
  isVoided: boolean;
}

/** An order that rows of the file name. */
export interface TrackedOrder {
  id: string;
  status: OrderStatus;
  baseStatus: BaseStatus;
  isErased: boolean;
  placedAt: Date;
  parcels: readonly KnownParcel[];
}

export interface PlannedParcel {
  id: string;
  trackingNumber: string;
  shippedAt: Date | null;
}

/** What a row does: it adds a parcel, records a delivery, or both. */
export type RowPlan =
  | { outcome: 'refused'; issue: string }
  | { outcome: 'unchanged' }
  | { outcome: 'added'; parcel: PlannedParcel; deliveredAt: Date | null }
  | { outcome: 'delivered'; parcelId: string; deliveredAt: Date };

/** Why a file does not ship an order of this status. A person can still add its parcel. */
const UNSHIPPABLE: Partial<Record<BaseStatus, string>> = {
  received: 'production of the order has not started',
  on_hold: 'the order is on hold; release it first',
  cancelled: 'the order is cancelled; if the parcel left, add it to the order',
};

const DAY_FIRST = 'in a day such as 5/3/2026 the day is first';

/** The form in which tracking numbers are compared. Scanners and masks drop separators. */
export const comparable = (trackingNumber: string): string =>
  trackingNumber.replaceAll(/[^0-9A-Za-z]/g, '').toUpperCase() || trackingNumber;

const isSameNumber = (one: string, other: string): boolean => comparable(one) === comparable(other);

/**
 * Plans a row on its order, which is null if there is none.
 * @param parcelId the id of a parcel that the row adds
 */
export function planRow(row: TrackingRow, order: TrackedOrder | null, clock: LocalClock, parcelId: string): RowPlan {
  const refused = (issue: string): RowPlan => ({ outcome: 'refused', issue });
  if (order === null) return refused('there is no such order');
  if (order.isErased) return refused('the data of the order was erased');
  const { trackingNumber } = row;
  const same = order.parcels.filter((parcel) => isSameNumber(parcel.trackingNumber, trackingNumber));
  const parcel = same.find(({ isVoided }) => !isVoided);
  if (parcel === undefined && same.length > 0) return refused('the label with this tracking number was voided');
  const unshippable = UNSHIPPABLE[order.baseStatus];
  if (parcel === undefined && unshippable !== undefined) return refused(unshippable);
  // A parcel keeps its time, so that of the row is not used.
  const times = { shippedAt: parcel === undefined ? row.shippedAt : null, deliveredAt: row.deliveredAt };
  if (times.shippedAt !== null && times.shippedAt.at.getTime() - clock.now.getTime() > DAY_MS)
    return refused(`shippedAt is in the future; ${DAY_FIRST}`);
  for (const [name, time] of Object.entries(times))
    if (time !== null && clock.dayOf(time.at) < clock.dayOf(order.placedAt))
      return refused(`${name} is before the order was placed; ${DAY_FIRST}`);
  const deliveredAt = row.deliveredAt && capped(row.deliveredAt, clock);
  const shippedAt = parcel === undefined ? (times.shippedAt?.at ?? deliveredAt) : parcel.shippedAt;
  const issue = deliveredAt && deliveryIssue({ shippedAt, deliveredAt, now: clock.now });
  if (issue !== null) return refused(`deliveredAt ${issue}`);
  if (parcel === undefined) return { outcome: 'added', parcel: { id: parcelId, trackingNumber, shippedAt }, deliveredAt };
  if (deliveredAt === null || isKnownDelivery(row.deliveredAt, parcel.deliveredAt, clock)) return { outcome: 'unchanged' };
  return { outcome: 'delivered', parcelId: parcel.id, deliveredAt };
}

/** A day alone means its end, and today ends in the future. */
const capped = ({ at, isDay: isWholeDay }: FileTime, { now, dayOf }: LocalClock): Date =>
  isWholeDay && dayOf(at) === dayOf(now) ? now : at;

function isKnownDelivery(time: FileTime | null, known: Date | null, clock: LocalClock): boolean {
  if (time === null || known === null) return false;
  return time.isDay ? clock.dayOf(time.at) === clock.dayOf(known) : time.at.getTime() === known.getTime();
}
