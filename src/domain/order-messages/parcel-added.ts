import { readBadge } from '../badges';
import type { LineQuantity } from '../line-quantities';
import { isOrderNumber } from '../order-number';
import {
  ID_PREFIXES,
  NEW_ID,
  notBlank,
  optionalSingleLineText,
  pieces,
  RECORD_FIELDS,
  singleLineText,
  time,
  webUrl,
  withExclusion,
  type MessageField,
} from './fields';
import { refusal, UNUSED_ID, type MessageKind, type RecordNotes } from './kind';

export interface NewParcel {
  parcelId: string;
  trackingNumber: string;
  carrier?: string | null;
  trackingUrl?: string | null;
  shippedAt?: string | null;
  /** The parcel's contents; absent if unknown. The database checks them against the order's lines. */
  lines?: LineQuantity[] | null;
}

export type ParcelAdded = { type: 'parcel_added' } & NewParcel & RecordNotes;

/** Refuses blanks, order numbers and badges. A scanner types into the focused field, so the order number on a job sheet must not become a parcel's id. */
const trackingNumber = (field: MessageField): MessageField =>
  withExclusion(
    notBlank(field),
    (value) => isOrderNumber(value) || readBadge(value) !== null,
    "must be the carrier's tracking number, not an order number or a badge; scan the carrier's label, or type the number below its barcode",
  );
/** For a parcel without an id, whose tracking number becomes its id. */
export const TRACKING_NUMBER_AS_ID = trackingNumber(NEW_ID);

export const PARCEL_FIELDS = {
  parcelId: NEW_ID,
  trackingNumber: trackingNumber(singleLineText(200)),
  carrier: optionalSingleLineText(100),
  trackingUrl: webUrl,
  shippedAt: time,
  lines: pieces,
} as const;

export const parcelAdded: MessageKind<ParcelAdded> = {
  fields: { ...RECORD_FIELDS, ...PARCEL_FIELDS },
  key: ({ parcelId }) => ID_PREFIXES.parcel + parcelId,
  describe: ({ parcelId }) => `parcel ${parcelId}`,
  limit: 'parcels',
  isSignal: true,
  reversedReason: 'the label of this parcel was voided; send a new parcel id',
  example: () => ({ type: 'parcel_added', parcelId: UNUSED_ID, trackingNumber: UNUSED_ID }),
  decide(facts, { parcelId }) {
    if (facts.liveParcels.includes(parcelId)) return refusal(`parcel ${parcelId} is already on this order; send a new parcel id`);
    if (facts.voidedParcels.includes(parcelId)) return refusal(`the label of parcel ${parcelId} was voided; send a new parcel id`);
    return { facts: { ...facts, liveParcels: [...facts.liveParcels, parcelId] } };
  },
};
