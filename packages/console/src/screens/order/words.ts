import { ACTIONS } from './action-table';
import type { JobLine, Order, Pieces, TimelineEntry } from './order';
import { personName } from '../../shared/person';
import { known } from '../../shared/known';
import { eventInWords, isToBeShipped } from '../../shared/order-status';

const HAPPENED: Readonly<Record<string, string>> = { changed: 'Order changed', artwork_replaced: 'Artwork replaced' };
export const happened = (type: string): string => known(ACTIONS, type)?.happened ?? known(HAPPENED, type) ?? type.replaceAll('_', ' ');

/** The values that the client replaced, with the new ones. */
export function changeInWords(change: TimelineEntry['change']): string[] {
  if (change === null) return [];
  const { before, after } = change;
  return [
    ...(after.shippingAddress === undefined
      ? []
      : [`Address: ${addressInWords(before.shippingAddress)} → ${addressInWords(after.shippingAddress)}`]),
    ...(after.lines ?? []).map(
      ({ line, externalReference }, at) =>
        `Reference of line ${line + 1}: ${before.lines?.[at]?.externalReference ?? 'none'} → ${externalReference ?? 'none'}`,
    ),
    ...(after.specialInstructions === undefined
      ? []
      : [`Special instructions: ${before.specialInstructions ?? 'none'} → ${after.specialInstructions ?? 'none'}`]),
  ];
}

function addressInWords(address: NonNullable<TimelineEntry['change']>['before']['shippingAddress']): string {
  if (address === undefined) return 'none';
  const { name, company, line1, line2, city, state, postcode, country, phone, email } = address;
  return [name, company, line1, line2, city, state, postcode, country, phone, email].filter((part) => part).join(', ');
}

type Told = Pick<Order, 'accountName' | 'webhookEndpoints'>;

/** Who is told of an action. Confirmation mails go out when an order is placed, never by what is done here. */
export function whoIsTold(tells: string | null, order: Told): string {
  if (tells === null) return `${order.accountName} is told nothing of it, and nobody gets a mail.`;
  return `${isTold(order, tells)} Nobody gets a mail.`;
}

/** Whether webhook endpoints of the client get the event. */
function isTold({ accountName, webhookEndpoints }: Told, type: string): string {
  const receiving = webhookEndpoints.filter(({ eventTypes }) => eventTypes === null || eventTypes.includes(type));
  const what = `: ${eventInWords(type)} (${type})`;
  if (receiving.length === 0 && webhookEndpoints.length > 0)
    return `${accountName} is not notified${what}. No webhook endpoint of theirs gets this event.`;
  const disabled = receiving.filter(({ state }) => state === 'disabled').length;
  const endpoints = receiving.length - disabled;
  const one = disabled === 1;
  const off = one ? 'an endpoint that is disabled' : `${disabled} endpoints that are disabled`;
  const held = `it is held until somebody enables ${one ? 'it' : 'them'}, and recovers what was missed`;
  if (endpoints > 0) {
    const at = endpoints === 1 ? 'one endpoint' : `${endpoints} endpoints`;
    return `${accountName} will be told${what}, at ${at}${disabled === 0 ? '' : `; for ${off} ${held}`}.`;
  }
  if (disabled === 0) return `${accountName} would be told${what}, but has no webhook endpoint: nobody is told until they look.`;
  return `${accountName} would be told${what}, but has only ${off}: ${held}.`;
}

const ACTORS: Readonly<Record<string, string>> = { account: 'the client', signal: 'a floor system', temporal: 'Temporal' };
export const actorInWords = (actor: string): string => known(ACTORS, actor) ?? personName(actor);

const BLOCKERS: Readonly<Record<Order['cancellable']['blockers'][number], string>> = {
  shipped: 'a parcel has left',
  printed: 'it has been printed',
  money: 'a payment has been recorded on it',
  cancelled: 'it is cancelled already',
};
export const blockerInWords = (blocker: string): string => known(BLOCKERS, blocker) ?? blocker;

/** Whether the client can cancel, and each reason why not; the floor sees nothing of money, not even that some came in. */
export function cancelInWords({ cancellable, remakeOf }: Pick<Order, 'cancellable' | 'remakeOf'>, mayOffice: boolean): string {
  if (remakeOf !== null) return `No: they see it as a part of ${remakeOf.orderNumber}`;
  if (cancellable.now) return 'Yes, still';
  const blockers = cancellable.blockers.filter((blocker) => mayOffice || blocker !== 'money');
  return blockers.length === 0 ? 'No: ask the office' : `No: ${blockers.map(blockerInWords).join('; ')}`;
}

/** `Line 1`: people count from one, the API from zero. */
export const lineName = (line: number): string => `Line ${line + 1}`;

export function piecesInWords(pieces: readonly Pieces[] | null): string {
  if (pieces === null) return 'nobody said what it holds';
  return pieces.map(({ line, quantity }) => `${quantity} of line ${line + 1}`).join(', ');
}

const DAY_MS = 86_400_000;
const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
const days = (count: number): string => `${count} ${count === 1 ? 'day' : 'days'}`;

/** How the order stands to its day; null where it has none, or where it does not matter any more. */
export function dueInWords({ dueDate, late, status }: Order, today: string): string | null {
  if (dueDate === null || !isToBeShipped(status)) return null;
  const left = daysBetween(today, dueDate);
  if (late || left < 0) return `late by ${days(Math.abs(left))}`;
  if (left === 0) return 'due today';
  return left === 1 ? 'due tomorrow' : `${days(left)} left`;
}

export function noPicture({ artworkUrl, artworkReceived, inspection }: JobLine): string | null {
  if (inspection?.state === 'ok') return null;
  if (inspection !== null) return inspection.reason ?? 'its artwork has no preview';
  if (artworkUrl === null) return 'it has no artwork, or its artwork has been erased';
  if (artworkReceived === false) return 'its artwork has not arrived yet; it will show here by itself';
  return 'its artwork has not been looked at yet, which takes some seconds';
}
