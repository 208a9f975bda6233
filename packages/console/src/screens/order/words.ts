import { addressLines } from '../../shared/address-lines';
import { isToBeShipped, piecesOfLine } from '../../shared/progress';
import { ownValue } from '../../shared/own-value';
import { personName, plural, statusLabel } from '../../shared/words';
import { ACTIONS, type JobLine, type Order, type LineQuantity, type TimelineEntry } from './studio-order';
/** Title of a timeline entry. */
export const entryTitle = (type: string): string => ownValue(ACTIONS, type)?.past ?? statusLabel(type);

/** Title of a mail with a document in the timeline. */
export function sendInWords(state: NonNullable<TimelineEntry['sendState']>): string {
  if (state === 'pending') return 'Document waits for the mail server';
  return state === 'sent' ? 'Document sent' : 'Document not sent';
}

/** The replaced values, before and after. */
export function changeInWords(change: TimelineEntry['change']): string[] {
  if (change === null) return [];
  const { before, after } = change;
  return [
    ...(after.shippingAddress === undefined
      ? []
      : [`Address: ${addressInWords(before.shippingAddress)} → ${addressInWords(after.shippingAddress)}`]),
    ...(after.reference === undefined ? [] : [`Client reference: ${before.reference ?? 'none'} → ${after.reference ?? 'none'}`]),
    ...(after.lines ?? []).map(
      ({ line, externalReference }, index) =>
        `Reference of line ${line + 1}: ${before.lines?.[index]?.externalReference ?? 'none'} → ${externalReference ?? 'none'}`,
    ),
    ...(after.specialInstructions === undefined
      ? []
      : [`Special instructions: ${before.specialInstructions ?? 'none'} → ${after.specialInstructions ?? 'none'}`]),
  ];
}

function addressInWords(address: NonNullable<TimelineEntry['change']>['before']['shippingAddress']): string {
  if (address === undefined) return 'none';
  return [...addressLines(address), address.phone, address.email].filter((part) => part).join(', ');
}

/** Says in words whether the client's webhook endpoints get the event of an action. */
export function notificationText(
  eventType: string | null,
  { accountName, webhookEndpoints }: Pick<Order, 'accountName' | 'webhookEndpoints'>,
): string {
  if (eventType === null) return 'The client is not notified.';
  if (webhookEndpoints.length === 0) return `${accountName} is not notified: the account has no webhook endpoint.`;
  const receiving = webhookEndpoints.filter(({ eventTypes }) => eventTypes === null || eventTypes.includes(eventType));
  if (receiving.length === 0) return `${accountName} is not notified: no webhook endpoint receives ${eventType}.`;
  const disabled = receiving.filter(({ state }) => state === 'disabled').length;
  const enabled = receiving.length - disabled;
  if (enabled === 0) return `${accountName} is notified of ${eventType} after you enable its webhook endpoint and resend the event.`;
  const later = disabled === 0 ? '' : ` The event is held for ${plural(disabled, 'disabled webhook endpoint')}.`;
  return `${accountName} is notified: ${eventType} to ${plural(enabled, 'webhook endpoint')}.${later}`;
}

const ACTORS: Readonly<Record<string, string>> = { account: 'the client', signal: 'a floor system' };
export const actorInWords = (actor: string): string => ownValue(ACTORS, actor) ?? personName(actor);

const BLOCKERS: Readonly<Record<Order['cancellable']['blockers'][number], string>> = {
  shipped: 'shipped',
  printed: 'printed',
  money: 'payment recorded',
  cancelled: 'cancelled already',
};
export const blockerInWords = (blocker: string): string => ownValue(BLOCKERS, blocker) ?? blocker;

/** Whether the client can cancel. The floor does not see that a payment is the reason. */
export function cancelInWords({ cancellable, remakeOf }: Pick<Order, 'cancellable' | 'remakeOf'>, isOffice: boolean): string {
  if (remakeOf !== null) return `No: remake of ${remakeOf.orderNumber}`;
  if (cancellable.now) return 'Yes';
  const blockers = cancellable.blockers.filter((blocker) => isOffice || blocker !== 'money');
  return blockers.length === 0 ? 'No: ask the office' : `No: ${blockers.map(blockerInWords).join(', ')}`;
}

const FITS: Readonly<Record<'fill' | 'fit', string>> = { fill: 'Crop to the size', fit: 'White margins' };
export const fitInWords = (fit: string): string => ownValue(FITS, fit) ?? fit;

/** `Line 1`: screens count from 1, the API from 0. */
export const lineName = (line: number): string => `Line ${line + 1}`;

/** `line 1`, or `lines 1, 3`. */
export const linesInWords = (lines: readonly number[]): string =>
  `${lines.length === 1 ? 'line' : 'lines'} ${lines.map((line) => line + 1).join(', ')}`;

export function piecesInWords(pieces: readonly LineQuantity[] | null): string {
  if (pieces === null) return 'unknown';
  return pieces.map(({ line, quantity }) => piecesOfLine(quantity, line)).join(', ');
}

const DAY_MS = 86_400_000;
const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);

/** Time until the due date; null without one, or once the order has shipped. */
export function dueInWords({ dueDate, late, status }: Order, today: string): string | null {
  if (dueDate === null || !isToBeShipped(status)) return null;
  const left = daysBetween(today, dueDate);
  if (late || left < 0) return `${plural(Math.abs(left), 'day')} late`;
  if (left === 0) return 'due today';
  return left === 1 ? 'due tomorrow' : `${plural(left, 'day')} left`;
}

/** Why a line has no picture; null if it has one. */
export function missingPictureReason({ artworkUrl, artworkReceived, inspection }: JobLine): string | null {
  if (inspection?.state === 'ok') return null;
  if (inspection !== null) return inspection.reason ?? 'No preview of this file type';
  if (artworkUrl === null) return 'No artwork';
  return artworkReceived === false ? 'Waiting for the artwork' : 'Checking the artwork';
}
