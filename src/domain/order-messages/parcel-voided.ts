import { ID_PREFIXES, RECORD_FIELDS, singleLineText } from './fields';
import { refusal, type MessageKind, type RecordNotes } from './kind';

export interface ParcelVoided extends RecordNotes {
  type: 'parcel_voided';
  parcelId: string;
}

/** Id of any existing parcel. */
export const EXISTING_PARCEL_ID = singleLineText(100);

export const parcelVoided: MessageKind<ParcelVoided> = {
  fields: { ...RECORD_FIELDS, parcelId: EXISTING_PARCEL_ID },
  key: ({ parcelId }) => ID_PREFIXES.parcelVoid + parcelId,
  describe: ({ parcelId }) => `parcel ${parcelId} voided`,
  limit: null,
  isSignal: true,
  example({ liveParcels }) {
    const parcelId = liveParcels.at(-1);
    return parcelId === undefined ? refusal('there is no parcel to void on this order') : { type: 'parcel_voided', parcelId };
  },
  decide(facts, { parcelId }) {
    if (facts.voidedParcels.includes(parcelId)) return { facts };
    if (!facts.liveParcels.includes(parcelId)) return refusal(`there is no parcel ${parcelId} on this order`);
    return {
      facts: {
        ...facts,
        liveParcels: facts.liveParcels.filter((id) => id !== parcelId),
        voidedParcels: [...facts.voidedParcels, parcelId],
      },
    };
  },
};
